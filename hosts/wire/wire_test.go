package wire

import (
	"encoding/json"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
)

// Each protocol's request says the same: one tool, and one result.
func TestDecode(t *testing.T) {
	for _, c := range []struct{ path, body, id string }{
		{"/v1/messages", `{"stream": true, "tools": [{"name": "read", "input_schema": {}}], "messages": [{"role": "user", "content": "go"},
			{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": [{"type": "text", "text": "one"}]}]}]}`, "1"},
		{"/v1/chat/completions", `{"stream": true, "tools": [{"function": {"name": "read", "parameters": {}}}], "messages": [
			{"role": "user", "content": "go"}, {"role": "tool", "tool_call_id": "1", "content": "one"}]}`, "1"},
		{"/v1/responses", `{"stream": true, "tools": [{"type": "function", "name": "read", "parameters": {}}], "input": [
			{"type": "message", "role": "user"}, {"type": "function_call_output", "call_id": "1", "output": "one"}]}`, "1"},
		{"/v1beta/models/m:streamGenerateContent", `{"tools": [{"functionDeclarations": [{"name": "read", "parametersJsonSchema": {}}]}],
			"contents": [{"parts": [{"text": "go"}]}, {"parts": [{"functionResponse": {"response": {"output": "one"}}}]}]}`, "result 1"},
	} {
		p, ok := Of(c.path)
		if !ok {
			t.Fatal(c.path)
		}
		got, err := p.Decode(c.path, []byte(c.body))
		want := Request{true, []Tool{{"", "read", json.RawMessage("{}")}}, &Result{c.id, "one"}, false}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v", p.Name, got, err)
		}
		if _, err := p.Decode(c.path, []byte("{")); err == nil {
			t.Errorf("%s: half an object is a request", p.Name)
		}
	}
	if _, ok := Of("/v1/models"); ok {
		t.Error("a list of models is a protocol")
	}
}

// Some hosts ask for a summary amid the work.
func TestAside(t *testing.T) {
	p, _ := Of("/chat/completions")
	for body, want := range map[string]bool{
		`{"messages": [{"role": "user", "content": "go"}]}`:                                                              false,
		`{"messages": [{"role": "user"}, {"role": "tool", "tool_call_id": "1", "content": "one"}]}`:                      false,
		`{"messages": [{"role": "tool", "tool_call_id": "1", "content": "one"}, {"role": "user", "content": "sum up"}]}`: true,
	} {
		if got, err := p.Decode("/chat/completions", []byte(body)); err != nil || got.Aside != want {
			t.Errorf("%s: %+v, %v", body, got, err)
		}
	}
}

// Tools in namespaces, those that a search has found, and the model's own are all told.
func TestDecodeNamespaces(t *testing.T) {
	p, _ := Of("/responses")
	got, err := p.Decode("/responses", []byte(`{"tools": [{"type": "tool_search"}, {"type": "namespace", "name": "box", "tools": [{"name": "read"}]}],
		"input": [{"type": "tool_search_output", "call_id": "1", "tools": [{"type": "namespace", "name": "box", "tools": [{"name": "ls"}]}]}]}`))
	want := []Tool{{Name: "tool_search"}, {Namespace: "box", Name: "read"}, {Namespace: "box", Name: "ls"}}
	if err != nil || !reflect.DeepEqual(got.Tools, want) || got.Last.ID != "1" {
		t.Errorf("%+v, %v", got, err)
	}
}

// Plain or streamed, each protocol's answer has the call's name and its arguments, or the text.
func TestWrite(t *testing.T) {
	for _, path := range []string{"/messages", "/chat/completions", "/responses", ":generateContent"} {
		p, _ := Of(path)
		for _, stream := range []bool{true, false} {
			for _, c := range []struct {
				a    Answer
				want []string
			}{
				{Answer{ID: "7", Name: "read", Arguments: map[string]any{"path": "a"}}, []string{"read", "path", "7"}},
				{Answer{Text: "done"}, []string{"done"}},
			} {
				w := httptest.NewRecorder()
				if err := p.Write(w, Request{Stream: stream}, c.a); err != nil {
					t.Fatal(err)
				}
				for _, want := range c.want {
					if body := w.Body.String(); !strings.Contains(body, want) || stream != strings.HasPrefix(w.Header().Get("Content-Type"), "text/event") {
						t.Errorf("%s, stream %v: %s lacks %s", p.Name, stream, body, want)
					}
				}
			}
		}
	}
}
