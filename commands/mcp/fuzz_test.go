package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
)

// FuzzMessages: whatever comes in, each line that goes out is a JSON-RPC message, the server lives
// on to the end of the input, and what came after is answered.
func FuzzMessages(f *testing.F) {
	for _, seed := range []string{
		hello, call(1, "x", ""), `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x",` + modernly + `}}`, `[]`, `{`, "\xff",
		`null`,
		`{"jsonrpc":"2.0","id":"\ud800","method":"ping"}`, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":1}}`,
		`{"id":1,"id":2,"jsonrpc":"2.0","method":"ping"}`, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"\u0000"}}`, strings.Repeat("[", 20_000),
		hello + "\n" + call(1, "x", `{"a":[1,2,{"b":null}]}`) + "\n" + call(1, "x", ""),
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","_meta":{"progressToken":"\ufffd"},` +
			`"inputResponses":{"go":[]},"requestState":7}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		in = append(in, "\n{\"jsonrpc\":\"2.0\",\"id\":\"last\",\"method\":\"ping\"}\n"...)
		var out bytes.Buffer
		if err := Serve(context.Background(), bytes.NewReader(in), &out, fakeTools{}, About{Name: "test"}); err != nil {
			t.Fatal(err)
		}
		last := false
		for line := range strings.Lines(out.String()) {
			var m struct {
				JSONRPC string `json:"jsonrpc"`
				ID      any
				Result  json.RawMessage
				Error   *struct{ Code int }
			}
			if err := json.Unmarshal([]byte(line), &m); err != nil || m.JSONRPC != "2.0" || (m.Result == nil) == (m.Error == nil) {
				t.Fatalf("not an answer: %v: %q", err, line)
			}
			last = last || m.ID == "last"
		}
		if !last {
			t.Fatalf("the last request has no answer: %s", out.Bytes())
		}
	})
}
