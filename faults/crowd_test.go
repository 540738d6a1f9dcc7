//go:build linux && amd64

package faults

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// crowd is what is known of several processes that change the same files and are killed again and
// again.
type crowd struct {
	mu      sync.Mutex
	counted int      // increments that were answered
	unknown int      // increments that were asked for and not answered
	lines   []string // appends that were answered
}

// TestCrowd lets processes work on the same files and kills each after a moment, at any time. What
// was answered is there.
func TestCrowd(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	t.Parallel()
	base := t.TempDir()
	s := scenario{setup: []entry{file("n.txt", "0"), file("log.txt", ""), file("big.txt", signed(0))}, args: []string{"check"}}
	_, err := s.prepare(base)
	check(t, err)
	c := &crowd{}
	var group sync.WaitGroup
	for who := range 4 {
		group.Go(func() {
			for life := range often(500, 20) {
				if err := c.live(base, who, life); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
	c.judge(t, base)
}

// live is one process, until it is killed.
func (c *crowd) live(base string, who, life int) error {
	s, err := newSession(base)
	if err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(uint64(who), uint64(life)))
	for n := 0; ; n++ {
		if n == 1 { // it has done some work, however slow the machine is
			death := time.AfterFunc(time.Duration(random.IntN(40_000))*time.Microsecond, func() { _ = s.cmd.Process.Kill() })
			defer death.Stop()
		}
		r, err := increment(s)
		c.note(func() {
			if err != nil {
				c.unknown++
			} else if r.Success {
				c.counted++
			}
		})
		line := fmt.Sprintf("<%d.%d.%d %s>\n", who, life, n, strings.Repeat("x", random.IntN(5000)))
		if r, err := s.ask("append", map[string]any{"path": "log.txt", "content": line}); err == nil && r.Success {
			c.note(func() { c.lines = append(c.lines, line) })
		}
		content := signed(random.IntN(9000))
		if _, err := s.ask("write", map[string]any{"path": "big.txt", "mode": "overwrite", "content": content}); err != nil {
			_ = s.close()
			return nil
		}
	}
}

func (c *crowd) note(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f()
}

// signed is a content that tells whether it is whole: it begins with its length.
func signed(n int) string { return fmt.Sprintf("%d\n%s\n", n, strings.Repeat("y", n)) }

func (c *crowd) judge(t *testing.T, base string) {
	last := command{program: program, args: commandLine(base, []string{"append", "log.txt", "--content", "end\n"}), base: base,
		env: environment(base)}
	if a, err := last.again(); err != nil || !a.Success {
		t.Errorf("the last call: %+v, %v", a, err)
	}
	now, err := look(base)
	check(t, err)
	if litter := now.sweep(); len(litter) > 0 {
		t.Errorf("litter: %q", litter)
	}
	length, _, _ := strings.Cut(now["big.txt"].text, "\n")
	if n, err := strconv.Atoi(length); err != nil || now["big.txt"].text != signed(n) {
		t.Errorf("big.txt is torn: %v", now["big.txt"])
	}
	if n, err := strconv.Atoi(now["n.txt"].text); err != nil || n < c.counted || n > c.counted+c.unknown {
		t.Errorf("the counter is %v, want %d and at most %d more", now["n.txt"], c.counted, c.unknown)
	}
	for _, line := range c.lines {
		if strings.Count(now["log.txt"].text, line) != 1 {
			t.Errorf("the line %.40q is there %d times", line, strings.Count(now["log.txt"].text, line))
		}
	}
	t.Logf("%d increments and %d appends answered, %d increments not", c.counted, len(c.lines), c.unknown)
	if c.counted == 0 || len(c.lines) == 0 || c.unknown == 0 {
		t.Error("nobody was killed at work: the test doesn't count")
	}
}
