package search

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strings"
	"testing"

	"fsbox/search/match"
	"fsbox/search/walk"
)

// endless is a file that goes on for ever after its head. The second time it is read, it does
// something first.
type endless struct {
	head  string
	reads *int
	then  func()
}

func (f endless) ReadAt(p []byte, off int64) (int, error) {
	if *f.reads++; *f.reads == 2 {
		f.then()
	}
	for i := range p {
		p[i] = 'x'
		if at := off + int64(i); at < int64(len(f.head)) {
			p[i] = f.head[at]
		}
	}
	return len(p), nil
}

func (f endless) Read([]byte) (int, error) { panic("a search reads where it wants") }
func (f endless) Size() int64              { return 1 << 62 }
func (f endless) Close() error             { return nil }

// outOfTime gives a context that ends in the middle of an endless file with 400 matching lines:
// between two reads, or inside one that doesn't come back while the test runs. It doesn't before
// first is closed.
func outOfTime(t *testing.T, stuck bool, first <-chan struct{}) (context.Context, endless) {
	ctx, cancel := context.WithCancel(context.Background())
	never := make(chan struct{})
	t.Cleanup(func() { close(never) })
	return ctx, endless{head: strings.Repeat("a hit\n", 400), reads: new(int), then: func() {
		<-first
		cancel()
		if stuck {
			<-never
		}
	}}
}

// flat is a folder of files.
type flat map[string]walk.File

func (f flat) List(context.Context, string) (names []walk.Dirent, bound string, err error) {
	for name := range f {
		names = append(names, walk.Dirent{Name: name})
	}
	return names, "", nil
}
func (flat) Folder(string) (walk.Folder, error)    { return nil, fs.ErrNotExist }
func (f flat) File(name string) (walk.File, error) { return f[name], nil }
func (flat) Lstat(string) (walk.Info, error)       { return walk.Info{}, nil }
func (flat) Close() error                          { return nil }

// hit is a file in memory.
type hit struct{ *strings.Reader }

func (hit) Close() error { return nil }

func aHit() hit { return hit{strings.NewReader("hit\n")} }

