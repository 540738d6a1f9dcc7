package transaction_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/fixture"
	"fsbox/sandbox/plan"
	"fsbox/sandbox/policy"
	"fsbox/sandbox/transaction"
)

func TestAppend(t *testing.T) {
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		entries := fixture.Linkless(t, []string{"f = old", "d/f = old", "d/e/", "l => d/f", "dangling => d/new"})
		root := fixture.MakeTree(t, entries)
		w := fixture.OpenWorkspace(t, root, o)
		for _, tt := range []struct {
			target transaction.WriteOptions
			want   string // the content, or else the error
			err    error
			report string // existed, bytes, size, parents created
		}{
			{transaction.WriteOptions{Path: "f"}, "old+new", nil, "true 4 7 0"},
			{transaction.WriteOptions{Path: "l"}, "old+new", nil, "true 4 7 0"},
			{transaction.WriteOptions{Path: "dangling", Creation: transaction.MayCreate}, "+new", nil, "false 4 4 0"},
			{transaction.WriteOptions{Path: "a/b/c", Creation: transaction.MayCreate, Parents: true}, "+new", nil, "false 4 4 2"},
			{transaction.WriteOptions{Path: "a/x/c", Creation: transaction.MayCreate}, "", fserr.ErrNotFound, ""},
			{transaction.WriteOptions{Path: "missing"}, "", fserr.ErrNotFound, ""},
			{transaction.WriteOptions{Path: "d/e", Creation: transaction.MayCreate}, "", fserr.ErrNotFile, ""},
			{transaction.WriteOptions{Path: "f", Creation: transaction.MustCreate}, "", fserr.ErrExists, ""},
		} {
			if path := tt.target.Path; len(entries) == 3 && (path == "l" || path == "dangling") {
				continue // no links here
			}
			done, err := transaction.Append(context.Background(), w, tt.target, fixture.More("+new"))
			if tt.err != nil {
				fixture.Fails(t, err, tt.target.Path, tt.err)
				continue
			}
			disktest.Must(t, err)
			report := fmt.Sprint(done.Existed, done.Bytes, done.Size, done.ParentsCreated)
			got := fixture.Read(t, filepath.Join(root, tt.target.Path))
			if got != tt.want || report != tt.report || done.ETag != openfile.ContentETag([]byte(tt.want)) || done.Path != tt.target.Path {
				t.Errorf("%s holds %q, reported %+v", tt.target.Path, got, done)
			}
		}
		want := "a/, a/b/, a/b/c, d/, d/e/, d/f, d/new, dangling => d/new, f, l => d/f"
		if len(entries) == 3 {
			want = "a/, a/b/, a/b/c, d/, d/e/, d/f, f"
		}
		if got := disktest.Names(t, root); got != want {
			t.Errorf("the tree holds %s, want %s", got, want)
		}
	})
}

// TestAppendInPlace: an append writes to the same file, so that a logger that has it open sees the
// addition.
func TestAppendInPlace(t *testing.T) {
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, []string{"log = 1\n"})
		logger, err := os.OpenFile(filepath.Join(root, "log"), os.O_APPEND|os.O_WRONLY, 0)
		disktest.Must(t, err)
		defer logger.Close()
		disktest.Must(t, second(transaction.Append(context.Background(), fixture.OpenWorkspace(t, root, o), transaction.WriteOptions{Path: "log"}, fixture.More("2\n"))))
		_, err = logger.WriteString("3\n")
		disktest.Must(t, err)
		if got := fixture.Read(t, filepath.Join(root, "log")); got != "1\n2\n3\n" {
			t.Errorf("the log holds %q", got)
		}
	})
}

// TestAppendNothing: an append of nothing doesn't touch an existing file, and makes a missing one.
// TestLateAppend: a call that was killed while it added to a file, with a lock file, may have lost
// its network only, and its write arrives when others have added to the file. It isn't in their
// way: the file is another one by then, also for calls that didn't take the lock away.
func TestLateAppend(t *testing.T) {
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("waits for three seconds, and renames over an open file")
	}
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		for _, call := range []struct{ first, content string }{{"log", "1\n2\n2\n"}, {"other", "1\n2\n"}} {
			t.Run(call.first, func(t *testing.T) {
				t.Parallel()
				root := fixture.MakeTree(t, []string{"log = 1\n", "other = 1\n", policy.LockName + " = 0123456789abcdef 00000000\nlog"})
				late, err := os.OpenFile(filepath.Join(root, "log"), os.O_WRONLY, 0)
				disktest.Must(t, err)
				defer late.Close()
				w := fixture.OpenWorkspace(t, root, o)
				for _, path := range []string{call.first, "log"} {
					disktest.Must(t, second(transaction.Append(context.Background(), w, transaction.WriteOptions{Path: path}, fixture.More("2\n"))))
				}
				_, err = late.WriteAt([]byte("late\n"), 2)
				disktest.Must(t, err)
				if got := fixture.Read(t, filepath.Join(root, "log")); got != call.content {
					t.Errorf("the log holds %q, want %q", got, call.content)
				}
				if got := disktest.Names(t, root); got != "log, other" {
					t.Errorf("the tree holds %s", got)
				}
			})
		}
	})
}

