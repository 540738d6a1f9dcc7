package commands

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"fsbox/commands/approval"
	"fsbox/commands/session"
	"fsbox/commands/settings"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// onDisk is a file as a plain reader finds it.
type onDisk struct {
	exists    bool
	mode      fs.FileMode
	kind      string // name of the encoding
	mark      bool   // it begins with a byte order mark
	text      string // or bytes
	hidesHere bool   // a character beyond ASCII has a byte of ASCII
}

// readPlainly knows byte order marks, and nothing else of fsbox.
func readPlainly(t *testing.T, path string) (f onDisk) {
	t.Helper()
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return f
	}
	info, err2 := os.Stat(path)
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	f = onDisk{exists: true, mode: info.Mode().Perm(), kind: "utf-8", mark: strings.HasPrefix(string(content), "\ufeff")}
	raw := string(content)
	for _, wide := range []struct {
		kind, mark string
		width      int
		order      binary.ByteOrder
	}{{"utf-32le", "\xff\xfe\x00\x00", 4, binary.LittleEndian}, {"utf-32be", "\x00\x00\xfe\xff", 4, binary.BigEndian},
		{"utf-16le", "\xff\xfe", 2, binary.LittleEndian}, {"utf-16be", "\xfe\xff", 2, binary.BigEndian}} {
		rest, ok := strings.CutPrefix(raw, wide.mark)
		if !ok {
			continue
		}
		if f.kind, f.mark = wide.kind, true; f.readWide([]byte(rest), wide.width, wide.order) {
			return f
		}
		f.kind, f.hidesHere = "binary", false
		break
	}
	switch {
	case f.kind == "utf-8" && strings.Contains(raw, "\x00"):
		f.kind = "binary"
	case f.kind == "utf-8" && !utf8.ValidString(raw):
		f.kind = "unknown-8bit"
	}
	f.mark, f.text = f.mark && f.kind != "binary", raw
	return f
}

// readWide reads units of UTF-16 or UTF-32; false if they are no text.
func (f *onDisk) readWide(b []byte, width int, order binary.ByteOrder) bool {
	var units []uint16
	for ; len(b) >= width; b = b[width:] {
		var unit uint32
		if width == 2 {
			unit = uint32(order.Uint16(b))
		} else {
			unit = order.Uint32(b)
		}
		isASCII := func(c byte) bool { return c >= ' ' && c <= '~' || c == '\n' }
		f.hidesHere = f.hidesHere || unit > 0x7f && slices.ContainsFunc(b[:width], isASCII)
		if unit > 0xffff {
			units = utf16.AppendRune(units, rune(unit))
		} else {
			units = append(units, uint16(unit))
		}
	}
	f.text = string(utf16.Decode(units))
	return len(b) == 0 && !strings.Contains(f.text, "\ufffd")
}

var escape = regexp.MustCompile(`\\(\\|[abfnrtv]|x[0-9a-f]{2}|u\{[0-9a-f]+\})`)

// plainDiff is the diff of a plan, with what is written as escapes.
func plainDiff(plan *approval.Plan) string {
	if !strings.HasSuffix(plan.Effect, approval.EscapesNote) {
		return plan.Diff
	}
	var b strings.Builder
	for line := range strings.Lines(plan.Diff) {
		b.WriteString(line[:1] + escape.ReplaceAllStringFunc(line[1:], func(text string) string {
			if digits, isRune := strings.CutPrefix(text, `\u{`); isRune {
				n, _ := strconv.ParseInt(strings.TrimSuffix(digits, "}"), 16, 32)
				return string(rune(n))
			}
			plain, _ := strconv.Unquote(`"` + text + `"`)
			return plain
		}))
	}
	return b.String()
}

var hunkHead = regexp.MustCompile(`^@@ -(\d+),(\d+) \+(\d+),(\d+) @@\n$`)

