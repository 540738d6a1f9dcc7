package main

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// A work is a thing to do, done by fsbox and by the peers that people use for it.
type work struct {
	name    string
	ours    command
	peers   []peer
	turns   int                                // times -runs; 0 is 1. Short works need more
	part    bool                               // the answer has a part of the results, and says that there are more
	prepare func(context.Context, *work) error // runs once, before anything else; may be nil
}

// A peer is another program, and how much of its time fsbox may take.
type peer struct {
	command
	target target
}

// A target bounds our times as multiples of a peer's. 0 is no bound.
type target struct {
	wall, cpu float64
	slack     time.Duration // on top of either
}

func both(ratio float64) target { return target{wall: ratio, cpu: ratio} }

func (b *bench) works() []work {
	all := b.listings() // before the long searches: a shared machine may give less than all its cores after minutes of both
	all = append(all, b.searches()...)
	all = append(all, b.firstResults(), b.oneFile())
	all = append(all, b.pages()...)
	all = append(all, b.start())
	return append(all, b.writes()...)
}

// fsboxAll runs fsbox with its limits out of the way: what is compared is the whole work.
func (b *bench) fsboxAll(args ...string) command {
	limits := []string{b.fsbox, "--max-results", "1000000", "--max-output-bytes", "1GiB", "--timeout", "10m"}
	return command{args: append(limits, args...), dir: b.options.tree}
}

// ripgrep runs rg so that the same files are searched: without --no-require-git it reads no
// .gitignore outside a repository.
func (b *bench) ripgrep(args ...string) command {
	flags := []string{b.options.rg, "--no-config", "--no-require-git"}
	return command{args: append(append(flags, args...), "./"), dir: b.options.tree, show: "rg " + quoted(args)}
}

func (b *bench) searches() []work {
	var all []work
	for _, s := range []struct {
		name  string
		query string
		ours  []string
		rg    []string
	}{
		{name: "literal", query: "PM_RESUME"},
		{name: "absent literal", query: "PM_RESUMPTION_OF"},
		{name: "whole word", query: "PM_RESUME", ours: []string{"-w"}, rg: []string{"-w"}},
		{name: "literal, any case", query: "PM_RESUME", ours: []string{"-i"}, rg: []string{"-i"}},
		{name: "four literals", query: "ERR_SYS|PME_TURN_OFF|LINK_REQ_RST|CFG_BME_EVT", ours: []string{"--use-regex"}},
		{name: "regex with a literal", query: "[A-Z]+_RESUME", ours: []string{"--use-regex"}},
	} {
		w := work{name: s.name, ours: b.grep(s.query, s.ours...)}
		w.peers = append(w.peers, peer{b.ripgrep(append(append([]string{"-n"}, s.rg...), s.query)...), both(0.95)})
		w.peers = append(w.peers, peer{b.ripgrep(append(append([]string{"-n", "--sort", "path"}, s.rg...), s.query)...), target{wall: 0.6}})
		if s.name == "literal" { // knows no .gitignore, so it searches some files more
			w.peers = append(w.peers, peer{command{args: []string{"grep", "-rIn", s.query, "."}, dir: b.options.tree, show: "grep -rIn " +
				s.query}, target{}})
		}
		w.peers = append(w.peers, b.floorOf("read", b.options.tree))
		all = append(all, w)
	}
	words := `\w{5}\s+\w{5}\s+\w{5}\s+\w{5}`
	return append(all, work{name: "regex without a literal", ours: b.grep(words, "--use-regex"), peers: []peer{
		{b.ripgrep("-n", words), both(1)},
		{b.ripgrep("-n", "(?-u)"+words), target{}}, // ASCII classes, as in RE2
		b.floorOf("read", b.options.tree),
	}})
}

func (b *bench) grep(query string, flags ...string) command {
	c := b.fsboxAll(append([]string{"grep", query, "--max-matches", "100000"}, flags...)...)
	c.show = "grep " + quoted(append(flags, query))
	return c
}

func (b *bench) firstResults() work {
	pipe := `--no-config --no-require-git -n return ./ | head -50`
	return work{
		name: "first 50 of a frequent word", part: true, turns: 3,
		ours: command{args: []string{b.fsbox, "grep", "return"}, dir: b.options.tree},
		peers: []peer{{command{args: []string{"sh", "-c", `"$0" ` + pipe, b.options.rg}, dir: b.options.tree,
			show: "rg -n return | head -50"}, both(1)}},
	}
}

