package textio

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"fsbox/textio/charset"
)

// The files that all readers of line windows are tried on.
const (
	fileF = "1\n2\n3\n4\n5\n"
	fileG = "1\n2\n3"
	fileC = "a\r\nb\r\nc\r\n"
	fileE = ""
)

var pageFiles = []string{fileF, fileG, fileC, fileE, "\n", "\n\n", "a", "a\rb\r", "a\r", "\r\n", "a\n\r\nb", "caf\xe9\nok\n",
	"a\fb\n\vc\n", strings.Repeat("x", 1023) + "あ\n", "日本語のテキスト\nです\n"}

func request() PageRequest {
	return PageRequest{StartLine: 1, MaxLines: 2000, MaxBytes: 51200, MaxLineChars: 2000, CountLimit: 10 << 20}
}

func readPage(t *testing.T, file string, change func(*PageRequest)) (*Page, error) {
	t.Helper()
	req := request()
	change(&req)
	return ReadPage(context.Background(), strings.NewReader(file), int64(len(file)), req)
}

func TestReadPageVectors(t *testing.T) {
	for _, test := range []struct {
		file               string
		start              int64
		lines              int
		content            string
		first, last, total int64
		next               *Position
		final              any // nil where there is no text
		eol                string
	}{
		{fileF, 1, 2, "1\n2\n", 1, 2, 5, &Position{4, 3}, true, "lf"},
		{fileF, -1, 2000, "5\n", 5, 5, 5, nil, true, "lf"},
		{fileF, -2, 2000, "4\n5\n", 4, 5, 5, nil, true, "lf"},
		{fileF, -99, 2000, fileF, 1, 5, 5, nil, true, "lf"},
		{fileF, -5, 2000, fileF, 1, 5, 5, nil, true, "lf"},
		{fileF, -4, 2, "2\n3\n", 2, 3, 5, &Position{6, 4}, true, "lf"},
		{fileF, 5, 2000, "5\n", 5, 5, 5, nil, true, "lf"},
		{fileF, 1, 5, fileF, 1, 5, 5, nil, true, "lf"},
		{fileG, -2, 2000, "2\n3", 2, 3, 3, nil, false, "lf"},
		{fileG, 3, 1, "3", 3, 3, 3, nil, false, "lf"},
		{fileC, 1, 2, "a\nb\n", 1, 2, 3, &Position{6, 3}, true, "crlf"},
		{fileC, -2, 2000, "b\nc\n", 2, 3, 3, nil, true, "crlf"},
		{fileE, 1, 2000, "", 1, 0, 0, nil, nil, "none"},
		{fileE, -1, 2000, "", 1, 0, 0, nil, nil, "none"},
		{"a\rb\r", 1, 2000, "a\rb\r", 1, 1, 1, nil, false, "cr"},
		{"a\r\nb\n", 2, 2000, "b\n", 2, 2, 2, nil, true, "mixed"},
		{"a\fb\n\vc\n", 1, 1, "a\fb\n", 1, 1, 2, &Position{4, 2}, true, "lf"},
		{"\n\n", 2, 1, "\n", 2, 2, 2, nil, true, "lf"},
		{strings.Repeat("x", 1023) + "あ\nb\n", 1, 1, strings.Repeat("x", 1023) + "あ\n", 1, 1, 2, &Position{1027, 2}, true, "lf"},
	} {
		page, err := readPage(t, test.file, func(r *PageRequest) { r.StartLine, r.MaxLines = test.start, test.lines })
		if err != nil {
			t.Errorf("%.40q from %d: %v", test.file, test.start, err)
			continue
		}
		var final any
		if page.FinalNewline != nil {
			final = *page.FinalNewline
		}
		if string(page.Content) != test.content || page.StartLine != test.first || page.EndLine != test.last ||
			*page.TotalLines != test.total || !reflect.DeepEqual(page.Next, test.next) || final != test.final || page.EOL != test.eol {
			t.Errorf("%.40q from %d, %d lines: %.40q %s", test.file, test.start, test.lines, page.Content, describePage(*page))
		}
		if page.Truncated != (test.next != nil) || page.Truncated && page.TruncatedBy != "max_lines" {
			t.Errorf("%.40q from %d: truncated %v by %q", test.file, test.start, page.Truncated, page.TruncatedBy)
		}
	}
}

