package request

import (
	"fmt"
	"fsbox/commands/answer"
	"strings"
	"testing"
)

func TestParseObject(t *testing.T) {
	const example = `send one JSON object per request`
	for _, tt := range []struct{ in, id, members, message, hint string }{
		{in: "{}"},
		{in: " \n{ \"a\" : 1 ,\n\"b\":[ 2 ] } \n", members: `a=1 b=[ 2 ]`},
		{in: `{"b":null,"a":{"x":1},"a b":""}`, members: `b=null a={"x":1} a b=""`},
		{in: `{"p\u0061th":"x"}`, members: `path="x"`},
		{in: `{"id":{ "x" : [1,
			2] },"a":1}`, id: `{"x":[1,2]}`, members: `a=1`},
		{in: `{"a":1,"id":null}`, id: "null", members: `a=1`},
		{in: `{"id":12345678901234567890.50}`, id: "12345678901234567890.50"},
		{in: "", message: "the request is empty", hint: example},
		{in: " \n", message: "the request is empty", hint: example},
		{in: "[]", message: "a request is a JSON object, not an array", hint: example},
		{in: `"{}"`, message: "a request is a JSON object, not a string", hint: example},
		{in: "7", message: "a request is a JSON object, not a number", hint: example},
		{in: "null", message: "a request is a JSON object, not null", hint: example},
		{in: "true", message: "a request is a JSON object, not a boolean", hint: example},
		{in: `{"id":1}{}`, id: "1", message: "unexpected data after the JSON object", hint: "send one object per request"},
		{in: `{"id":1} x`, id: "1", message: "unexpected data after the JSON object", hint: "send one object per request"},
		{in: `{"id":1,"a":1,"a":2}`, id: "1", members: `a=1`, message: `key "a" appears twice`, hint: "give it once"},
		{in: `{"a":1,"\u0061":2}`, members: `a=1`, message: `key "a" appears twice`, hint: "give it once"},
		{in: `{"id":1,"id":2}`, id: "1", message: `key "id" appears twice`, hint: "give it once"},
		{in: `{"a":{"b":1,"b":2}}`, message: `key "b" appears twice`, hint: "give it once"},
		{in: `{"id":1,"a"`, id: "1", message: "the JSON object ends too early",
			hint: "close all brackets and quotes; if a long text was cut off, send it in parts"},
		{in: `{"a":"x`, message: "the JSON object ends too early",
			hint: "close all brackets and quotes; if a long text was cut off, send it in parts"},
		{in: `{`, message: "the JSON object ends too early",
			hint: "close all brackets and quotes; if a long text was cut off, send it in parts"},
	} {
		o, fail := ParseObject([]byte(tt.in))
		var members []string
		for _, m := range o.Members {
			members = append(members, m.Name+"="+string(m.Value))
		}
		if string(o.ID) != tt.id || strings.Join(members, " ") != tt.members {
			t.Errorf("%s: id %s, members %s", tt.in, o.ID, members)
		}
		checkFailure(t, tt.in, fail, tt.message, tt.hint)
	}
}

// checkFailure wants invalid_input with this message and hint, or no failure at all.
func checkFailure(t *testing.T, in string, fail *answer.Failure, message, hint string) {
	t.Helper()
	switch {
	case fail == nil && message == "":
	case fail == nil:
		t.Errorf("%s: no failure, want %q", in, message)
	case fail.Code != answer.CodeInvalidInput || fail.Message != message || fail.Hint != hint:
		t.Errorf("%s: %s %q, hint %q", in, fail.Code, fail.Message, fail.Hint)
	}
}

// What is no JSON at all is refused with the byte where it goes wrong.
func TestParseObjectSyntax(t *testing.T) {
	for in, at := range map[string]int{`{a:1}`: 1, `{"a":1,}`: 6, `{"a":01}`: 6, "{\"a\":\"\xff\"}": 6, "{\"a\":\"x\ny\"}": 7, `{"a":'x'}`: 5,
		`{"a":"\ud800"}`: 6, `{"a" 1}`: 5, `{"a":NaN}`: 5, "\xff": 0, "}": 0} {
		_, fail := ParseObject([]byte(in))
		if fail == nil || fail.Code != answer.CodeInvalidInput ||
			!strings.HasPrefix(fail.Message, fmt.Sprintf("not valid JSON at byte %d: ", at)) {
			t.Errorf("%q: %+v", in, fail)
		}
	}
}
