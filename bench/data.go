package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"fsbox/bench/results"
)

const logBytes, logPage = 2 << 30, 100 // a page is so many lines

// pages has the works on a log of 2 GiB: its end, and a page from its middle as a caller meets it
// who turns pages.
func (b *bench) pages() []work {
	log, lines := b.temp+"/big.log", strconv.Itoa(logPage)
	read := func(args ...string) command {
		flags := []string{b.fsbox, "--root", b.temp, "--timeout", "10m", "read", "big.log", "--max-lines", lines}
		return command{args: append(flags, args...)}
	}
	target := results.Target{Wall: 1, CPU: 1, Slack: 2}
	end := work{
		name: "last 100 lines of 2 GiB", turns: 3,
		ours:    read("--start-line", "-"+lines),
		peers:   []command{{args: []string{"tail", "-n", lines, log}, show: "tail -n 100", target: target}},
		prepare: b.makeLog,
	}
	middle := work{name: "a page in the middle of 2 GiB, by cursor", part: true}
	middle.prepare = func(ctx context.Context, w *work) error {
		if err := b.makeLog(ctx, w); err != nil {
			return err
		}
		first := b.logLines/2 + 1
		before, err := ask(ctx, read("--start-line", strconv.Itoa(first-logPage)))
		w.ours = read("--cursor", before.cursor)
		script := fmt.Sprintf("%d,%dp;%dq", first, first+logPage-1, first+logPage-1)
		w.peers = []command{{args: []string{"sed", "-n", script, log}, show: "sed -n 'a,bp;bq'", target: target}}
		return err
	}
	return []work{end, middle}
}

// makeLog writes the log, once, for the works that need it.
func (b *bench) makeLog(ctx context.Context, _ *work) error {
	return makeFile(b.temp, "big.log", func(f io.Writer) (err error) {
		w := bufio.NewWriterSize(f, 1<<20)
		filler := strings.Repeat(" detail", 16)
		for size, n := 0, 0; size < logBytes && err == nil && ctx.Err() == nil; size += n { // lines of 34 to 155 bytes
			n, err = fmt.Fprintf(w, "2026-01-02T03:04:05Z INFO request %d%s\n", b.logLines, filler[:b.logLines%len(filler)])
			b.logLines++
		}
		return errors.Join(err, ctx.Err(), w.Flush())
	})
}

// makeRequests writes the batch of writes: files of 8 KiB, or one file with another first line each
// time.
func makeRequests(name, mode string, same bool) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	rest := strings.Repeat(strings.Repeat("x", 63)+"\n", writeBytes/64-1)
	for i := 0; i < writeFiles && err == nil; i++ {
		path := "file"
		if !same {
			path += strconv.Itoa(i)
		}
		_, err = fmt.Fprintf(f, `{"id":%d,"tool":"write","input":{"path":%q,"content":%q,"mode":%q}}`+"\n", i, path,
			fmt.Sprintf("%063d\n%s", i, rest), mode)
	}
	return errors.Join(err, f.Close())
}

// makePatch writes a request with one patch: a line in the middle of each file of fillFolder.
func makePatch(name string) error {
	var patch strings.Builder
	for i := range patchFiles {
		fmt.Fprintf(&patch, "--- a/file%d\n+++ b/file%d\n@@ -64,3 +64,3 @@\n %063d\n-%063d\n+%063d\n %063d\n", i, i, 64, 65, 0, 66)
	}
	return os.WriteFile(name, fmt.Appendf(nil, `{"tool":"patch","input":{"patch":%q}}`+"\n", patch.String()), 0o666)
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
