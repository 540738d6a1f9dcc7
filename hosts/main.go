// Command hosts runs programs that give fsbox to a model, each with a script in the model's place
// that knows only what it is shown, and says what of fsbox's answers that is. See README.md.
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
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"fsbox/hosts/reader"
)

// harness is what all hosts of a run have in common.
type harness struct {
	fsbox, cache, keep, out, column  string
	limit                            time.Duration
	page, tools, pin, pictures       string
	probes, settings, asks, previous bool
	changing                         bool
	temp, self                       string
	faults                           int // of dialogs
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "pipe" {
		os.Exit(pipe(os.Args[2:]))
	}
	if len(os.Args) > 2 && os.Args[1] == "probe" {
		n, err := strconv.Atoi(os.Args[2])
		if err != nil || n >= len(probes()) {
			os.Exit(2)
		}
		os.Exit(serveProbe(probes()[n]))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var h harness
	flag.StringVar(&h.fsbox, "fsbox", "", "the program's `PATH`, else it is built from this tree")
	flag.StringVar(&h.cache, "cache", "", "install into `DIR` and leave it, for the next run")
	flag.StringVar(&h.keep, "keep", "", "record requests, pipes and output in `DIR`")
	flag.StringVar(&h.out, "o", "", "put what was measured into `FILE`")
	flag.StringVar(&h.column, "column", "after", "as `COLUMN` there: before or after")
	flag.BoolVar(&h.previous, "previous", false, "run the version before of each host")
	flag.StringVar(&h.pin, "pin", "", "install `PACKAGE@VERSION` in place of the version here")
	flag.BoolVar(&h.probes, "probe", false, "find how long an answer may be to be passed on whole, without fsbox")
	flag.BoolVar(&h.settings, "settings", false, "try the settings that docs/hosts.md speaks of")
	flag.BoolVar(&h.asks, "dialogs", false, "look at the dialogs by which hosts ask a person, in terminals; needs tmux")
	flag.BoolVar(&h.changing, "changes", false, "make changes of real projects, call by call")
	flag.StringVar(&h.pictures, "pictures", "", "with -dialogs, draw a dialog of each host into `DIR`")
	flag.StringVar(&h.tools, "tools", "", "put the tools that each host has itself into `DIR`")
	flag.StringVar(&h.page, "page", "", "put what is in the file of results into the page `FILE`, and do nothing else")
	flag.DurationVar(&h.limit, "limit", 5*time.Minute, "the longest that one host may take")
	flag.Usage = usage
	flag.Parse()
	if err := h.run(ctx, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "hosts:", err)
		os.Exit(1)
	}
}

func usage() {
	fmt.Fprintln(os.Stderr, "usage: go -C hosts run . [flags] [host ...]")
	flag.PrintDefaults()
	for _, h := range catalog() {
		fmt.Fprintf(os.Stderr, "%s\t%s\n", h.name, strings.Join(h.packages, " "))
	}
}

func (h *harness) run(ctx context.Context, names []string) (err error) {
	if h.page != "" {
		return write(h.out, h.page)
	}
	chosen, err := choose(names)
	if err != nil {
		return err
	}
	if h.temp, err = os.MkdirTemp("", "fsbox-hosts-"); err != nil {
		return err
	}
	defer os.RemoveAll(h.temp)
	if h.self, err = os.Executable(); err != nil {
		return err
	}
	if h.cache == "" {
		h.cache = filepath.Join(h.temp, "cache")
	}
	if err := h.build(ctx); err != nil {
		return err
	}
	if h.previous {
		chosen = slices.DeleteFunc(chosen, func(one host) bool { return len(one.previous) == 0 })
	}
	for i := range chosen {
		if h.previous {
			chosen[i] = chosen[i].earlier()
		}
		chosen[i] = chosen[i].pinned(h.pin)
	}
	switch {
	case h.settings:
		return h.try(ctx, chosen)
	case h.asks:
		return h.dialogs(ctx, chosen)
	case h.changing:
		return h.changes(ctx, chosen)
	}
	for _, one := range chosen {
		if failure := h.one(ctx, one); failure != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", one.name, failure))
		}
	}
	return err
}

// one measures a host, or probes it.
func (h *harness) one(ctx context.Context, one host) error {
	if h.probes {
		found, err := h.probe(ctx, one)
		if err != nil {
			return err
		}
		fmt.Printf("%s: %v: %s\n", one.name, found, found.unit())
		if h.previous {
			return nil // docs/hosts.md has them for the newest
		}
		return store(h.out, one.name, func(e *entry) { e.Passes = found })
	}
	m, err := h.measure(ctx, one)
	if err != nil {
		return err
	}
	fmt.Print(m)
	err = store(h.out, one.name, func(e *entry) {
		switch {
		case h.previous:
			e.Previous = &m
		case h.column == "before":
			e.Before = m
		default:
			e.After = m
		}
	})
	if len(m.Faults) > 0 {
		err = errors.Join(err, fmt.Errorf("%d faults", len(m.Faults)))
	}
	return err
}

// choose returns the hosts with these names, or all.
func choose(names []string) ([]host, error) {
	all := catalog()
	if len(names) == 0 {
		return all, nil
	}
	var chosen []host
	for _, name := range names {
		at := slices.IndexFunc(all, func(h host) bool { return h.name == name })
		if at < 0 {
			return nil, fmt.Errorf("no host %q: -h lists them", name)
		}
		chosen = append(chosen, all[at])
	}
	return chosen, nil
}

// build makes fsbox, unless it is given or of no use.
func (h *harness) build(ctx context.Context) (err error) {
	if h.fsbox != "" || h.probes {
		h.fsbox, err = filepath.Abs(h.fsbox)
		return err
	}
	h.fsbox = filepath.Join(h.temp, "fsbox")
	cmd := exec.CommandContext(ctx, "go", "-C", "..", "build", "-o", h.fsbox, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	return cmd.Run()
}

// install gets packages from npm, unless they are there from an earlier run.
func (h *harness) install(ctx context.Context, packages ...string) (modules string, err error) {
	dir := filepath.Join(h.cache, strings.NewReplacer("/", "_", "@", "_").Replace(packages[0]))
	modules = filepath.Join(dir, "node_modules")
	done := filepath.Join(dir, "done")
	if what, err := os.ReadFile(done); err == nil && string(what) == strings.Join(packages, " ") {
		return modules, nil
	}
	if err := reader.Put(filepath.Join(dir, "package.json"), `{"private": true}`); err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, "npm", append([]string{"install", "--no-audit", "--no-fund", "--loglevel=error"}, packages...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm install %s: %w\n%s", strings.Join(packages, " "), err, out)
	}
	return modules, os.WriteFile(done, []byte(strings.Join(packages, " ")), 0o666)
}
