package commands

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fsbox/commands/answer"
	"fsbox/commands/cmdline"
	"fsbox/commands/command"
	"fsbox/commands/listing"
	"fsbox/commands/request"
	"fsbox/commands/settings"
	"fsbox/commands/words"
)

// forgery is a request with a cursor that was made by somebody who knows how: its checksum is
// right, and what it holds is not what any answer had.
func forgery(t *testing.T, kind byte, genuine []string, a, b string, n, m int64) string {
	t.Helper()
	number := func(n int64) string { return strconv.FormatInt(n, 36) }
	switch kind % 6 {
	case 0:
		return forged(t, "ls", `{"recursive":true,"max_entries":1}`, listing.LsCursor, a, b)
	case 1:
		return forged(t, "ls", `{"sort":"size","max_entries":1}`, listing.LsCursor, words.Int(n), b)
	case 2:
		return forged(t, "glob", `{"pattern":"**/*","limit":1}`, listing.GlobCursor, a, b)
	case 3:
		return forged(t, "grep", `{"query":"line","max_matches":1}`, listing.GrepCursor, b, words.Int(n))
	case 4:
		return withCursor("undo", `{"list":true}`, listing.EncodeCursor(listing.UndoCursor, listing.Fingerprint(""), a, words.Int(n)))
	}
	parts := slices.Clone(genuine)
	parts[3], parts[4] = number(n), number(m)
	if a != "" {
		parts[8] = a
	}
	if b != "" {
		parts[9] = b
	}
	return withCursor("read", `{"path":"d/lines","max_lines":1}`, listing.EncodeCursor(listing.ReadCursor, "", parts...))
}

// forged is a request about the root whose cursor has the fingerprint of the request itself.
func forged(t *testing.T, name, input, kind string, parts ...string) string {
	t.Helper()
	tool, _ := command.Find(All(), name)
	c := command.NewCall(tool)
	o, fail := request.ParseObject([]byte(input))
	if fail == nil {
		fail = c.Decode(o)
	}
	if fail != nil {
		t.Fatal(fail.Message)
	}
	of := c.Request.(fingerprinted)
	return withCursor(name, input, listing.EncodeCursor(kind, of.Fingerprint("."), parts...))
}

func withCursor(tool, input, cursor string) string {
	return fmt.Sprintf(`{"tool":%q,"input":%s,"cursor":%s}}`, tool, strings.TrimSuffix(input, "}"), quoteJSON(cursor))
}

func quoteJSON(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(quoted)
}

// FuzzForgedCursor: a cursor is no secret, so whoever makes one gets at nothing that a request
// without it doesn't reach, and no more than an error that is known.
func FuzzForgedCursor(f *testing.F) {
	for kind := range byte(6) {
		f.Add(kind, "0", "d/lines", int64(1), int64(1))
		f.Add(kind, "NaN", "../out/secret", int64(-1), int64(1))
		f.Add(kind, "", ".env", int64(1<<62), int64(-1<<62))
		f.Add(kind, "1e308", "", int64(7), int64(2))
		f.Add(kind, "x\xff", "d/\xff/", int64(0), int64(1<<62))
	}
	base := f.TempDir()
	root := filepath.Join(base, "ws")
	f.Fuzz(func(t *testing.T, kind byte, a, b string, n, m int64) {
		if strings.Contains(a+b, "\x00") {
			return
		}
		for _, name := range []string{"d/lines", "d/more", "first", ".env", "../secret"} {
			text := "TOP SECRET line\n"
			if name[0] != '.' {
				text = strings.Repeat("a line\n", 9)
			}
			writeFile(t, filepath.Join(root, name), text)
		}
		env := testEnv(t, settings.Settings{Root: root, AllowWrite: true})
		ask := func(line string) (string, wireAnswer) {
			var out strings.Builder
			p := Program{Stdin: strings.NewReader(line), Stdout: &out, Stderr: io.Discard, Commands: All()}
			p.serveBatch(context.Background(), env, cmdline.Batch{})
			return out.String(), answersIn(t, out.String())[0]
		}
		_, first := ask(`{"tool":"read","input":{"path":"d/lines","max_lines":1}}`)
		var page struct {
			NextCursor string `json:"next_cursor"`
		}
		if err := json.Unmarshal(first.Result, &page); err != nil {
			t.Fatal(err)
		}
		genuine, fail := listing.OpenCursor(listing.ReadCursor, page.NextCursor, "", 10)
		if fail != nil {
			t.Fatal(fail.Message)
		}
		text, got := ask(forgery(t, kind, genuine, a, b, n, m))
		if !got.Success && got.Error != answer.CodeInvalidCursor && got.Error != answer.CodeStale && got.Error != answer.CodeLineOutOfRange {
			t.Errorf("%d, %q, %q, %d, %d: %s", kind, a, b, n, m, text)
		}
		if strings.Contains(text, "TOP SECRET") {
			t.Errorf("%d, %q, %q, %d, %d: %s", kind, a, b, n, m, text)
		}
		if kind%6 <= 3 && a == "0" && b == "d/lines" && !got.Success {
			t.Errorf("a right cursor is refused: %s", text)
		}
	})
}