func TestAppendNothing(t *testing.T) {
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, []string{"f"})
		w := fixture.OpenWorkspace(t, root, o)
		before := fixture.Snapshot(t, filepath.Join(root, "f"))
		disktest.Must(t, second(transaction.Append(context.Background(), w, transaction.WriteOptions{Path: "f"}, fixture.More(""))))
		if after := fixture.Snapshot(t, filepath.Join(root, "f")); after != before {
			t.Errorf("the file changed: %s", after)
		}
		done, err := transaction.Append(context.Background(), w, transaction.WriteOptions{Path: "new", Creation: transaction.MayCreate}, fixture.More(""))
		disktest.Must(t, err)
		if done.Existed || fixture.Read(t, filepath.Join(root, "new")) != "" {
			t.Errorf("reported %+v", done)
		}
	})
}

// TestAppendEdges: prepare gets the beginning and the end of a file, at lengths around the size of
// an edge.
func TestAppendEdges(t *testing.T) {
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		for _, size := range []int{0, 1, openfile.EdgeBytes - 1, openfile.EdgeBytes, openfile.EdgeBytes + 1, 2*openfile.EdgeBytes + 7} {
			text := strings.Repeat("0123456789", size/10+1)[:size]
			root := fixture.MakeTree(t, []string{"f = " + text})
			_, err := transaction.Append(context.Background(), fixture.OpenWorkspace(t, root, o), transaction.WriteOptions{Path: "f"}, func(e openfile.Edges) ([]byte, error) {
				n := min(size, openfile.EdgeBytes)
				if string(e.Head) != text[:n] || string(e.Tail) != text[size-n:] || e.Size != int64(size) {
					t.Errorf("%d bytes: head of %d, tail of %d, size %d", size, len(e.Head), len(e.Tail), e.Size)
				}
				return []byte("+"), nil
			})
			disktest.Must(t, err)
			if got := fixture.Read(t, filepath.Join(root, "f")); got != text+"+" {
				t.Errorf("%d bytes: the file has %d bytes now", size, len(got))
			}
		}
	})
}

// linkingHandle is a file that gets a second name while it is written.
type linkingHandle struct {
	openfile.Handle
	link func() error
}

func (h linkingHandle) Write(b []byte) (int, error) {
	n, err := h.Handle.Write(b)
	return n, errors.Join(err, h.link())
}

// TestAppendLinked: if the file has another name afterwards, the append removes what it added.
func TestAppendLinked(t *testing.T) {
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, []string{"f = old"})
		w := fixture.OpenWorkspace(t, root, o)
		p, err := w.Locate("f", sandbox.Purpose{Write: true})
		disktest.Must(t, err)
		defer p.Close()
		f, err := p.Open(os.O_RDWR | os.O_APPEND)
		disktest.Must(t, err)
		defer f.Close()
		f.Handle = linkingHandle{f.Handle, func() error { return os.Link(filepath.Join(root, "f"), filepath.Join(fixture.Outside(root), "new")) }}
		if err := (&transaction.InPlace{LockSet: plan.LockSet{Workspace: w, Ctx: context.Background()}, Target: p, File: f}).Add([]byte("+")); !errors.Is(err, transaction.ErrLinked) {
			t.Errorf("error %v", err)
		}
		if got := fixture.Read(t, filepath.Join(fixture.Outside(root), "new")); got != "old" {
			t.Errorf("the file outside holds %q", got)
		}
	})
}

// replacedHandle is a file that another machine replaces before it is written, or before it is
// synced.
type replacedHandle struct {
	openfile.Handle
	writes bool
}

func (h replacedHandle) Write(b []byte) (int, error) {
	if !h.writes {
		return 0, fserr.ErrReplaced
	}
	return len(b), nil
}

func (h replacedHandle) Sync() error { return fserr.ErrReplaced }

func (h replacedHandle) Stat() (stat.Info, error) { return stat.Info{}, fserr.ErrReplaced }

// TestAppendReplaced: an append to a file that another machine replaces starts again if nothing was
// written, and else says what was.
func TestAppendReplaced(t *testing.T) {
	w := fixture.OpenWorkspace(t, fixture.MakeTree(t, []string{"f = old"}), sandbox.Options{})
	p, err := w.Locate("f", sandbox.Purpose{Write: true})
	disktest.Must(t, err)
	defer p.Close()
	for _, writes := range []bool{false, true} {
		f, err := p.Open(os.O_RDWR | os.O_APPEND)
		disktest.Must(t, err)
		defer f.Close()
		f.Handle = replacedHandle{f.Handle, writes}
		err = (&transaction.InPlace{LockSet: plan.LockSet{Workspace: w, Ctx: context.Background()}, Target: p, File: f}).Add([]byte("+"))
		left, isLeft := errors.AsType[*fserr.RollbackError](err)
		if isLeft != writes || isLeft && left.Bytes != 1 || errors.Is(err, fserr.ErrCollision) == writes || !errors.Is(err, fserr.ErrBusy) {
			t.Errorf("written %v: %v", writes, err)
		}
	}
}
