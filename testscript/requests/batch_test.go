package requests

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsbox/commands/answer"
	"fsbox/testscript"
)

// validRequests are what TestMutatedBatch spoils. None of them changes a file that another one
// needs.
var validRequests = []string{
	`{"id":1,"tool":"read","input":{"path":"a.txt","start_line":1,"max_lines":"2"}}`,
	`{"id":"two","tool":"grep","input":{"query":"t.o","use_regex":true,"glob":["*.{txt,go}","!b.txt"],"-C":1}}`,
	`{"id":[3],"tool":"ls","input":{"path":".","recursive":true,"max_entries":3,"sort":"size"}}`,
	`{"id":null,"tool":"info","input":{"path":"sub/c.txt","hash":true}}`,
	`{"tool":"write","input":{"path":"n.txt","content":"a\r\nü \"x\"","mode":"overwrite","eol":"crlf"}}`,
	`{"id":{"n":6},"tool":"append","input":{"path":"sub/log.txt","content":"x\n","ensure_newline":"true"}}`,
	`{"id":7,"tool":"edit","input":{"path":"b.txt","edits":[{"old_string":"two","new_string":"two"},` +
		`{"expected_text":"one","replacement_text":"1","expected_count":1}]}}`,
	`{"id":8,"tool":"mkdir","input":{"path":"d/\u00e9/f","parents":true}}`,
	`{"id":9,"tool":"check","input":{}}`,
}

// TestMutatedBatch sends 1,000 spoiled lines and a sound one: each line is answered once, with
// valid JSON and a known code.
func TestMutatedBatch(t *testing.T) {
	const lines = 1000
	root := t.TempDir()
	for name, text := range map[string]string{"a.txt": "one\ntwo\n", "b.txt": "one\ntwo\n", "sub/c.txt": "two\n", "sound.txt": "sound\n"} {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const seed = 20
	random := rand.New(rand.NewPCG(seed, seed))
	var sent [][]byte
	for len(sent) < lines {
		line := mutate(random, []byte(validRequests[random.IntN(len(validRequests))]))
		if len(bytes.TrimSpace(line)) > 0 { // a blank line is no request
			sent = append(sent, line)
		}
	}
	sent = append(sent, []byte(`{"id":"sound","tool":"read","input":{"path":"sound.txt"}}`))

	var out, errs bytes.Buffer
	args := []string{"--root", root, "--allow-write", "--no-fsync", "--timeout", "60s", "batch"}
	status := testscript.RunHere(args, bytes.NewReader(bytes.Join(sent, []byte("\n"))), &out, &errs)
	if status != 2 || errs.Len() > 0 {
		t.Errorf("status %d and %q on stderr, want 2 and nothing", status, errs.String())
	}
	got := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(got) != len(sent) {
		t.Fatalf("%d answers to %d requests", len(got), len(sent))
	}
	known := map[string]bool{}
	for _, group := range answer.CodeGroups() {
		for _, code := range group.Codes {
			known[string(code)] = true
		}
	}
	seen := map[string]int{}
	for i, text := range got {
		code := checkEnvelope(t, string(sent[i]), text, known)
		seen[code]++
	}
	if len(seen) < 10 || seen[""] < lines/25 || seen["invalid_input"] > lines*95/100 {
		t.Errorf("the mutations are too weak or too strong to tell anything: %v", seen)
	}
	var last envelope
	if err := json.Unmarshal([]byte(got[lines]), &last); err != nil || string(last.ID) != `"sound"` || last.Result["content"] != "sound\n" {
		t.Errorf("the sound request is answered by %s", got[lines])
	}
}

// envelope is an answer as a caller sees it.
type envelope struct {
	ID        json.RawMessage `json:"id"`
	Success   bool            `json:"success"`
	Result    map[string]any  `json:"result"`
	Error     *string         `json:"error"`
	Message   string          `json:"message"`
	Hint      string          `json:"hint"`
	Retryable bool            `json:"retryable"`
	Details   any             `json:"details"`
	Warnings  []string        `json:"warnings"`
}

// checkEnvelope gives the code of an answer, "" for a success.
func checkEnvelope(t *testing.T, request, text string, known map[string]bool) string {
	t.Helper()
	var a envelope
	dec := json.NewDecoder(strings.NewReader(text))
	dec.DisallowUnknownFields()
	switch err := dec.Decode(&a); {
	case err != nil || dec.More():
		t.Errorf("%q: not one JSON object: %v: %s", request, err, text)
	case a.Message == "":
		t.Errorf("%q: no message: %s", request, text)
	case a.Success && (a.Result == nil || a.Error != nil):
		t.Errorf("%q: a success without result, or with an error: %s", request, text)
	case !a.Success && (a.Result != nil || a.Error == nil || !known[*a.Error] || *a.Error == "internal"):
		t.Errorf("%q: a failure with a result, or without a known code: %s", request, text)
	}
	if a.Error == nil {
		return ""
	}
	return *a.Error
}

// jsonToken finds keys and values; otherTokens are what takes their place.
var (
	jsonToken   = testscript.WhenUsed(`"[^"\\]*"|-?[0-9]+|true|null`)
	otherTokens = []string{`""`, `" "`, `0`, `-1`, `3`, `1.5`, `1e999`, `"7"`, `null`, `true`, `"false"`, `[]`, `[1,"a"]`, `{}`, `{"a":[{}]}`,
		`"path"`, `"query"`, `"../x"`, `"/etc"`, `"a.txt"`, `"a\u0000b"`, `"[a-"`, `"(?=x)"`, `"\ud83d\ude00"`, `"\ud800"`, `"` +
			strings.Repeat("a/", 3000) + `"`}
	brokenPieces = []string{`"`, `{`, `}`, `[`, `]`, `,`, `:`, `\`, `null`, `"id":0,`, `\u0000`, "\x00", "\xff", "\r", " ", "é", `\ud800`}
)

// mutate spoils a line: half of them keep the form of JSON. It makes no line end, for that would be
// one request more.
func mutate(random *rand.Rand, line []byte) []byte {
	if random.IntN(2) == 0 {
		tokens := jsonToken().FindAllIndex(line, -1)
		at := tokens[random.IntN(len(tokens))]
		return slices.Concat(line[:at[0]], []byte(otherTokens[random.IntN(len(otherTokens))]), line[at[1]:])
	}
	for range 1 + random.IntN(3) {
		if len(line) == 0 {
			break
		}
		at := random.IntN(len(line))
		end := min(len(line), at+1+random.IntN(8))
		switch random.IntN(5) {
		case 0: // leave out
			line = slices.Concat(line[:at], line[end:])
		case 1: // put in
			line = slices.Concat(line[:at], []byte(brokenPieces[random.IntN(len(brokenPieces))]), line[at:])
		case 2: // twice
			line = slices.Concat(line[:end], line[at:])
		case 3: // another byte
			line = bytes.Clone(line)
			if line[at] = byte(random.IntN(256)); line[at] == '\n' {
				line[at] = 0
			}
		case 4: // cut off
			line = line[:at]
		}
	}
	return line
}
