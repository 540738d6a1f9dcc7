package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fsbox/sandbox/dir"
)

func TestAppend(t *testing.T) {
	forBoth(t, func(t *testing.T, o Options) {
		entries := linkless(t, []string{"f = old", "d/f = old", "d/e/", "l => d/f", "dangling => d/new"})
		root := makefs(t, entries)
		w := open(t, root, o)
		for _, tt := range []struct {
			target WriteOptions
			want   string // the content, or else the error
			err    error
			report string // existed, bytes, size, parents created
		}{
			{WriteOptions{Path: "f"}, "old+new", nil, "true 4 7 0"},
			{WriteOptions{Path: "l"}, "old+new", nil, "true 4 7 0"},
			{WriteOptions{Path: "dangling", Creation: MayCreate}, "+new", nil, "false 4 4 0"},
			{WriteOptions{Path: "a/b/c", Creation: MayCreate, Parents: true}, "+new", nil, "false 4 4 2"},
			{WriteOptions{Path: "a/x/c", Creation: MayCreate}, "", dir.ErrNotFound, ""},
			{WriteOptions{Path: "missing"}, "", dir.ErrNotFound, ""},
			{WriteOptions{Path: "d/e", Creation: MayCreate}, "", dir.ErrNotFile, ""},
			{WriteOptions{Path: "f", Creation: MustCreate}, "", dir.ErrExists, ""},
		} {
			if path := tt.target.Path; len(entries) == 3 && (path == "l" || path == "dangling") {
				continue // no links here
			}
			done, err := w.Append(context.Background(), tt.target, more("+new"))
			if tt.err != nil {
				fails(t, err, tt.target.Path, tt.err)
				continue
			}
			check(t, err)
			report := fmt.Sprint(done.Existed, done.Bytes, done.Size, done.ParentsCreated)
			got := read(t, filepath.Join(root, tt.target.Path))
			if got != tt.want || report != tt.report || done.ETag != dir.ContentETag([]byte(tt.want)) || done.Path != tt.target.Path {
				t.Errorf("%s holds %q, reported %+v", tt.target.Path, got, done)
			}
		}
		want := "a/, a/b/, a/b/c, d/, d/e/, d/f, d/new, dangling => d/new, f, l => d/f"
		if len(entries) == 3 {
			want = "a/, a/b/, a/b/c, d/, d/e/, d/f, f"
		}
		if got := names(t, root); got != want {
			t.Errorf("the tree holds %s, want %s", got, want)
		}
	})
}

// TestAppendInPlace: an append writes to the same file, so that a logger that has it open sees the
// addition.
func TestAppendInPlace(t *testing.T) {
	forBoth(t, func(t *testing.T, o Options) {
		root := makefs(t, []string{"log = 1\n"})
		logger, err := os.OpenFile(filepath.Join(root, "log"), os.O_APPEND|os.O_WRONLY, 0)
		check(t, err)
		defer logger.Close()
		check(t, second(open(t, root, o).Append(context.Background(), WriteOptions{Path: "log"}, more("2\n"))))
		_, err = logger.WriteString("3\n")
		check(t, err)
		if got := read(t, filepath.Join(root, "log")); got != "1\n2\n3\n" {
			t.Errorf("the log holds %q", got)
		}
	})
}

// TestAppendNothing: an append of nothing doesn't touch an existing file, and makes a missing one.
func TestAppendNothing(t *testing.T) {
	forBoth(t, func(t *testing.T, o Options) {
		root := makefs(t, []string{"f"})
		w := open(t, root, o)
		before := snapshot(t, filepath.Join(root, "f"))
		check(t, second(w.Append(context.Background(), WriteOptions{Path: "f"}, more(""))))
		if after := snapshot(t, filepath.Join(root, "f")); after != before {
			t.Errorf("the file changed: %s", after)
		}
		done, err := w.Append(context.Background(), WriteOptions{Path: "new", Creation: MayCreate}, more(""))
		check(t, err)
		if done.Existed || read(t, filepath.Join(root, "new")) != "" {
			t.Errorf("reported %+v", done)
		}
	})
}

// TestAppendEdges: prepare gets the beginning and the end of a file, at lengths around the size of
// an edge.
func TestAppendEdges(t *testing.T) {
	forBoth(t, func(t *testing.T, o Options) {
		for _, size := range []int{0, 1, dir.EdgeBytes - 1, dir.EdgeBytes, dir.EdgeBytes + 1, 2*dir.EdgeBytes + 7} {
			text := strings.Repeat("0123456789", size/10+1)[:size]
			root := makefs(t, []string{"f = " + text})
			_, err := open(t, root, o).Append(context.Background(), WriteOptions{Path: "f"}, func(e dir.Edges) ([]byte, error) {
				n := min(size, dir.EdgeBytes)
				if !e.Existed || string(e.Head) != text[:n] || string(e.Tail) != text[size-n:] || e.Size != int64(size) {
					t.Errorf("%d bytes: head of %d, tail of %d, size %d, existed %v", size, len(e.Head), len(e.Tail), e.Size, e.Existed)
				}
				return []byte("+"), nil
			})
			check(t, err)
			if got := read(t, filepath.Join(root, "f")); got != text+"+" {
				t.Errorf("%d bytes: the file has %d bytes now", size, len(got))
			}
		}
	})
}

// linkingHandle is a file that gets a second name while it is written.
type linkingHandle struct {
	dir.Handle
	link func() error
}

func (h linkingHandle) Write(b []byte) (int, error) {
	n, err := h.Handle.Write(b)
	return n, errors.Join(err, h.link())
}

// TestAppendLinked: if the file has another name afterwards, the append removes what it added.
func TestAppendLinked(t *testing.T) {
	forBoth(t, func(t *testing.T, o Options) {
		root := makefs(t, []string{"f = old"})
		w := open(t, root, o)
		p, err := w.Locate("f", Purpose{Write: true})
		check(t, err)
		defer p.Close()
		f, err := p.Open(os.O_RDWR | os.O_APPEND)
		check(t, err)
		defer f.Close()
		f.Handle = linkingHandle{f.Handle, func() error { return os.Link(filepath.Join(root, "f"), filepath.Join(outside(root), "new")) }}
		if err := (&inPlace{lockSet{w: w, ctx: context.Background()}, p, f}).add([]byte("+")); !errors.Is(err, errLinked) {
			t.Errorf("error %v", err)
		}
		if got := read(t, filepath.Join(outside(root), "new")); got != "old" {
			t.Errorf("the file outside holds %q", got)
		}
	})
}
