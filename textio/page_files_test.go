package textio

import (
	"context"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
)

// fakeFile is a file of any size that is the same line over and over. It counts
// the bytes that were asked for.
type fakeFile struct {
	line string
	size int64
	read int64
}

func (f *fakeFile) ReadAt(b []byte, at int64) (int, error) {
	if at >= f.size {
		return 0, io.EOF
	}
	b = b[:min(int64(len(b)), f.size-at)]
	n := copy(b, f.line[at%int64(len(f.line)):])
	for n < len(b) {
		n += copy(b[n:], f.line)
	}
	f.read += int64(len(b))
	return len(b), nil
}

func TestReadPageOfHugeFileFromTheEnd(t *testing.T) {
	file := &fakeFile{line: "0123456789abcde\n", size: 10 << 30}
	req := request()
	req.StartLine = -100
	page, err := ReadPage(context.Background(), file, file.size, req)
	if err != nil || string(page.Content) != strings.Repeat(file.line, 100) || page.StartLine != -100 || page.EndLine != -1 ||
		page.Truncated || page.TotalLines != nil {
		t.Fatalf("%v %s", err, describePage(*page))
	}
	if file.read > 2*blockSize {
		t.Errorf("%d bytes read", file.read)
	}
	file.read = 0
	req.StartLine, req.From = 1, &Position{5 << 30, 5<<26 + 1}
	page, err = ReadPage(context.Background(), file, file.size, req)
	if err != nil || page.StartLine != 5<<26+1 || page.EndLine != 5<<26+2000 || *page.Next != (Position{5<<30 + 32000, 5<<26 + 2001}) {
		t.Fatalf("%v %s", err, describePage(*page))
	}
	if file.read > 2*blockSize {
		t.Errorf("%d bytes read", file.read)
	}
}

func TestReadPageGivesUpOnEndlessLine(t *testing.T) {
	if !*sweep {
		t.Skip("reads a GiB: runs with -sweep")
	}
	file := &fakeFile{line: strings.Repeat("x", 1<<16), size: 3 << 30}
	page, err := ReadPage(context.Background(), file, file.size, request())
	if err != nil || string(page.Content) != strings.Repeat("x", 2000) || !page.Truncated || page.TruncatedBy != "max_bytes" ||
		page.Next != nil || !reflect.DeepEqual(page.Clipped, []Clip{{1, -1, ""}}) || page.EndLine != 1 || page.FinalNewline != nil {
		t.Fatalf("%v %s", err, describePage(*page))
	}
	if file.read > farthestEnd+2*blockSize {
		t.Errorf("%d bytes read", file.read)
	}
}

// A later line that can't fit ends the page without a search for its end.
func TestReadPageLeavesLongLineAlone(t *testing.T) {
	const size = 16 << 20
	file := &fakeFile{line: "short\n" + strings.Repeat("x", size), size: size}
	req := request()
	req.MaxLineChars = 0
	page, err := ReadPage(context.Background(), file, file.size, req)
	if err != nil || string(page.Content) != "short\n" || *page.Next != (Position{6, 2}) || page.TruncatedBy != "max_bytes" {
		t.Fatalf("%v %s", err, describePage(*page))
	}
	if file.read > 4<<20 {
		t.Errorf("%d bytes read", file.read)
	}
}

// shrunkFile ends earlier than its size said, from the given read on.
type shrunkFile struct {
	data  string
	after int
	reads int
}

func (f *shrunkFile) ReadAt(b []byte, at int64) (int, error) {
	data := f.data
	if f.reads++; f.reads > f.after {
		data = data[:len(data)/2]
	}
	return strings.NewReader(data).ReadAt(b, at)
}

func TestReadPageOfShrinkingFile(t *testing.T) {
	lines, long := strings.Repeat("a line\n", 100_000), strings.Repeat("a line ", 100_000)
	for after := range 16 {
		data := lines
		if after%2 == 1 {
			data = long
		}
		for _, start := range []int64{1, 2, 50_001, 90_000, -1, -100, -60_000} {
			for _, countLimit := range []int64{0, 1 << 20} {
				req := request()
				req.StartLine, req.CountLimit = start, countLimit
				page, err := ReadPage(context.Background(), &shrunkFile{data: data, after: after}, int64(len(data)), req)
				var past *LineRangeError
				if err != nil && !errors.As(err, &past) {
					t.Fatalf("after %d reads, from %d: %v", after, start, err)
				}
				if err == nil && !strings.HasPrefix(data, string(page.Content)) {
					t.Fatalf("after %d reads, from %d: %q", after, start, page.Content)
				}
			}
		}
	}
}

// brokenFile breaks the rules of io.ReaderAt.
type brokenFile struct {
	n   int
	err error
}

func (f brokenFile) ReadAt([]byte, int64) (int, error) { return f.n, f.err }

func TestReadPageOfBrokenFile(t *testing.T) {
	broken := errors.New("broken")
	for _, test := range []struct {
		file brokenFile
		want error
	}{{brokenFile{0, broken}, broken}, {brokenFile{5, broken}, broken}, {brokenFile{-1, broken}, broken},
		{brokenFile{0, nil}, nil}, {brokenFile{-5, nil}, nil}, {brokenFile{1 << 30, nil}, nil}} {
		for _, start := range []int64{1, -1, -1 << 63} {
			_, err := ReadPage(context.Background(), test.file, 1<<20, PageRequest{StartLine: start, MaxLines: 1, MaxBytes: 9, MaxLineChars: 2})
			if !errors.Is(err, test.want) {
				t.Errorf("%+v from %d: %v", test.file, start, err)
			}
		}
	}
}

func TestReadPageCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, start := range []int64{1, 1000, -1} {
		req := request()
		req.StartLine = start
		if _, err := ReadPage(ctx, strings.NewReader(fileF), 10, req); !errors.Is(err, context.Canceled) {
			t.Errorf("from %d: %v", start, err)
		}
	}
}

// A position counted from the end keeps its distance from it when the file grows.
func TestReadPageFromTheEndOfAFileThatGrew(t *testing.T) {
	for _, name := range []string{"utf-8", "utf-16le"} {
		e := encoded(t, name)
		encode := func(text string) string {
			if name == "utf-8" {
				return text
			}
			var wide strings.Builder
			for _, c := range []byte(text) {
				wide.Write([]byte{c, 0})
			}
			return wide.String()
		}
		for _, old := range []string{"a\nb\nc\n", "a\nb\nc", "a\nb\n\n"} {
			for _, added := range []string{"", "x", "\n", "x\n", "\n\n", "x\ny\nz", "\n" + strings.Repeat("l\n", blockSize)} {
				before, now := encode(old), encode(old+added)
				req := request()
				req.StartLine, req.MaxLines, req.Encoding, req.CountLimit = -2, 1, e, 0
				first, err := ReadPage(context.Background(), strings.NewReader(before), int64(len(before)), req)
				if err != nil || first.Next == nil {
					t.Fatalf("%s %q: %v", name, old, err)
				}
				req.From, req.FromSize = first.Next, int64(len(before))
				page, err := ReadPage(context.Background(), strings.NewReader(now), int64(len(now)), req)
				rest := now[first.Next.Offset:]
				lines := int64(strings.Count(rest, encode("\n")))
				if !strings.HasSuffix(rest, encode("\n")) {
					lines++
				}
				if err != nil || page.StartLine != -lines {
					t.Errorf("%s %q and then %.9q: line %d, want %d, %v", name, old, added, page.StartLine, -lines, err)
				}
			}
		}
	}
}