func TestReadPageOutOfRange(t *testing.T) {
	for _, countLimit := range []int64{0, 1 << 20} {
		for _, test := range []struct {
			file         string
			start, total int64
		}{{fileF, 6, 5}, {fileF, 7, 5}, {fileG, 4, 3}, {fileE, 2, 0}, {"\n", 2, 1}, {"a", 2, 1}, {fileF, 1 << 62, 5}} {
			_, err := readPage(t, test.file, func(r *PageRequest) { r.StartLine, r.CountLimit = test.start, countLimit })
			var past *LineRangeError
			if !errors.As(err, &past) || *past != (LineRangeError{test.start, test.total}) {
				t.Errorf("%q from %d, count limit %d: %v", test.file, test.start, countLimit, err)
			}
		}
	}
	if _, err := readPage(t, fileF, func(r *PageRequest) { r.StartLine = 0 }); err == nil {
		t.Error("line 0 was read")
	}
	for from, total := range map[Position]int64{{10, 6}: 5, {99, 6}: 5, {99, -1}: -1} {
		_, err := readPage(t, fileF, func(r *PageRequest) { r.From, r.CountLimit = &from, 0 })
		var past *LineRangeError
		if !errors.As(err, &past) || *past != (LineRangeError{from.Line, total}) {
			t.Errorf("from %+v: %v", from, err)
		}
	}
}

func TestReadPageRendering(t *testing.T) {
	for _, test := range []struct {
		name, file string
		change     func(*PageRequest)
		content    string
		clipped    []Clip
	}{
		{"raw", fileC, func(r *PageRequest) { r.Raw = true }, fileC, nil},
		{"numbers", fileG, func(r *PageRequest) { r.LineNumbers = true }, "     1→1\n     2→2\n     3→3", nil},
		{"clip", "abcdef\r\nab\n", func(r *PageRequest) { r.MaxLineChars = 3 }, "abc\nab\n", []Clip{{1, 6, ""}}},
		{"clip at the length", "abc\r\nabc", func(r *PageRequest) { r.MaxLineChars = 3 }, "abc\nabc", nil},
		{"clip counts code points", "漢字漢字\n", func(r *PageRequest) { r.MaxLineChars = 3 }, "漢字漢\n", []Clip{{1, 4, ""}}},
		{"invalid bytes count", "\x80\x80\x80\x80\n", func(r *PageRequest) { r.MaxLineChars = 3 }, "\uFFFD\uFFFD\uFFFD\n", []Clip{{1, 4, ""}}},
		{"first line over max_bytes", "漢字\nb\n", func(r *PageRequest) { r.MaxBytes = 5 }, "漢\n", []Clip{{1, 2, "max_bytes"}}},
		{"a byte", "漢字\nb\n", func(r *PageRequest) { r.MaxBytes = 1 }, "\n", []Clip{{1, 2, "max_bytes"}}},
		{"a byte for two", "ab\r\nb\n", func(r *PageRequest) { r.MaxBytes, r.Raw = 1, true }, "", []Clip{{1, 2, "max_bytes"}}},
		{"cut number", "ab\n", func(r *PageRequest) { r.MaxBytes, r.LineNumbers = 8, true }, "     1\n", []Clip{{1, 2, "max_bytes"}}},
	} {
		page, err := readPage(t, test.file, test.change)
		if err != nil || string(page.Content) != test.content || !reflect.DeepEqual(page.Clipped, test.clipped) {
			t.Errorf("%s: %v %q %v", test.name, err, page.Content, page.Clipped)
		}
	}
}

func TestReadPageMaxBytes(t *testing.T) {
	page, err := readPage(t, fileF, func(r *PageRequest) { r.MaxBytes = 4 })
	if err != nil || string(page.Content) != "1\n2\n" || page.TruncatedBy != "max_bytes" || *page.Next != (Position{4, 3}) {
		t.Errorf("%v %q %s", err, page.Content, describePage(*page))
	}
	page, err = readPage(t, "1\n2\n", func(r *PageRequest) { r.MaxBytes = 4 })
	if err != nil || page.Truncated {
		t.Errorf("truncated at exactly the limit: %v %s", err, describePage(*page))
	}
}

