package textio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"fsbox/textio/charset"
)

// modelLine is a line as the model of ReadPage sees it.
type modelLine struct {
	offset int64
	body   []byte // bytes of the file, without the line end
	end    string // "", "\n" or "\r\n"
}

// modelLines cuts a whole file into lines, unit by unit.
func modelLines(file []byte, req PageRequest) (lines []modelLine) {
	e := req.Encoding
	width, nl, cr := e.UnitWidth(), e.Unit('\n'), e.Unit('\r')
	start := min(req.BOM, len(file))
	for i := start; i < len(file); {
		if i+width > len(file) || !bytes.Equal(file[i:i+width], nl) {
			i += width
			continue
		}
		line := modelLine{int64(start), file[start:i], "\n"}
		if at := len(line.body) - width; at >= 0 && bytes.Equal(line.body[at:], cr) {
			line.body, line.end = line.body[:at], "\r\n"
		}
		lines = append(lines, line)
		i += width
		start = i
	}
	if start < len(file) {
		lines = append(lines, modelLine{int64(start), file[start:], ""})
	}
	return lines
}

// modelPage is ReadPage for a whole file in memory, with no thought for speed.
// Limits are at least 1, and a position in the request is the start of a line.
func modelPage(file []byte, req PageRequest) (*Page, error) {
	lines := modelLines(file, req)
	total := int64(len(lines))
	counted := int64(len(file)) <= req.CountLimit
	first, number := modelStart(lines, req, counted)
	if first >= total && !(total == 0 && req.From == nil && (req.StartLine == 1 || req.StartLine < 0)) {
		return nil, &LineRangeError{number, total}
	}
	page := &Page{StartLine: number}
	shown, eols := int64(0), map[string]bool{}
	for i := first; i < total; i++ {
		next := &Position{lines[i].offset, number + shown}
		if shown == int64(req.MaxLines) {
			page.Truncated, page.TruncatedBy, page.Next = true, "max_lines", next
			break
		}
		if by := modelAppend(page, lines[i], number+shown, shown == 0, int64(len(file)), req); by != "" {
			page.Truncated, page.TruncatedBy, page.Next = true, by, next
			break
		}
		eols[lines[i].end] = true
		shown++
	}
	page.EndLine = page.StartLine + shown - 1
	modelFinish(page, lines, eols, counted, req)
	return page, nil
}

func modelStart(lines []modelLine, req PageRequest, counted bool) (first, number int64) {
	total := int64(len(lines))
	switch {
	case req.From != nil:
		for first < total && lines[first].offset < req.From.Offset {
			first++
		}
		return first, req.From.Line
	case req.StartLine > 0:
		return req.StartLine - 1, req.StartLine
	case total+req.StartLine <= 0:
		return 0, 1
	case counted:
		return total + req.StartLine, total + req.StartLine + 1
	}
	return total + req.StartLine, req.StartLine
}

// modelAppend puts a line on the page, or names the limit that it doesn't fit into.
func modelAppend(page *Page, line modelLine, number int64, first bool, size int64, req PageRequest) (by string) {
	text, _ := req.Encoding.Decode(line.body)
	runes := []rune(string(text))
	shown, clipped, cutBy := string(text), false, ""
	if req.MaxLineChars > 0 && len(runes) > req.MaxLineChars {
		shown, clipped = string(runes[:req.MaxLineChars]), true
	}
	prefix, end := "", line.end
	if req.LineNumbers {
		prefix = fmt.Sprintf("%6d→", number)
	}
	if !req.Raw && end == "\r\n" {
		end = "\n"
	}
	long := modelLong(line, size, req)
	room, by := modelRoom(page, clipped || long, req)
	if len(prefix)+len(shown) > room-modelEnd(end, long, req) {
		if !first {
			return by
		}
		room, cutBy = modelRoom(page, true, req)
		room -= modelEnd(end, long, req)
		shown, clipped = modelCut(shown, room-len(prefix)), true
		prefix = modelCut(prefix, room)
	}
	page.Content = append(page.Content, prefix+shown...)
	if len(page.Content)+len(end) <= req.MaxBytes {
		page.Content = append(page.Content, end...)
	}
	if clipped {
		page.Clipped = append(page.Clipped, Clip{number, int64(len(runes)), cutBy})
	}
	if req.Encoding.Lossy([]byte(shown), line.body) && !page.EncodingErrors {
		page.EncodingErrors, page.InvalidLine = true, number
	}
	return ""
}