// afterDiff applies the first section of a diff about a path to the old text.
func afterDiff(t *testing.T, diff, path, old string) string {
	t.Helper()
	have, lines := slices.Collect(strings.Lines(old)), slices.Collect(strings.Lines(diff))
	at := slices.IndexFunc(lines, func(line string) bool { return line == "+++ b/"+path+"\n" })
	if at < 0 {
		at = slices.Index(lines, "--- a/"+path+"\n")
	}
	if at < 0 {
		return old
	}
	for at++; at < len(lines) && !strings.HasPrefix(lines[at], "@@ "); at++ {
	}
	var out []string
	taken := 0
	for at < len(lines) {
		head := hunkHead.FindStringSubmatch(lines[at])
		if head == nil {
			break
		}
		var n [5]int
		for i := range 4 {
			n[i+1], _ = strconv.Atoi(head[i+1])
		}
		if n[2] == 0 {
			n[1]++
		}
		for ; taken < n[1]-1; taken++ {
			out = append(out, have[taken])
		}
		for at++; at < len(lines) && (n[2] > 0 || n[4] > 0 || lines[at][0] == '\\'); at++ {
			line := lines[at][1:]
			if at+1 < len(lines) && lines[at+1][0] == '\\' {
				line = strings.TrimSuffix(line, "\n")
			}
			if lines[at][0] == ' ' || lines[at][0] == '-' {
				if n[2]--; have[taken] != line {
					t.Fatalf("%q: line %d is %q, shown as %q", path, taken, have[taken], line)
				}
				taken++
			}
			if lines[at][0] == ' ' || lines[at][0] == '+' {
				n[4]--
				out = append(out, line)
			}
		}
	}
	return strings.Join(append(out, have[taken:]...), "")
}

// shownSweep makes random files and requests.
type shownSweep struct {
	*rand.Rand
	root string
	env  *session.Session
}

func (s shownSweep) one(of ...string) string { return of[s.IntN(len(of))] }

