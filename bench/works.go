package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fsbox/bench/results"
)

// A work is a thing to do, done by fsbox and by the peers that people use for it.
type work struct {
	name    string
	ours    command
	peers   []command
	turns   int                                // times -runs; 0 is 1. Short works need more
	few     bool                               // three runs: it is long
	part    bool                               // the answer has a part of the results, and says that there are more
	prepare func(context.Context, *work) error // runs once, before anything else; may be nil
}

// within says how many times a peer's time fsbox may take, wall and CPU; 0 is no bound.
func (c command) within(wall, cpu float64) command {
	c.target = results.Target{Wall: wall, CPU: cpu}
	return c
}

func (b *bench) works() []work {
	all := b.listings() // before the long searches: a shared machine may give less than all its cores after minutes of both
	all = append(all, b.searches()...)
	all = append(all, b.expressions()...)
	all = append(all, b.acrossLines()...)
	all = append(all, b.nothing(), b.veryMany(), b.firstResults(), b.smallFile())
	all = append(all, b.oneFile()...)
	all = append(all, b.pages()...)
	all = append(all, b.scale()...)
	all = append(all, b.start())
	return append(all, b.write("write new files", "create", "new", 1.3), b.write("replace a file", "overwrite", "same", 1.5), b.patch())
}

// fsboxAll runs fsbox with its limits out of the way: what is compared is the whole work.
func (b *bench) fsboxAll(args ...string) command {
	limits := []string{b.fsbox, "--max-results", "1000000", "--max-output-bytes", "1GiB", "--timeout", "10m"}
	return command{args: append(limits, args...), dir: b.tree}
}

// ripgrep runs rg so that the same files are searched: without --no-require-git it reads no
// .gitignore outside a repository.
func (b *bench) ripgrep(args ...string) command {
	flags := []string{b.rg, "--no-config", "--no-require-git"}
	return command{args: slices.Concat(flags, args, []string{"./"}), dir: b.tree, show: "rg " + quoted(args)}
}

func (b *bench) searches() []work {
	var all []work
	for _, s := range []struct {
		name, query string
		ours, rg    []string
	}{
		{name: "literal", query: "PM_RESUME"},
		{name: "absent literal", query: "PM_RESUMPTION_OF"},
		{name: "whole word", query: "PM_RESUME", ours: []string{"-w"}, rg: []string{"-w"}},
		{name: "literal, any case", query: "PM_RESUME", ours: []string{"-i"}, rg: []string{"-i"}},
		{name: "four literals", query: "ERR_SYS|PME_TURN_OFF|LINK_REQ_RST|CFG_BME_EVT", ours: []string{"--use-regex"}},
		{name: "regex with a literal", query: "[A-Z]+_RESUME", ours: []string{"--use-regex"}},
	} {
		rg := append(s.rg, s.query)
		w := work{name: s.name, ours: b.grep(s.query, s.ours...), peers: []command{
			b.ripgrep(append([]string{"-n"}, rg...)...).within(0.95, 0.95),
			b.ripgrep(append([]string{"-n", "--sort", "path"}, rg...)...).within(0.6, 0),
		}}
		if s.name == "literal" { // knows no .gitignore, so it searches some files more
			w.peers = append(w.peers, command{args: []string{"grep", "-rIn", s.query, "."}, dir: b.tree, show: "grep -rIn " + s.query})
		}
		all = append(all, w)
	}
	words := `\w{5}\s+\w{5}\s+\w{5}\s+\w{5}`
	return append(all, work{name: "regex without a literal", ours: b.grep(words, "--use-regex"), peers: []command{
		b.ripgrep("-n", words).within(1, 1),
		b.ripgrep("-n", "(?-u)"+words), // ASCII classes, as in RE2
	}})
}