// modelRoom is how many bytes the page takes yet, if the next line is cut or not, and by which
// limit.
func modelRoom(page *Page, cut bool, req PageRequest) (room int, by string) {
	room, clips := req.MaxBytes-len(page.Content), len(page.Clipped)
	if cut {
		clips++
	}
	if answer := int(req.MaxAnswer) - len(page.Content) - clips*req.ClipSize; req.MaxAnswer > 0 && answer < room {
		return max(answer, 0), "max_output_bytes"
	}
	return room, "max_bytes"
}

// modelEnd is how many bytes are set aside for a line end. That of a long line isn't known yet.
func modelEnd(end string, long bool, req PageRequest) int {
	switch {
	case !long:
		return len(end)
	case req.Raw:
		return 2
	}
	return 1
}

func modelLong(line modelLine, size int64, req PageRequest) bool {
	whole := len(line.body) + len(line.end)*req.Encoding.UnitWidth()
	if line.end != "" {
		whole -= req.Encoding.UnitWidth()
		return whole+req.Encoding.UnitWidth() > visibleBytes(req, size)
	}
	return whole > visibleBytes(req, size)
}

// modelCut is the longest prefix of whole characters within n bytes.
func modelCut(s string, n int) string {
	cut := ""
	for _, r := range s {
		if len(cut)+utf8.RuneLen(r) > n {
			break
		}
		cut += string(r)
	}
	return cut
}

func modelFinish(page *Page, lines []modelLine, eols map[string]bool, counted bool, req PageRequest) {
	total := int64(len(lines))
	cr := false
	if counted {
		page.TotalLines = &total
		eols = map[string]bool{}
		for _, line := range lines {
			eols[line.end] = true
			text, _ := req.Encoding.Decode(line.body)
			cr = cr || bytes.IndexByte(text, '\r') >= 0
		}
	} else if len(lines) > 0 && lines[len(lines)-1].end == "" && !page.Truncated {
		cr = bytes.IndexByte(page.Content, '\r') >= 0
	}
	if total > 0 && (counted || !page.Truncated) {
		final := lines[total-1].end != ""
		page.FinalNewline = &final
	}
	page.EOL = nameEOL(eols["\n"], eols["\r\n"], cr)
}

// checkPage asks for a page of file, compares it with the model's and returns it.
func checkPage(t *testing.T, file []byte, req PageRequest) (*Page, error) {
	t.Helper()
	got, err := ReadPage(context.Background(), bytes.NewReader(file), int64(len(file)), req)
	before := bytes.Clone(file)
	whole, wholeErr := ReadPage(context.Background(), Whole(file), int64(len(file)), req)
	if !reflect.DeepEqual(whole, got) || fmt.Sprint(wholeErr) != fmt.Sprint(err) || !bytes.Equal(file, before) {
		t.Fatalf("%s\nin memory: %+v, %v; the file is the same: %v", describeRequest(file, req), whole, wholeErr, bytes.Equal(file, before))
	}
	want, wantErr := modelPage(file, req)
	if fmt.Sprint(err) != fmt.Sprint(wantErr) {
		t.Fatalf("%s\nerror %v, want %v", describeRequest(file, req), err, wantErr)
	}
	if err != nil {
		return nil, err
	}
	if len(got.Content) > req.MaxBytes {
		t.Fatalf("%s\n%d bytes", describeRequest(file, req), len(got.Content))
	}
	if size := int64(len(got.Content) + len(got.Clipped)*req.ClipSize); req.MaxAnswer > 0 && size > req.MaxAnswer {
		t.Fatalf("%s\n%d bytes of an answer", describeRequest(file, req), size)
	}
	if !bytes.Equal(got.Content, want.Content) {
		t.Fatalf("%s\n got %.300q\nwant %.300q", describeRequest(file, req), got.Content, want.Content)
	}
	got2, want2 := *got, *want
	got2.Content, want2.Content = nil, nil
	if !reflect.DeepEqual(got2, want2) {
		t.Fatalf("%s\n got %s\nwant %s", describeRequest(file, req), describePage(got2), describePage(want2))
	}
	return got, nil
}

