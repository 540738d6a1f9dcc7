package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

const (
	logBytes = 2 << 30
	logPage  = 100 // lines
)

// pages has the works on a log of 2 GiB: its end, and a page from its middle as a caller meets it
// who turns pages.
func (b *bench) pages() []work {
	log := b.temp + "/big.log"
	slack := target{wall: 1, cpu: 1, slack: 2 * time.Millisecond}
	read := func(args ...string) command {
		return command{args: append([]string{b.fsbox, "--root", b.temp, "--timeout", "10m", "read", "big.log", "--max-lines",
			fmt.Sprint(logPage)}, args...)}
	}
	end := work{
		name: "last 100 lines of 2 GiB", turns: 3,
		ours:    read("--start-line", strconv.Itoa(-logPage)),
		peers:   []peer{{command{args: []string{"tail", "-n", strconv.Itoa(logPage), log}, show: "tail -n 100"}, slack}},
		prepare: func(ctx context.Context, _ *work) error { return b.makeLog(ctx, log) },
	}
	middle := work{name: "a page in the middle of 2 GiB, by cursor", part: true, turns: 1}
	middle.prepare = func(ctx context.Context, w *work) error {
		if err := b.makeLog(ctx, log); err != nil {
			return err
		}
		first := b.logLines/2 + 1
		before, err := ask(ctx, read("--start-line", strconv.Itoa(first-logPage)))
		if err != nil {
			return err
		}
		w.ours = read("--cursor", before.cursor)
		w.ours.show = "read --cursor"
		script := fmt.Sprintf("%d,%dp;%dq", first, first+logPage-1, first+logPage-1)
		w.peers = []peer{{command{args: []string{"sed", "-n", script, log}, show: "sed -n 'a,bp;bq'"}, slack}}
		return nil
	}
	return []work{end, middle}
}

// makeLog writes the log, once.
func (b *bench) makeLog(ctx context.Context, name string) (err error) {
	if b.logLines > 0 {
		return nil
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriterSize(f, 1<<20)
	filler := strings.Repeat(" detail", 16)
	var line []byte
	for size := 0; size < logBytes && ctx.Err() == nil; size += len(line) {
		line = append(line[:0], "2026-01-02T03:04:05Z INFO request "...)
		line = strconv.AppendInt(line, int64(b.logLines), 10)
		line = append(line, filler[:b.logLines%len(filler)]...) // lines of 34 to 155 bytes
		line = append(line, '\n')
		if _, err := w.Write(line); err != nil {
			return err
		}
		b.logLines++
	}
	return errors.Join(ctx.Err(), w.Flush())
}

// makeRequests writes the batch of writes: files of 8 KiB, or one file with another first line each
// time.
func makeRequests(name, mode string, same bool) (err error) {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	enc := json.NewEncoder(f)
	for i := range writeFiles {
		text := fmt.Sprintf("%063d\n", i) + strings.Repeat(strings.Repeat("x", 63)+"\n", writeBytes/64-1)
		path := "file"
		if !same {
			path += strconv.Itoa(i)
		}
		if err := enc.Encode(map[string]any{"id": i, "tool": "write",
			"input": map[string]string{"path": path, "content": text, "mode": mode}}); err != nil {
			return err
		}
	}
	return nil
}

// makePatch writes a request with one patch: a line in the middle of each file of fillFolder.
func makePatch(name string) error {
	var patch strings.Builder
	for i := range patchFiles {
		fmt.Fprintf(&patch, "--- a/file%d\n+++ b/file%d\n@@ -64,3 +64,3 @@\n %063d\n-%063d\n+%063d\n %063d\n", i, i, 64, 65, 0, 66)
	}
	request, err := json.Marshal(map[string]any{"tool": "patch", "input": map[string]string{"patch": patch.String()}})
	if err != nil {
		return err
	}
	return os.WriteFile(name, append(request, '\n'), 0o666)
}

// fillFolder makes the files that makePatch is about: 128 numbered lines each.
func fillFolder(dir string) error {
	if err := emptyFolder(dir); err != nil {
		return err
	}
	var text strings.Builder
	for i := range writeBytes / 64 {
		fmt.Fprintf(&text, "%063d\n", i+1)
	}
	for i := range patchFiles {
		if err := os.WriteFile(fmt.Sprintf("%s/file%d", dir, i), []byte(text.String()), 0o666); err != nil {
			return err
		}
	}
	return nil
}

func emptyFolder(dir string) error {
	return errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o777))
}