func TestReadPageNumbersFromTheEnd(t *testing.T) {
	page, err := readPage(t, fileF+"caf\xe9\nlonger\n", func(r *PageRequest) {
		r.StartLine, r.CountLimit, r.MaxLines, r.LineNumbers, r.MaxLineChars = -3, 0, 2, true, 3
	})
	if err != nil || string(page.Content) != "    -3→5\n    -2→caf\n" || page.StartLine != -3 || page.EndLine != -2 ||
		*page.Next != (Position{15, -1}) || page.TotalLines != nil || !reflect.DeepEqual(page.Clipped, []Clip{{-2, 4, ""}}) {
		t.Errorf("%v %q %s", err, page.Content, describePage(*page))
	}
	page, err = readPage(t, "caf\xe9\n", func(r *PageRequest) { r.StartLine, r.CountLimit = -1, 0 })
	if err != nil || page.StartLine != 1 || page.InvalidLine != 1 || !page.EncodingErrors {
		t.Errorf("from the end to the start: %v %s", err, describePage(*page))
	}
}

func TestReadPageEncodings(t *testing.T) {
	text := "日本語\r\nテキスト\nですĀ" // U+0100, in UTF-16LE 00 01
	wide := "ਊ਀\nЊ\n"          // U+0A0A, U+0A00 and U+040A hold a byte 0A
	for _, name := range []string{"utf-16le", "utf-16be", "utf-32le", "utf-32be"} {
		for _, text := range []string{text, wide} {
			e := encoded(t, name)
			raw, err := e.Encode([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			file := append(e.BOM(), raw...)
			for start := int64(-4); start <= 4; start++ {
				req := request()
				req.Encoding, req.BOM, req.StartLine, req.MaxLines, req.Raw = e, len(e.BOM()), start, 1, true
				if start != 0 {
					checkPages(t, file, req)
				}
			}
		}
	}
	for name, text := range map[string]string{"gbk": "你好\r\n世界\n再见", "shift_jis": "日本\nソ表\n", "euc-kr": "가나\n다라\n", "latin1": "é\nà\n"} {
		e := encoded(t, name)
		raw, err := e.Encode([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		req := request()
		req.Encoding, req.MaxLines, req.Raw = e, 1, true
		checkPages(t, raw, req)
		if page, err := checkPage(t, raw, req); err != nil || !strings.HasPrefix(text, string(page.Content)) || page.EncodingErrors {
			t.Errorf("%s: %v %q", name, err, page.Content)
		}
	}
}

// Pages of random files under random limits add up, by whichever way they are
// asked for, and agree with the model on all else.
func TestReadPagesJoin(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	names := []string{"utf-8", "utf-8", "utf-16le", "utf-16be", "utf-32le", "gbk", "shift_jis", "windows-1252"}
	for range 3000 {
		e := encoded(t, names[random.IntN(len(names))])
		req := PageRequest{StartLine: 1, MaxLines: 1 + random.IntN(6), MaxBytes: 1 + random.IntN(60), Encoding: e,
			MaxLineChars: random.IntN(2) * random.IntN(9), LineNumbers: random.IntN(4) == 0, Raw: random.IntN(2) == 0,
			CountLimit: int64(random.IntN(2) * 1000)}
		if random.IntN(3) == 0 {
			req.StartLine = int64(-1 - random.IntN(12))
		}
		checkPages(t, randomFile(random, e), req)
	}
}

func randomFile(random *rand.Rand, e *charset.Encoding) []byte {
	pieces := []string{"a", "bc", "\n", "\n", "\r\n", "\r", "long enough to be cut somewhere", "\t", "é", "日本", "\f"}
	var text strings.Builder
	for range random.IntN(30) {
		text.WriteString(pieces[random.IntN(len(pieces))])
	}
	file, err := e.Encode([]byte(text.String()))
	if err != nil {
		file = []byte(text.String()) // as good as any, in a wrong encoding
	}
	if random.IntN(8) == 0 {
		file = append(file, 0xe9)
	}
	return file
}

// The same over the edges of the blocks that files are read in.
func TestReadPageAcrossBlocks(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	names := []string{"utf-8", "shift_jis"}
	if *sweep {
		names = append(names, "utf-16le")
	}
	for _, name := range names {
		e := encoded(t, name)
		for _, pad := range []int{-2, -1, 0} {
			text := strings.Repeat("0123456\n", (blockSize/8-1)/e.UnitWidth()) + strings.Repeat("x", 8/e.UnitWidth()+pad) +
				"日\r\nb\n" + strings.Repeat("line\r\n", 60000) + "end"
			file, err := e.Encode([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			total := int64(strings.Count(text, "\n")) + 1
			starts := []int64{int64(blockSize/8/e.UnitWidth()) - 1, -60003}
			if *sweep {
				starts = append(starts, total, total+1, -1, -59999)
			}
			for _, start := range starts {
				for _, countLimit := range []int64{0, 1 << 30} {
					req := request()
					req.Encoding, req.StartLine, req.MaxLines, req.CountLimit = e, start, 5, countLimit
					if _, err := checkPage(t, file, req); err != nil && start <= total {
						t.Fatal(err)
					}
				}
			}
		}
	}
}

// Blocks read from the end begin between units, also where the file ends inside one.
func TestReadPageBackwardFromHalfAUnit(t *testing.T) {
	names := []string{"utf-16le", "utf-32be"}
	if testing.Short() {
		names = names[:1]
	}
	for _, name := range names {
		e := encoded(t, name)
		for odd := range e.UnitWidth() {
			file, err := e.Encode([]byte(strings.Repeat("line\r\n", 60_000)))
			if err != nil {
				t.Fatal(err)
			}
			req := request()
			req.Encoding, req.StartLine, req.MaxLines, req.CountLimit = e, -59_990, 5, 0
			checkPage(t, append(file, "abc"[:odd]...), req)
		}
	}
}

// Long lines are measured in blocks; characters at their edges count once.
func TestReadPageLongLines(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	names, patterns := []string{"utf-8", "utf-16le", "gbk"}, []string{"é", "日本x"}
	if *sweep {
		names, patterns = append(names, "utf-16be", "utf-32le", "windows-1252"), append(patterns, "ab", "😀")
	}
	for _, name := range names {
		e := encoded(t, name)
		for _, pattern := range patterns {
			for shift := range 4 {
				text := strings.Repeat("a", shift) + strings.Repeat(pattern, 140_000) + "\r\nnext\n"
				file, err := e.Encode([]byte(text))
				if err != nil {
					continue
				}
				req := PageRequest{StartLine: 1, MaxLines: 5, MaxBytes: 700, Encoding: e, Raw: shift%2 == 1}
				checkPage(t, file, req)
				req.MaxLineChars = 100
				checkPage(t, file, req)
			}
		}
	}
	file := []byte(strings.Repeat("日\xe9\xe6\x97", blockSize))
	checkPage(t, file, PageRequest{StartLine: 1, MaxLines: 5, MaxBytes: 700, MaxLineChars: 100})
}

func TestReadPageOddRequests(t *testing.T) {
	page, err := readPage(t, fileF, func(r *PageRequest) { r.MaxLines, r.MaxBytes, r.MaxLineChars, r.BOM = -1, -1, -4, -3 })
	if err != nil || page.EndLine != 1 || string(page.Content) != "\n" {
		t.Errorf("%v %q %s", err, page.Content, describePage(*page))
	}
	page, err = readPage(t, "ab", func(r *PageRequest) { r.BOM = 3 })
	if err != nil || len(page.Content) > 0 {
		t.Errorf("BOM after the end: %v", err)
	}
	page, err = readPage(t, fileF, func(r *PageRequest) { r.From = &Position{-7, -9}; r.MaxBytes = math.MaxInt })
	if err != nil || !bytes.Equal(page.Content, []byte(fileF)) {
		t.Errorf("position before the start: %v", err)
	}
	utf16 := strings.Repeat("a\x00\n\x00", 9)
	for offset := range int64(len(utf16)) { // half of them inside a character
		page, err := readPage(t, utf16, func(r *PageRequest) { r.From, r.Encoding = &Position{offset, 1}, encoded(t, "utf-16le") })
		if err != nil || page.EncodingErrors != (offset%2 == 1) {
			t.Errorf("from %d: %v %q", offset, err, page.Content)
		}
	}
}