// expressions have no string that would be searched for first.
func (b *bench) expressions() []work {
	return b.each("regex ", []string{"--use-regex"}, []string{"-n"}, 1,
		`[0-9]{4}[-/.][0-9]{2}[-/.][0-9]{2}`,
		`[a-z]+[0-9] [a-z]+[0-9] [a-z]+|[A-Z]+[0-9] [A-Z]+[0-9] [A-Z]+`,
		`^\s*[a-z]{2,6}\s+[a-z]{2,6}\s*$`,
		`^[A-Z][a-z]+ [a-z]+ [a-z]+$`,
		`struct\s+\w+_ops\s+\w+\s*=`)
}

// acrossLines are expressions whose matches span lines, of different kinds: with a string at the
// start, with one within, and with none that is rare.
func (b *bench) acrossLines() []work {
	return b.each("multiline ", []string{"--use-regex", "--multiline"}, []string{"-U", "--multiline-dotall", "-n"}, 1.2,
		`if \(!\w+\)\n\t+return -E[A-Z]+;`,
		`kfree\(\w+\);\s+\w+ = NULL;`,
		`struct \w+ \{[^}]*spinlock_t`,
		`\w+\(\n\s+\w+`,
		`\{\s*\n\s*return \w+;\s*\n\}`)
}

// each has a work for each query, with flags for either program.
func (b *bench) each(kind string, ours, rg []string, cpu float64, queries ...string) (all []work) {
	for _, query := range queries {
		all = append(all, work{name: kind + query, ours: b.grep(query, ours...),
			peers: []command{b.ripgrep(append(slices.Clone(rg), query)...).within(0, cpu)}})
	}
	return all
}

// nothing is a search in vain, which looks for what may be meant as well.
func (b *bench) nothing() work {
	const folder, query = "drivers/net", "absent_name_here"
	rg := command{args: []string{b.rg, "--no-config", "--no-require-git", "-n", query, folder}, dir: b.tree, show: "rg -n"}
	return work{name: "a search that finds nothing, with hints", turns: 3, ours: b.grep(query, "--path", folder),
		peers: []command{rg.within(0, 1.3)}}
}

// veryMany ends after so many lines, in path order.
func (b *bench) veryMany() work {
	return work{name: "130,000 matching lines", part: true, ours: b.fsboxAll("grep", "NULL", "--max-matches", "130000"),
		peers: []command{b.ripgrep("-n", "NULL").within(0, 2)}}
}

// smallFile is a regular expression in one file, against a literal: what it takes to be ready for
// one.
func (b *bench) smallFile() work {
	literal := b.fsboxAll("grep", "copy_process", "kernel/fork.c")
	literal.show = "a literal instead"
	return work{name: "regex in one small file", turns: 10, ours: b.fsboxAll("grep", `copy_pro\w+`, "kernel/fork.c", "--use-regex"),
		peers: []command{literal.within(1.15, 1.15)}}
}

func (b *bench) grep(query string, flags ...string) command {
	return b.fsboxAll(append([]string{"grep", query, "--max-matches", "100000"}, flags...)...)
}

func (b *bench) firstResults() work {
	pipe := `"$0" --no-config --no-require-git -n return ./ | head -50`
	return work{
		name: "first 50 of a frequent word", part: true, turns: 3,
		ours:  command{args: []string{b.fsbox, "grep", "return"}, dir: b.tree},
		peers: []command{command{args: []string{"sh", "-c", pipe, b.rg}, dir: b.tree, show: "rg -n return | head -50"}.within(1, 1)},
	}
}

// oneFile is a literal on one line of a log, searched by all cores: as it was written just now, and
// as it was read again from the disk. ripgrep takes one core, and maps the file into its memory.
func (b *bench) oneFile() []work {
	log, query := b.temp+"/big.log", "request 7000005 "
	w := work{
		name: "literal in one file of 2 GiB",
		ours: command{args: []string{b.fsbox, "--root", b.temp, "--timeout", "10m", "grep", query, "big.log"}},
		peers: []command{command{args: []string{b.rg, "--no-config", "-n", query, log}, show: "rg -n"}.within(0.65, 1.2),
			{args: []string{"grep", "-n", query, log}, show: "grep -n"}},
		prepare: b.makeLog,
	}
	again := w
	again.name, again.peers = w.name+", read from the disk before", w.peers[:1]
	again.prepare = func(ctx context.Context, w *work) error {
		return errors.Join(b.makeLog(ctx, w), readAgain(log))
	}
	return []work{w, again}
}

