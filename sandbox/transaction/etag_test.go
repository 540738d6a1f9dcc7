package transaction_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/fixture"
	"fsbox/sandbox/transaction"
)

func TestETag(t *testing.T) {
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, []string{"a = same", "b = same", "c = else", "empty = "})
		w := fixture.OpenWorkspace(t, root, o)
		tag := func(path string) string {
			t.Helper()
			etag, err := etagOf(w, path)
			disktest.Must(t, err)
			return etag
		}
		if tag("a") != tag("b") || tag("a") == tag("c") || tag("empty") != openfile.ContentETag(nil) {
			t.Error("an etag is not one of the content")
		}
		// The first 128 bits of the SHA-256 of "same", by sha256sum.
		if got, want := tag("a"), "c0967115f2813a3541eaef77de9d9d577"; got != want {
			t.Errorf("etag %s, want %s", got, want)
		}
		before := tag("a")
		disktest.Must(t, os.Chtimes(filepath.Join(root, "a"), time.Time{}, time.Unix(1, 0)))
		if tag("a") != before {
			t.Error("the time changed the etag of a content")
		}
	})
}

// TestETagOfState: the etag of a file beyond the limit is made from identity, size and times.
func TestETagOfState(t *testing.T) {
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, []string{"a = sixteen bytes it", "b = sixteen bytes it"})
		o.Whole = 15
		w := fixture.OpenWorkspace(t, root, o)
		path := filepath.Join(root, "a")
		first, err := etagOf(w, "a")
		disktest.Must(t, err)
		again, err := etagOf(w, "a")
		disktest.Must(t, err)
		other, err := etagOf(w, "b")
		disktest.Must(t, err)
		if !strings.HasPrefix(first, openfile.StateTag) || again != first || other == first {
			t.Errorf("etags %s and %s of one file, %s of another", first, again, other)
		}
		disktest.Must(t, os.Chtimes(path, time.Time{}, time.Unix(1, 0)))
		touched, err := etagOf(w, "a")
		disktest.Must(t, err)
		disktest.Must(t, os.WriteFile(path, []byte("sixteen bytes IT"), 0o666))
		changed, err := etagOf(w, "a")
		disktest.Must(t, err)
		if touched == first || changed == touched {
			t.Errorf("etag %s, touched %s, changed %s", first, touched, changed)
		}
	})
}

// TestETagAcrossLimits: an etag from a call with another limit still fits.
func TestETagAcrossLimits(t *testing.T) {
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, []string{"f = sixteen bytes it"})
		small, large := o, o
		small.Whole, large.Whole = 15, 16
		for _, tt := range []struct {
			name        string
			gives, asks sandbox.Options
		}{{"content, then state", large, small}, {"state, then content", small, large}} {
			w := fixture.OpenWorkspace(t, root, tt.asks)
			etag, err := etagOf(fixture.OpenWorkspace(t, root, tt.gives), "f")
			disktest.Must(t, err)
			target := transaction.WriteOptions{Path: "f", IfMatch: etag}
			if err := second(transaction.Append(context.Background(), w, target, fixture.More(""))); err != nil {
				t.Errorf("%s: %v", tt.name, err)
			}
			disktest.Must(t, os.WriteFile(filepath.Join(root, "f"), []byte("SIXTEEN bytes it"), 0o666))
			fixture.Fails(t, second(transaction.Append(context.Background(), w, target, fixture.More("x"))), "f", fserr.ErrStale)
			disktest.Must(t, os.WriteFile(filepath.Join(root, "f"), []byte("sixteen bytes it"), 0o666))
		}
		// A write that makes the file larger than the limit gives an etag that fits afterwards.
		w := fixture.OpenWorkspace(t, root, small)
		disktest.Must(t, os.WriteFile(filepath.Join(root, "f"), nil, 0o666))
		done, err := transaction.Rewrite(context.Background(), w, transaction.WriteOptions{Path: "f"}, fixture.Content("sixteen bytes it"))
		disktest.Must(t, err)
		appended, err := transaction.Append(context.Background(), w, transaction.WriteOptions{Path: "f", IfMatch: done.ETag}, fixture.More("+"))
		disktest.Must(t, err)
		disktest.Must(t, second(transaction.Append(context.Background(), w, transaction.WriteOptions{Path: "f", IfMatch: appended.ETag}, fixture.More("+"))))
	})
}

// TestGrown: a file grows past the limit after it was opened.
func TestGrown(t *testing.T) {
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		o.Whole = 10
		root := fixture.MakeTree(t, []string{"f = short"})
		w := fixture.OpenWorkspace(t, root, o)
		for _, read := range []func(f *openfile.File) error{
			func(f *openfile.File) error { return second(f.ReadUpTo(context.Background(), o.Whole)) },
			func(f *openfile.File) error { return second(w.ETag(context.Background(), f, nil)) },
		} {
			disktest.Must(t, os.WriteFile(filepath.Join(root, "f"), []byte("short"), 0o666))
			f, err := w.OpenFile("f")
			disktest.Must(t, err)
			defer f.Close()
			disktest.Must(t, os.WriteFile(filepath.Join(root, "f"), []byte("longer than ten bytes"), 0o666))
			disktest.Must(t, read(f))
			if f.Size() != 21 {
				t.Errorf("size %d", f.Size())
			}
		}
	})
}
