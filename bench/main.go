// Command bench measures fsbox side by side with the programs that people use for the same work,
// and writes the table bench/RESULTS.md. See README.md for what it needs.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
)

type options struct {
	tree, rg, fd, out string
	runs              int
	only              *regexp.Regexp
}

type bench struct {
	options            options
	module             string // the checkout's folder
	temp               string
	fsbox, hello, bare string // programs built for this run
	imports, floor     string // as well
	fdFlags            []string
	logLines           int // of the large log, 0 until it is there
}

func main() {
	o, err := parse(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err == nil {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		err = run(ctx, o)
		stop()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func parse(args []string) (options, error) {
	var o options
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.StringVar(&o.tree, "tree", "linux-source-6.1", "`DIR` of the Linux sources to search")
	f.StringVar(&o.rg, "rg", "rg", "ripgrep 15, its `PATH`")
	f.StringVar(&o.fd, "fd", "", "fd, its `PATH` (default fdfind or fd, and left out if there is neither)")
	f.StringVar(&o.out, "o", "", "`FILE` for the table (default bench/RESULTS.md; with -only, none)")
	f.IntVar(&o.runs, "runs", 10, "measured runs of each command; short ones get up to ten times as many")
	only := f.String("only", "", "measure only works whose name matches `REGEX`")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 || o.runs < 1 {
		return o, errors.New("bench takes flags only, and -runs of 1 or more")
	}
	var err error
	if o.only, err = regexp.Compile(*only); err != nil {
		return o, err
	}
	return o, nil
}

func run(ctx context.Context, o options) error {
	b := &bench{options: o}
	if err := b.check(); err != nil {
		return err
	}
	var err error
	if b.temp, err = os.MkdirTemp("", "fsbox-bench-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.temp)
	if err := errors.Join(b.build(), b.isolate()); err != nil {
		return err
	}
	r := newReport(b)
	fmt.Print(r.head())
	for _, w := range b.works() {
		if o.only.MatchString(w.name) {
			fmt.Print(r.add(b.measure(ctx, w)))
		}
		if ctx.Err() != nil {
			return ctx.Err() // an interrupted run leaves neither a table nor 2 GiB behind
		}
	}
	fmt.Print(r.foot())
	switch {
	case o.out == "" && o.only.String() != "":
		return nil
	case o.out == "":
		o.out = filepath.Join(b.module, "bench", "RESULTS.md")
	}
	return os.WriteFile(o.out, []byte(r.text.String()+sections(o.out)), 0o666)
}

// sections are those of the file that other programs write, with the blank line before them.
func sections(path string) string {
	old, _ := os.ReadFile(path) // there may be none yet
	at := strings.Index(string(old), "\n## ")
	if at < 0 {
		return ""
	}
	return string(old[at:])
}

// isolate keeps the settings of the person who runs this out of what is measured.
func (b *bench) isolate() error {
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "FSBOX_") {
			if err := os.Unsetenv(name); err != nil {
				return err
			}
		}
	}
	return os.Setenv("XDG_CONFIG_HOME", filepath.Join(b.temp, "config"))
}

// measure does one work, after a look at what fsbox answers.
func (b *bench) measure(ctx context.Context, w work) (work, []sample, answer, error) {
	if w.prepare != nil {
		if err := w.prepare(ctx, &w); err != nil {
			return w, nil, answer{}, err
		}
	}
	a, err := ask(ctx, w.ours)
	if err == nil && a.truncated != w.part {
		err = fmt.Errorf("fsbox says truncated: %v: the work is not the same", a.truncated)
	}
	if err != nil {
		return w, nil, a, err
	}
	commands := []command{w.ours}
	for _, p := range w.peers {
		commands = append(commands, p.command)
	}
	samples, err := inTurns(ctx, commands, b.options.runs*max(w.turns, 1))
	return w, samples, a, err
}