func (b *bench) listings() []work {
	ls := work{name: "recursive ls, text", ours: b.fsboxAll("--format", "text", "ls", "--recursive", "--max-entries", "1000000"),
		peers: []command{b.ripgrep("--files").within(0.55, 0.55)}}
	glob := work{name: "glob **/*.c, text", ours: b.fsboxAll("--format", "text", "glob", "**/*.c", "--limit", "1000000"),
		peers: []command{b.ripgrep("--files", "-g", "**/*.c").within(0.45, 0.45)}}
	ls.ours.text, glob.ours.text = true, true
	whole := work{name: "recursive ls, JSON with sizes and times", ours: b.fsboxAll("ls", "--recursive", "--max-entries", "1000000"),
		peers: []command{b.ripgrep("--files")}}
	if b.fd != "" {
		fd := func(args ...string) command {
			return command{args: slices.Concat([]string{b.fd}, b.fdFlags, args), dir: b.tree, show: "fd " + quoted(args)}
		}
		ls.peers = append(ls.peers, fd("--type", "file", "--type", "directory", "--type", "symlink"))
		glob.peers = append(glob.peers, fd("--type", "file", "--extension", "c"))
	}
	return []work{ls, whole, glob}
}

// start is the shortest work of all: what a process costs.
func (b *bench) start() work {
	return work{name: "info", turns: 10, ours: command{args: []string{b.fsbox, "info", "Makefile"}, dir: b.tree},
		peers: []command{command{args: []string{b.hello}, show: "hello world in Go"}.within(1.6, 0)}}
}

const (
	writeFiles = 1000 // so many that the start of the process doesn't count
	patchFiles = 200  // that one patch changes, by a hunk each
	writeBytes = 8 << 10
)

// writing is a batch that may write in dir, with the state folder on the same disk.
func (b *bench) writing(dir, requests string, before func(string) error) command {
	return command{args: []string{b.fsbox, "--root", dir, "--state-dir", b.temp + "/state", "--allow-write", "batch"},
		stdin: requests, before: func() error { return before(dir) }}
}

// bareWrites is a loop that does no more than a safe write must.
func (b *bench) bareWrites(dir string, files int, which string) command {
	return command{args: []string{b.bare, dir, fmt.Sprint(files), fmt.Sprint(writeBytes), which},
		show: "bare write, fsync, rename, fsync", before: func() error { return emptyFolder(dir) }}
}

// patch has one patch over many files, against the loop that writes as many.
func (b *bench) patch() work {
	requests := b.temp + "/patch.jsonl"
	return work{
		name:    fmt.Sprintf("patch %d files of 8 KiB", patchFiles),
		ours:    b.writing(b.temp+"/patched", requests, fillFolder),
		peers:   []command{b.bareWrites(b.temp+"/bare-files", patchFiles, "new").within(2, 2)},
		prepare: func(context.Context, *work) error { return makePatch(requests) },
	}
}

// write has a batch of writes, against the loop. Which says whether all are of the same file, wall
// how many times the loop's time they may take.
func (b *bench) write(name, mode, which string, wall float64) work {
	dir, requests := b.temp+"/written", fmt.Sprintf("%s/%s.jsonl", b.temp, mode)
	return work{
		name:    fmt.Sprintf("%s of 8 KiB, %d times", name, writeFiles),
		ours:    b.writing(dir, requests, emptyFolder),
		peers:   []command{b.bareWrites(dir, writeFiles, which).within(wall, 0)},
		prepare: func(context.Context, *work) error { return makeRequests(requests, mode, which == "same") },
	}
}

// quoted shows arguments as one would type them.
func quoted(args []string) string {
	var words []string
	for _, a := range args {
		if strings.ContainsAny(a, `\|*?[]{}() `) {
			a = "'" + a + "'"
		}
		words = append(words, a)
	}
	return strings.Join(words, " ")
}
