package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// scale has works on many small files, on one large folder and on large files.
func (b *bench) scale() []work {
	all := []work{b.longFile(), b.smallFiles("100,000", 100), b.flatFolder(), b.copyLarge(), b.undoLarge()}
	if b.million {
		million := b.smallFiles("1,000,000", 1000)
		million.few = true
		million.peers[0] = million.peers[0].within(0, 1)
		all = append(all, million)
	}
	return all
}

// longFile has 3,000,000 lines, 30 of which match.
func (b *bench) longFile() work {
	dir := b.temp + "/long"
	return work{
		name:  "a literal in 3,000,000 lines, 134 MB",
		turns: 3,
		ours:  command{args: []string{b.fsbox, "--root", dir, "grep", "needle"}},
		peers: []command{command{args: []string{b.rg, "--no-config", "-n", "needle", dir}, show: "rg -n"}.within(0, 1)},
		prepare: func(context.Context, *work) error {
			return makeFile(dir, "lines.log", func(f io.Writer) (err error) {
				w := bufio.NewWriterSize(f, 1<<20)
				for i := 0; i < 3_000_000 && err == nil; i++ {
					word := "abcdef"
					if i%100_000 == 5 {
						word = "needle"
					}
					_, err = fmt.Fprintf(w, "%07d some text of a line, and %s.\n", i, word)
				}
				return errors.Join(err, w.Flush())
			})
		},
	}
}

// smallFiles searches so many folders of 1,000 files of 1 KiB each. In ten of all files the literal
// is found.
func (b *bench) smallFiles(name string, folders int) work {
	dir := b.temp + "/small"
	rest := strings.Repeat("int sum(void) { return add(1); }\n", 31)
	return work{
		name:  name + " files of 1 KiB, a literal with few hits",
		ours:  command{args: []string{b.fsbox, "--root", dir, "--timeout", "10m", "grep", "needle"}},
		peers: []command{command{args: []string{b.rg, "--no-config", "-n", "needle", dir}, show: "rg -n"}.within(0, 0.95)},
		prepare: func(ctx context.Context, _ *work) error {
			for i := range folders {
				for j := range 1000 {
					last := "nothing"
					if j == 7 && i%(folders/10) == 0 {
						last = "needle"
					}
					err := makeFile(filepath.Join(dir, fmt.Sprintf("d%03d", i)), fmt.Sprintf("f%03d.c", j), func(w io.Writer) error {
						_, err := io.WriteString(w, rest+last+"\n")
						return err
					})
					if err != nil {
						return err
					}
				}
				if ctx.Err() != nil {
					return ctx.Err()
				}
			}
			return nil
		},
	}
}

// flatFolder lists what ends with .go among 300,000 names of one folder.
func (b *bench) flatFolder() work {
	dir := b.temp + "/flat"
	w := work{
		name: "glob in a directory of 300,000 files",
		ours: command{args: []string{b.fsbox, "--root", dir, "--timeout", "10m", "glob", "*.go"}},
		prepare: func(context.Context, *work) error {
			for i := range 300_000 {
				name := fmt.Sprintf("file%06d.txt", i)
				if i%3000 == 0 {
					name = fmt.Sprintf("file%06d.go", i)
				}
				if err := makeFile(dir, name, func(io.Writer) error { return nil }); err != nil {
					return err
				}
			}
			return nil
		},
	}
	if b.fd != "" {
		w.peers = []command{command{args: []string{b.fd, "--extension", "go", ".", dir}, show: "fd --extension go"}.within(0, 1)}
	}
	return w
}

// copyLarge copies the log of 2 GiB.
func (b *bench) copyLarge() work {
	log, dir := b.temp+"/big.log", b.temp+"/copying"
	to := dir + "/copied.log"
	gone := func() error { return errors.Join(os.RemoveAll(to), os.RemoveAll(b.temp+"/state")) }
	return work{
		name: "copy of 2 GiB",
		few:  true,
		ours: command{args: []string{b.fsbox, "--root", dir, "--state-dir", b.temp + "/state", "--allow-write", "--timeout", "10m",
			"--max-read-bytes", "4GiB", "copy", "big.log", "copied.log"}, before: gone},
		peers: []command{command{args: []string{"sh", "-c", `cp "$0" "$1" && sync "$1"`, log, to}, show: "cp; sync", before: gone}.within(0, 1.2)},
		prepare: func(ctx context.Context, w *work) error {
			return errors.Join(b.makeLog(ctx, w), os.MkdirAll(dir, 0o777), os.Link(log, dir+"/big.log"))
		},
	}
}

// undoLarge brings a deleted file of 200 MB back: what counts is its memory.
func (b *bench) undoLarge() work {
	dir, state := b.temp+"/undone", b.temp+"/undone-state"
	flags := []string{b.fsbox, "--root", dir, "--state-dir", state, "--allow-write", "--allow-delete", "--timeout", "10m"}
	deleted := func() error {
		size := 0
		_ = os.RemoveAll(dir)
		err := makeFile(dir, "large.bin", func(w io.Writer) (err error) {
			for part := strings.Repeat("0123456789abcdef", 1000); err == nil && size < 200_000_000; size += len(part) {
				_, err = io.WriteString(w, part)
			}
			return err
		})
		if err != nil {
			return err
		}
		_, err = command{args: append(flags[:len(flags):len(flags)], "delete", "large.bin")}.run(context.Background(), io.Discard)
		return err
	}
	return work{
		name:  "undo of a deleted file of 200 MB",
		few:   true,
		ours:  command{args: append(flags[:len(flags):len(flags)], "undo"), before: deleted},
		peers: []command{{args: []string{"cp", dir + "/large.bin", dir + "/copy.bin"}, show: "cp"}},
	}
}

// makeFile writes a file, and its folder, unless the file is there already.
func makeFile(dir, name string, write func(io.Writer) error) (err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, os.ErrExist) {
		return nil
	} else if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

// readAgain drops what the system holds of a file in memory and reads it from the disk, in the
// pieces in which a program does that reads it once.
func readAgain(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	err = errors.Join(unix.Fsync(int(f.Fd())), unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED))
	_, failed := io.Copy(io.Discard, f)
	return errors.Join(err, failed)
}
