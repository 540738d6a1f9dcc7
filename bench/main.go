// Command bench measures fsbox side by side with the programs that people use for the same work,
// and keeps the figures in results.json. See README.md for what it needs.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"fsbox/bench/results"
)

type bench struct {
	tree, rg, fd, out, only string
	runs                    int
	million                 bool
	fdFlags                 []string

	temp               string
	fsbox, hello, bare string // programs built for this run
	logLines           int    // of the large log, 0 until it is there
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var b bench
	flag.StringVar(&b.tree, "tree", "linux-source-6.1", "`DIR` of the Linux sources to search")
	flag.StringVar(&b.rg, "rg", "rg", "ripgrep 15, its `PATH`")
	flag.StringVar(&b.fd, "fd", "fdfind", "fd, its `PATH`; its rows are left out if there is none")
	flag.StringVar(&b.out, "o", "results.json", "`FILE` for the figures; with -only, they are just printed")
	flag.IntVar(&b.runs, "runs", 10, "measured runs of each command; short ones get up to ten times as many")
	flag.BoolVar(&b.million, "million", false, "also search 1,000,000 small files, which takes ten minutes and 4 GiB more")
	flag.StringVar(&b.only, "only", "", "measure only works whose name matches `REGEX`")
	flag.Parse()
	results.Check("bench", b.run(ctx))
}

func (b *bench) run(ctx context.Context) (err error) {
	only, err := regexp.Compile(b.only)
	if err != nil {
		return err
	}
	if b.temp, err = os.MkdirTemp("", "fsbox-bench-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.temp)
	if err := errors.Join(b.check(), b.build(), b.isolate()); err != nil {
		return err
	}
	programs := []string{b.rg, "grep", "tail", "sed"}
	if b.fd != "" {
		programs = append(programs, b.fd)
	}
	facts, all := results.Facts(b.temp, programs...), []results.Work{}
	for _, w := range b.works() {
		if !only.MatchString(w.name) {
			continue
		}
		for _, row := range b.measure(ctx, w) {
			fmt.Printf("%s | %s | %v | %v | %s\n", row.Name, row.Peer, row.Ours, row.Theirs, row.Verdict())
			all = append(all, row)
		}
		if ctx.Err() != nil {
			return ctx.Err() // an interrupted run leaves neither figures nor 2 GiB
		}
	}
	if b.only == "" {
		err = results.Change(b.out, func(r *results.Results) { r.Works, r.WorksOn = all, facts })
	}
	return err
}

// check finds what the run needs. It refuses a tree whose own rules ignore it: Debian ends its
// .gitignore with "/*" and "!/debian/", and then there is nothing to search.
func (b *bench) check() (err error) {
	if b.rg, err = exec.LookPath(b.rg); err != nil {
		return fmt.Errorf("%w\nripgrep 15 is in npm's package @vscode/ripgrep-linux-x64, as bin/rg: give its path with -rg", err)
	}
	if b.fd, err = exec.LookPath(b.fd); err != nil {
		b.fd = ""
	} else if strings.Contains(results.Said(b.fd, "--help"), "--no-require-git") { // from release 8.7 on; older ones read .gitignore anywhere
		b.fdFlags = []string{"--no-require-git"}
	}
	if b.tree, err = filepath.Abs(b.tree); err != nil {
		return err
	}
	rules, err := os.ReadFile(filepath.Join(b.tree, ".gitignore"))
	lines := strings.Split(string(rules), "\n")
	if err != nil || slices.Contains(lines, "/*") || slices.Contains(lines, "!/debian/") {
		return errors.Join(err, errors.New("-tree names the sources of Linux, without Debian's last two rules in .gitignore: README.md says how"))
	}
	return nil
}

// build makes fsbox and the peers of our own.
func (b *bench) build() (err error) {
	for dir, to := range map[string]*string{"..": &b.fsbox, "hello": &b.hello, "bare": &b.bare} {
		*to = filepath.Join(b.temp, "of-"+filepath.Base(dir))
		err = errors.Join(err, results.Build(dir, *to))
	}
	return err
}

// isolate keeps the settings of the person who runs this out of what is measured.
func (b *bench) isolate() error {
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "FSBOX_") {
			_ = os.Unsetenv(name) // it is there
		}
	}
	return os.Setenv("XDG_CONFIG_HOME", filepath.Join(b.temp, "config"))
}

// measure does one work, after a look at what fsbox answers, and gives a row for each peer.
func (b *bench) measure(ctx context.Context, w work) []results.Work {
	a, costs, err := b.costs(ctx, &w)
	if err != nil {
		return []results.Work{{Name: w.name, Failed: err.Error()}}
	}
	costs[0].Results = a.results
	var rows []results.Work
	for i, p := range w.peers {
		rows = append(rows, results.Work{Name: w.name, Peer: p.show, Ours: costs[0], Theirs: costs[i+1], Target: p.target})
	}
	return rows
}

func (b *bench) costs(ctx context.Context, w *work) (a answer, costs []results.Cost, err error) {
	if w.prepare != nil {
		err = w.prepare(ctx, w)
	}
	if err == nil {
		a, err = ask(ctx, w.ours)
	}
	if err == nil && a.truncated != w.part {
		err = fmt.Errorf("fsbox says truncated: %v: the work is not the same", a.truncated)
	}
	if err == nil {
		turns := b.runs * max(w.turns, 1)
		if w.few {
			turns = min(b.runs, 3)
		}
		costs, err = inTurns(ctx, append([]command{w.ours}, w.peers...), turns)
	}
	return a, costs, err
}