func (s shownSweep) randomText() string {
	var text string
	for range s.IntN(8) {
		text += s.one("one", "two ", "é", "日本", "ਣ捥潨", "\n", "\r\n", "\r", "\t", "\x1b", "\u202e", "\n", `\xe9`, `\x1b`, `\u{202e}`, `\`,
			"\ufeff", "x")
	}
	return text + s.one("", "\n", "\r\n")
}

func (s shownSweep) randomBytes() []byte {
	text := s.randomText()
	order, mark := binary.ByteOrder(binary.LittleEndian), s.one("\ufeff", "")
	switch s.IntN(7) {
	case 0:
		return []byte("\ufeff" + text)
	case 1:
		order, mark = binary.BigEndian, "\ufeff"
		fallthrough
	case 2:
		var b []byte
		for _, unit := range utf16.Encode([]rune(mark + text)) {
			b = order.(binary.AppendByteOrder).AppendUint16(b, unit)
		}
		return b[:len(b)-s.IntN(2)*min(1, len(b))]
	case 3:
		return []byte(strings.ReplaceAll(text, "é", "\xe9"))
	case 4:
		return []byte(text + "\x00\x01\xff")
	}
	return []byte(text)
}

func (s shownSweep) path() string { return s.one("a", "b", "c", "d/a") }

// request is a random request; many fail.
func (s shownSweep) request() (tool string, fields map[string]any) {
	content, encoding := s.randomText(), s.one("auto", "auto", "utf-8", "utf-16le", "utf-16be", "utf-32le", "windows-1252",
		"big5", "gbk", "shift_jis", "base64")
	if encoding == "base64" {
		content = base64.StdEncoding.EncodeToString(s.randomBytes())
	}
	fields = map[string]any{"path": s.path()}
	switch tool = s.one("write", "write", "append", "append", "edit", "patch", "delete", "copy", "move", "undo", "undo", "mkdir"); tool {
	case "write":
		fields["mode"] = s.one("create", "overwrite", "overwrite", "append")
		if s.IntN(4) == 0 && fields["mode"] != "append" {
			fields["file_mode"] = s.one("0600", "0644", "0755")
		}
		fallthrough
	case "append":
		fields["content"], fields["encoding"] = content, encoding
		if encoding != "base64" {
			fields["eol"] = s.one("auto", "verbatim", "lf", "crlf")
		}
	case "edit":
		fields["expected_text"], fields["replacement_text"] = s.one("one", "x", "\n", "日", "é"), s.randomText()
		fields["replace_all"] = true
	case "patch":
		fields = map[string]any{"patch": "--- /dev/null\n+++ b/" + s.path() + "\n@@ -0,0 +1,1 @@\n+" +
			strings.NewReplacer("\n", "", "\r", "").Replace(content) + "\n"}
	case "copy", "move":
		fields = map[string]any{"from": s.path(), "to": s.path(), "overwrite": true}
	case "mkdir":
		fields["path"] = fmt.Sprint("m/", s.IntN(1000))
	case "undo":
		fields = map[string]any{}
	}
	return tool, fields
}

var shownChanges = flag.Int("shown-changes", 300, "random changes whose question is held against what is done; a third with -short")

// TestShownIsDone makes random changes of random files, each with somebody's consent: what was
// shown must be what a plain reader finds on the disk after it.
func TestShownIsDone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes are others on this system")
	}
	now := time.Now()
	s := shownSweep{Rand: rand.New(rand.NewPCG(7, 1)), env: tokenEnv(t, &now)}
	s.root, s.env.Settings.Approval = s.env.Workspace.Root(), settings.ApprovalPrompt
	var plan *approval.Plan
	s.env.Desk.Approver = yes{func(p *approval.Plan) { plan = p }}
	done := map[string]int{}
	changes := *shownChanges
	if testing.Short() {
		changes /= 3
	}
	for n := range changes {
		if s.IntN(3) == 0 {
			writeFile(t, filepath.Join(s.root, s.path()), string(s.randomBytes()))
		}
		tool, fields := s.request()
		request, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		before, names := map[string]onDisk{}, []string{"a", "b", "c", "d/a"}
		for _, name := range names {
			before[name] = readPlainly(t, filepath.Join(s.root, name))
		}
		plan = nil
		if a := send(t, s.env, tool, string(request)); !a.Success || plan == nil {
			continue
		}
		done[tool]++
		for _, name := range names {
			s.compare(t, fmt.Sprintf("%d: %s %s, %q", n, tool, request, name), plan, name, before[name])
		}
	}
	for _, tool := range All() {
		if tool.Writes && done[tool.Name] < changes/100 {
			t.Errorf("only %d of %s", done[tool.Name], tool.Name)
		}
	}
}

// compare looks at one path after a change.
func (s shownSweep) compare(t *testing.T, what string, plan *approval.Plan, name string, old onDisk) {
	t.Helper()
	now := readPlainly(t, filepath.Join(s.root, name))
	says := func(words string, must bool) {
		t.Helper()
		if must && !strings.Contains(plan.Effect, words) {
			t.Errorf("%s: %+v is now %+v, but not %q in %q", what, old, now, words, plan.Effect)
		}
	}
	isTarget := plan.Over == name || plan.Over == "" && plan.Tool != "move" && plan.Tool != "copy"
	switch {
	case !slices.Contains(plan.Proposal.Paths, name):
		if now != old {
			t.Errorf("%s: %+v is now %+v, and isn't among %q", what, old, now, plan.Proposal.Paths)
		}
		return
	case !isTarget, !now.exists && old.kind == "binary", strings.Contains(plan.Diff, "\nrename from "):
		return
	}
	if shown := afterDiff(t, plainDiff(plan), name, old.text); shown != now.text || plan.DiffTruncated {
		t.Errorf("%s: shown is %q, but there is %q; diff %q", what, shown, now.text, plan.Diff)
	}
	if old.text != "" && now.text != "" {
		says("the encoding changes from "+old.kind+" to "+now.kind, old.kind != now.kind)
		says(" the last line ", old.kind != "binary" && now.kind != "binary" &&
			strings.HasSuffix(old.text, "\n") != strings.HasSuffix(now.text, "\n"))
	}
	if now.exists {
		says("the encoding is "+now.kind, old.text == "" && !old.mark && now.text != "" && now.kind != "utf-8")
		isText := old.kind != "binary" && now.kind != "binary"
		says(" its byte order mark", isText && old.mark && !now.mark)
		says("it gets a byte order mark", isText && now.mark && !old.mark)
		says(fmt.Sprintf("from 0%o to 0%o", old.mode, now.mode), old.exists && old.mode != now.mode)
		if !old.hidesHere && now.hidesHere && !strings.Contains(plan.Diff, "+++ b/"+name+" (bytes)\t\n") {
			t.Errorf("%s: no bytes in %q", what, plan.Diff)
		}
	}
}