func describeRequest(file []byte, req PageRequest) string {
	return fmt.Sprintf("%.200q (%d bytes), %s: %+v", file, len(file), req.Encoding.Name(), req)
}

func describePage(p Page) string {
	s := fmt.Sprintf("%+v", p)
	if p.TotalLines != nil {
		s += fmt.Sprint(" total ", *p.TotalLines)
	}
	if p.FinalNewline != nil {
		s += fmt.Sprint(" final ", *p.FinalNewline)
	}
	if p.Next != nil {
		s += fmt.Sprint(" next ", *p.Next)
	}
	return s
}

// checkPages walks through file by Next and by line number. Raw, without numbers
// and clips, the pages must add up to the text.
func checkPages(t *testing.T, file []byte, req PageRequest) {
	t.Helper()
	var joined []byte
	whole := true
	for n := 0; ; n++ {
		page, err := checkPage(t, file, req)
		if err != nil {
			var past *LineRangeError
			if !errors.As(err, &past) || n > 0 {
				t.Fatalf("page %d: %v", n, err)
			}
			return
		}
		joined = append(joined, page.Content...)
		whole = whole && page.Clipped == nil
		if !page.Truncated {
			break
		}
		if page.Next.Offset <= int64(req.BOM) || n > len(file) {
			t.Fatalf("no progress: next %+v", *page.Next)
		}
		if req.From = page.Next; n%2 == 1 && page.Next.Line > 0 {
			req.From, req.StartLine = nil, page.Next.Line
		}
	}
	text, invalid := req.Encoding.Decode(file[min(req.BOM, len(file)):])
	if whole && req.Raw && !req.LineNumbers && req.StartLine == 1 && !invalid && !bytes.Equal(joined, text) {
		t.Fatalf("%s\npages join to %.300q\nwant %.300q", describeRequest(file, req), joined, text)
	}
}

func FuzzReadPage(f *testing.F) {
	for i, file := range pageFiles {
		f.Add([]byte(file), "utf-8", int64(1), 2, 100, 0, uint8(i))
		f.Add([]byte(file), "utf-16le", int64(-2), 1, 5, 3, uint8(i*7))
	}
	f.Add([]byte("\xff\xfea\x00\r\x00\n\x00b\x00"), "utf-16le", int64(1), 1, 50, 1, uint8(0x1f))
	f.Add([]byte("\x93\xfa\x93\n\x96\x7b"), "shift_jis", int64(2), 5, 50, 1, uint8(3))
	f.Add([]byte(strings.Repeat("é", 300)+"\r\nx"), "utf-8", int64(1), 5, 7, 2, uint8(6))
	f.Add([]byte(strings.Repeat("\xebW", 300)), "shift_jis", int64(1), 1, 61, 39, uint8(0))
	f.Add([]byte(strings.Repeat("x", 300)+"\ny\n"), "utf-8", int64(1), 5, 100, 0, uint8(8))
	f.Fuzz(func(t *testing.T, file []byte, label string, start int64, maxLines, maxBytes, maxChars int, flags uint8) {
		e, ok := charset.Lookup(label)
		if !ok || start == 0 || maxLines < 1 || maxBytes < 1 || maxChars < 0 || len(file) > 1<<12 {
			t.Skip()
		}
		req := PageRequest{StartLine: start, MaxLines: maxLines, MaxBytes: maxBytes, MaxLineChars: maxChars,
			LineNumbers: flags&1 != 0, Raw: flags&2 != 0, Encoding: e}
		if flags&4 != 0 {
			req.CountLimit = int64(len(file))
		}
		if flags&8 != 0 { // an answer takes at least the entry of one cut line, and the line's end
			req.ClipSize = 15
			req.MaxAnswer = int64(maxBytes/2 + req.ClipSize + len("\r\n"))
		}
		if mark := e.BOM(); len(mark) > 0 && bytes.HasPrefix(file, mark) {
			req.BOM = len(mark)
		}
		checkPages(t, file, req)
	})
}