func forHits(t *testing.T) *match.Matcher {
	t.Helper()
	m, err := match.Compile(match.Query{Text: "hit"})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// What was found until time ran out is handed over.
func TestOutOfTime(t *testing.T) {
	for _, stuck := range []bool{false, true} {
		taken := make(chan struct{})
		ctx, file := outOfTime(t, stuck, taken)
		var got []string
		o := GrepOptions{Walk: walk.Options{Path: ".", Recursive: true}, Workers: 2}
		o.Take = func(f GrepFile) bool {
			if f.Path == "a" {
				close(taken)
			}
			got = append(got, fmt.Sprintf("%s:%d %v", f.Path, len(f.Lines), f.Partial))
			return true
		}
		if _, err := Grep(ctx, flat{"a": aHit(), "b": file, "c": aHit()}, forHits(t), o); !errors.Is(err, context.Canceled) {
			t.Errorf("stuck %v: error %v", stuck, err)
		}
		if want := "[a:1 false b:400 true]"; fmt.Sprint(got) != want {
			t.Errorf("stuck %v: got %v, want %s", stuck, got, want)
		}
	}
}

// broken is a file that the search fails in, by a mistake of the program.
type broken struct{ hit }

func (broken) ReadAt([]byte, int64) (int, error) { panic("broken") }

// One file that can't be searched for an internal reason doesn't keep the others from being
// searched, and is named.
func TestBrokenFile(t *testing.T) {
	var got []string
	o := GrepOptions{Walk: walk.Options{Path: ".", Recursive: true}, Workers: 2}
	o.Take = func(f GrepFile) bool {
		got = append(got, fmt.Sprintf("%s:%d %v", f.Path, len(f.Lines), f.Err))
		return true
	}
	_, err := Grep(context.Background(), flat{"a": aHit(), "b": broken{aHit()}, "c": aHit()}, forHits(t), o)
	if want := "[a:1 <nil> b:0 panic: broken c:1 <nil>]"; err != nil || fmt.Sprint(got) != want {
		t.Errorf("got %v and %v, want %s", got, err, want)
	}
	defer func() {
		if p, ok := recover().(*walk.Panic); !ok || p.Reason != "broken" {
			t.Errorf("one file alone: %v", p)
		}
	}()
	_, _ = SearchFile(context.Background(), forHits(t), broken{aHit()}, GrepOptions{}, MatchPosition{})
}

func TestOutOfTimeInOneFile(t *testing.T) {
	for _, stuck := range []bool{false, true} {
		now := make(chan struct{})
		close(now)
		ctx, file := outOfTime(t, stuck, now)
		found, err := SearchFile(ctx, forHits(t), file, GrepOptions{}, MatchPosition{Line: 100})
		if !errors.Is(err, context.Canceled) || len(found.Lines) != 300 || found.Lines[0].Line != 101 {
			t.Errorf("stuck %v: %d lines, error %v", stuck, len(found.Lines), err)
		}
	}
}

// While nothing is found, files are known to lack what another query finds; once something is, they
// are not searched for that any more.
func TestElse(t *testing.T) {
	other, err := match.Compile(match.Query{Text: "hit", IgnoreCase: true})
	if err != nil {
		t.Fatal(err)
	}
	files := flat{}
	for i := range 3 * manyInVain {
		files[fmt.Sprintf("%04d", i)] = hit{strings.NewReader("none\n")}
	}
	files["0290"] = hit{strings.NewReader("a HIT\n")}
	for _, found := range []bool{false, true} {
		if found {
			files["0001"] = aHit()
		}
		lacking := map[string]bool{}
		o := GrepOptions{Walk: walk.Options{Path: ".", Recursive: true}, Workers: 2, Else: func() *match.Matcher { return other }}
		o.Take = func(f GrepFile) bool {
			if f.Result.Lacks {
				lacking[f.Path] = true
			}
			return true
		}
		if _, err := Grep(context.Background(), files, forHits(t), o); err != nil {
			t.Fatal(err)
		}
		if most := len(files) - manyInVain - 1; found && len(lacking) != 0 || !found && (len(lacking) != most || lacking["0290"]) {
			t.Errorf("found %v: %d files lack it, want %d", found, len(lacking), most)
		}
	}
}

// TestGrepLargeFiles: files that are loaded whole one at a time are all searched, also where the
// lines of later ones have to wait for those of earlier ones.
func TestGrepLargeFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	m, err := match.Compile(match.Query{Text: `hit\n+.`, Regex: true, Multiline: true})
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Repeat("hit\n", grepHeld) + strings.Repeat("\n", largeFile)
	files := flat{}
	for i := range 12 {
		files[fmt.Sprint("f", i)] = hit{strings.NewReader(text)}
	}
	lines := 0
	o := GrepOptions{Walk: walk.Options{Path: ".", Recursive: true}, Workers: 4, Whole: true}
	o.Take = func(f GrepFile) bool {
		lines += len(f.Lines)
		return f.Err == nil
	}
	if _, err := Grep(t.Context(), files, m, o); err != nil || lines != 12*grepHeld/2 {
		t.Errorf("%d lines, %v", lines, err)
	}
}

// gone is a file whose content is gone, since it was replaced after it was opened.
type gone struct{ hit }

var errGone = errors.New("replaced")

func (gone) ReadAt([]byte, int64) (int, error) { return 0, errGone }

// TestGrepAgain: a file that is replaced before anything was found in it is searched once more, as
// it is then, but not forever.
func TestGrepAgain(t *testing.T) {
	for _, tt := range []struct {
		name  string
		times int // that the file is replaced again
		again bool
		found int
		err   error
	}{
		{"replaced once", 0, true, 1, nil},
		{"replaced three times", 2, true, 1, nil},
		{"replaced all the time", math.MaxInt, true, 0, errGone},
		{"another error", 0, false, 0, errGone},
	} {
		t.Run(tt.name, func(t *testing.T) {
			left, opened := tt.times, 0
			o := GrepOptions{Walk: walk.Options{Path: ".", Recursive: true}, Workers: 1,
				Again: func(err error) bool { return tt.again && errors.Is(err, errGone) },
				Reopen: func(path string) (walk.File, error) {
					if opened++; path != "a" {
						t.Errorf("it opens %q", path)
					}
					if left--; left >= 0 {
						return gone{aHit()}, nil
					}
					return aHit(), nil
				}}
			var got []GrepFile
			o.Take = func(f GrepFile) bool { got = append(got, f); return true }
			if _, err := Grep(t.Context(), flat{"a": gone{aHit()}}, forHits(t), o); err != nil {
				t.Fatal(err)
			}
			if len(got) != 1 || len(got[0].Lines) != tt.found || !errors.Is(got[0].Err, tt.err) || opened > maxSearches {
				t.Errorf("%+v, opened %d times", got, opened)
			}
		})
	}
}