// oneFile is a literal on one line of a log: what one core does in a large file.
func (b *bench) oneFile() work {
	log, query := b.temp+"/big.log", "request 7000005 "
	return work{
		name: "literal in one file of 2 GiB",
		ours: command{args: []string{b.fsbox, "--root", b.temp, "--timeout", "10m", "grep", query, "big.log"}},
		peers: []peer{{command{args: []string{b.options.rg, "--no-config", "-n", query, log}, show: "rg -n"}, target{}},
			{command{args: []string{"grep", "-n", query, log}, show: "grep -n"}, target{}},
			b.floorOf("read", log)},
		prepare: func(ctx context.Context, _ *work) error { return b.makeLog(ctx, log) },
	}
}

func (b *bench) listings() []work {
	ls := work{name: "recursive ls", ours: b.fsboxAll("ls", "--recursive", "--max-entries", "1000000"),
		peers: []peer{{b.ripgrep("--files"), both(0.5)}}}
	glob := work{name: "glob **/*.c", ours: b.fsboxAll("glob", "**/*.c", "--limit", "1000000"),
		peers: []peer{{b.ripgrep("--files", "-g", "**/*.c"), both(0.5)}}}
	ls.peers, glob.peers = append(ls.peers, b.floorOf("info", b.options.tree)), append(glob.peers, b.floorOf("list", b.options.tree))
	if b.options.fd != "" {
		ls.peers = append(ls.peers, peer{command: b.fd("--type", "file", "--type", "directory", "--type", "symlink")})
		glob.peers = append(glob.peers, peer{command: b.fd("--type", "file", "--extension", "c")})
	}
	return []work{ls, glob}
}

func (b *bench) fd(args ...string) command {
	return command{args: slices.Concat([]string{b.options.fd}, b.fdFlags, args), dir: b.options.tree, show: "fd " + quoted(args)}
}

// floorOf is what the system calls of a work cost.
func (b *bench) floorOf(what, path string) peer {
	show := map[string]string{"list": "floor: list folders", "info": "floor: list folders, stat names",
		"read": "floor: list folders, open, read and close files"}[what]
	return peer{command: command{args: []string{b.floor, what, path}, show: show}}
}

// start is the shortest work of all: what a process costs.
func (b *bench) start() work {
	return work{name: "info", turns: 10,
		ours: command{args: []string{b.fsbox, "info", "Makefile"}, dir: b.options.tree},
		peers: []peer{{command{args: []string{b.hello}, show: "hello world in Go"}, target{wall: 1.6}},
			{command{args: []string{b.imports}, show: "hello world with kong, doublestar and go-re2"}, target{}}},
	}
}

const (
	writeFiles = 1000 // so many that the start of the process doesn't count
	writeBytes = 8 << 10
)

func (b *bench) writes() []work {
	return []work{
		b.write("write new files of 8 KiB", "create", "new"),
		b.write("replace a file of 8 KiB", "overwrite", "same"),
		b.patch(),
	}
}

// patchFiles is how many files one patch changes, by a hunk each.
const patchFiles = 200

// patch has one patch over many files, against the loop that writes as many.
func (b *bench) patch() work {
	dir, bare, requests := b.temp+"/patched", b.temp+"/bare-files", b.temp+"/patch.jsonl"
	return work{
		name: fmt.Sprintf("patch %d files of 8 KiB", patchFiles),
		ours: command{args: b.writing(dir), stdin: requests, before: func() error { return fillFolder(dir) }},
		peers: []peer{{command{args: []string{b.bare, bare, fmt.Sprint(patchFiles), fmt.Sprint(writeBytes), "new"},
			show: "bare write, fsync, rename, fsync", before: func() error { return emptyFolder(bare) }}, both(2)}},
		prepare: func(context.Context, *work) error { return makePatch(requests) },
	}
}

// writing is a batch that may write in dir, with the state folder on the same disk.
func (b *bench) writing(dir string) []string {
	return []string{b.fsbox, "--root", dir, "--state-dir", b.temp + "/state", "--allow-write", "batch"}
}

// write has a batch of writes, against a loop that does no more than a safe write must.
func (b *bench) write(name, mode, which string) work {
	dir, requests := b.temp+"/written", fmt.Sprintf("%s/%s.jsonl", b.temp, mode)
	w := work{
		name: fmt.Sprintf("%s, %d times", name, writeFiles),
		ours: command{args: b.writing(dir), stdin: requests, before: func() error { return emptyFolder(dir) }},
		peers: []peer{{command{args: []string{b.bare, dir, fmt.Sprint(writeFiles), fmt.Sprint(writeBytes), which},
			show: "bare write, fsync, rename, fsync", before: func() error { return emptyFolder(dir) }}, target{wall: 1.3}}},
	}
	w.prepare = func(context.Context, *work) error { return makeRequests(requests, mode, which == "same") }
	return w
}
