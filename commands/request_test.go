package commands

import (
	"context"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
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
		{in: `{"id":1}{}`, id: "1", message: "there is more after the JSON object", hint: "send one object per request"},
		{in: `{"id":1} x`, id: "1", message: "there is more after the JSON object", hint: "send one object per request"},
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
		o, fail := parseObject([]byte(tt.in))
		var members []string
		for _, m := range o.members {
			members = append(members, m.name+"="+string(m.value))
		}
		if string(o.id) != tt.id || strings.Join(members, " ") != tt.members {
			t.Errorf("%s: id %s, members %s", tt.in, o.id, members)
		}
		checkFailure(t, tt.in, fail, tt.message, tt.hint)
	}
}

// checkFailure wants invalid_input with this message and hint, or no failure at all.
func checkFailure(t *testing.T, in string, fail *Failure, message, hint string) {
	t.Helper()
	switch {
	case fail == nil && message == "":
	case fail == nil:
		t.Errorf("%s: no failure, want %q", in, message)
	case fail.Code != CodeInvalidInput || fail.Message != message || fail.Hint != hint:
		t.Errorf("%s: %s %q, hint %q", in, fail.Code, fail.Message, fail.Hint)
	}
}

// What is no JSON at all is refused with the byte where it goes wrong.
func TestParseObjectSyntax(t *testing.T) {
	for in, at := range map[string]int{`{a:1}`: 1, `{"a":1,}`: 6, `{"a":01}`: 6, "{\"a\":\"\xff\"}": 6, "{\"a\":\"x\ny\"}": 7, `{"a":'x'}`: 5,
		`{"a":"\ud800"}`: 6, `{"a" 1}`: 5, `{"a":NaN}`: 5, "\xff": 0, "}": 0} {
		_, fail := parseObject([]byte(in))
		if fail == nil || fail.Code != CodeInvalidInput || !strings.HasPrefix(fail.Message, fmt.Sprintf("not valid JSON at byte %d: ", at)) {
			t.Errorf("%q: %+v", in, fail)
		}
	}
}

// sample has a field of every type that requests have.
type sample struct {
	Text    string        `json:"text"`
	Maybe   *string       `json:"maybe"`
	Flag    bool          `json:"flag"`
	Count   int           `json:"count"`
	Large   int64         `json:"large"`
	Size    Size          `json:"size"`
	Time    time.Duration `json:"time"`
	List    []string      `json:"list"`
	Items   EditItems     `json:"items"`
	Path    string        `json:"path" aliases:"file"`
	Hidden  string        `json:"-"`
	Without string
}

func TestCoerce(t *testing.T) {
	const integer, boolean, duration = "an integer", "true or false", `a duration such as "10s"`
	const shorter = "an integer of at most 15 digits"
	hints := map[string]string{"text": `write {"text": "text"}`, "maybe": `write {"maybe": "text"}`, "flag": `write {"flag": true}`,
		"count": `write {"count": 10}`, "large": `write {"large": 10}`, "list": `write {"list": ["a", "b"]}`,
		"items": `write {"items": [{...}, {...}]}`} // the message of size and time has an example
	for _, tt := range []struct {
		field, value string
		want         any    // the value, or
		wrong        string // what it must be
	}{
		{"text", `"a\n\u00e9"`, "a\né", ""},
		{"text", `""`, "", ""},
		{"text", `7`, nil, "a string, not a number"},
		{"text", `true`, nil, "a string, not a boolean"},
		{"text", `[]`, nil, "a string, not an array"},
		{"text", `{}`, nil, "a string, not an object"},
		{"maybe", `""`, "", ""},
		{"maybe", `"x"`, "x", ""},
		{"maybe", `7`, nil, "a string, not a number"},
		{"flag", `true`, true, ""},
		{"flag", `"true"`, true, ""},
		{"flag", `"false"`, false, ""},
		{"flag", `1`, nil, boolean + ", not a number"},
		{"flag", `"yes"`, nil, boolean},
		{"flag", `""`, nil, boolean},
		{"flag", `[true]`, nil, boolean + ", not an array"},
		{"count", `7`, 7, ""},
		{"count", `-7`, -7, ""},
		{"count", `"7"`, 7, ""},
		{"count", `7.0`, 7, ""},
		{"count", `7e2`, 700, ""},
		{"count", `"2e2"`, 200, ""},
		{"count", `"007"`, 7, ""},
		{"count", `7.5`, nil, integer},
		{"count", `"7 "`, nil, integer},
		{"count", `"seven"`, nil, integer},
		{"count", `""`, nil, integer},
		{"count", `"0x1F"`, nil, integer},
		{"count", `"Inf"`, nil, integer},
		{"count", `"NaN"`, nil, integer},
		{"count", `true`, nil, integer + ", not a boolean"},
		{"large", `9223372036854775807`, int64(1<<63 - 1), ""},
		{"large", `-9223372036854775808`, int64(-1 << 63), ""},
		{"large", `9223372036854775808`, nil, shorter},
		{"large", `-99999999999999999999`, nil, shorter},
		{"large", `1e19`, nil, shorter},
		{"large", `1e400`, nil, shorter},
		{"large", `9007199254740991.0`, int64(1<<53 - 1), ""},
		{"large", `9007199254740993.0`, nil, shorter},
		{"large", `9007199254740993`, int64(1<<53 + 1), ""},
		{"large", `{}`, nil, integer + ", not an object"},
		{"size", `4096`, Size(4096), ""},
		{"size", `1e6`, Size(1_000_000), ""},
		{"size", `"64KiB"`, Size(64 << 10), ""},
		{"size", `"64kb"`, nil, "a number of bytes, such as 65536 or 64KiB"},
		{"size", `-1`, nil, "a number of bytes, such as 65536 or 64KiB"},
		{"size", `1.5`, nil, "a number of bytes, such as 65536 or 64KiB"},
		{"size", `true`, nil, integer + ", not a boolean"},
		{"time", `"1m30s"`, 90 * time.Second, ""},
		{"time", `"500ms"`, 500 * time.Millisecond, ""},
		{"time", `"10"`, nil, duration},
		{"time", `10`, nil, duration + ", not a number"},
		{"time", `"soon"`, nil, duration},
		{"list", `[]`, []string{}, ""},
		{"list", `["a","b c"]`, []string{"a", "b c"}, ""},
		{"list", `"a,b"`, []string{"a,b"}, ""},
		{"list", `"a\nb"`, []string{"a\nb"}, ""},
		{"list", `""`, []string{""}, ""},
		{"list", `7`, nil, "a list, not a number"},
		{"list", `{"a":1}`, nil, "a list, not an object"},
		{"items", `[]`, EditItems{}, ""},
		{"items", `"[]"`, EditItems{}, ""},
		{"items", `"[x"`, nil, "a list, not a string"},
		{"list", `"[\"a\",\"b\"]"`, []string{"a", "b"}, ""},
		{"list", `"[ab]"`, []string{"[ab]"}, ""},
		{"path", `"a/b"`, "a/b", ""},
		{"file", `"a/b"`, "a/b", ""},
		{"path_base64", `"Yf8="`, "a\xff", ""},
	} {
		v := reflect.New(reflect.TypeFor[sample]()).Elem()
		given, fail := fill(v, fieldsOf(v.Type()), []member{{name: tt.field, value: jsontext.Value(tt.value)}})
		f, _, _ := findField(fieldsOf(v.Type()), tt.field)
		wrong := tt.wrong
		if wrong != "" {
			wrong = fmt.Sprintf("%q must be %s", tt.field, wrong)
		}
		hint := ""
		if wrong != "" {
			hint = hints[tt.field]
		}
		checkFailure(t, tt.field+" "+tt.value, fail, wrong, hint)
		if fail != nil || wrong != "" {
			continue
		}
		got := v.Field(f.index)
		if got.Kind() == reflect.Pointer {
			got = got.Elem()
		}
		if !reflect.DeepEqual(got.Interface(), tt.want) || !given[f.name] || len(given) != 1 {
			t.Errorf("%s %s: %#v, given %v", tt.field, tt.value, got.Interface(), given)
		}
	}
}

func TestFill(t *testing.T) {
	const both = "needed are expected_text and replacement_text"
	known := "known fields: text, maybe, flag, count, large, size, time, list, items, path"
	for _, tt := range []struct{ in, given, message, hint string }{
		{`{}`, "", "", ""},
		{`{"text":"a","flag":true}`, "flag text", "", ""},
		{`{"text":null,"flag":null,"list":null,"items":null,"maybe":null}`, "", "", ""},
		{`{"path":null,"file":"x"}`, "path", "", ""},
		{`{"path":"x","path_base64":null}`, "path", "", ""},
		{`{"zzzzzz":1}`, "", `unknown field "zzzzzz"`, known},
		{`{"zzzzzz":null}`, "", `unknown field "zzzzzz"`, known},
		{`{"":1}`, "", `unknown field ""`, known},
		{`{"Text":"a"}`, "", `unknown field "Text"`, `did you mean "text"?`},
		{`{"txet":"a"}`, "", `unknown field "txet"`, `did you mean "text"?`},
		{`{"text_base64":"YQ=="}`, "", `unknown field "text_base64"`, known},
		{`{"hidden":"a"}`, "", `unknown field "hidden"`, known},
		{`{"Without":"a"}`, "", `unknown field "Without"`, known},
		{`{"path":"x","file":"x"}`, "", `"path" is given twice, as "path" and as "file"`, "give one of them"},
		{`{"path_base64":"eA==","path":"x"}`, "", `"path" is given twice, as "path_base64" and as "path"`, "give one of them"},
		{`{"path_base64":"*"}`, "", `"path_base64" is not base64`, ""},
		{`{"path_base64":"Yf8"}`, "", `"path_base64" is not base64`, ""},
		{`{"path_base64":7}`, "", `"path_base64" must be a string, not a number`, `write {"path_base64": "text"}`},
		{`{"list":["a",7]}`, "", `"list[1]" must be a string, not a number`, ""},
		{`{"list":["a",null]}`, "", `"list[1]" must be a string, not null`, ""},
		{`{"items":[{"expected_text":"a","replacement_text":""},{"old_str":"b","new_str":"c","replace_all":"true","expected_count":"2"}]}`,
			"items", "", ""},
		{`{"items":[7]}`, "", `"items[0]" must be an object, not a number`, ""},
		{`{"items":[null]}`, "", `"items[0]" must be an object, not null`, ""},
		{`{"items":[{}]}`, "", `in "items[0]": "expected_text" is missing`, both},
		{`{"items":[{"expected_text":"a"}]}`, "", `in "items[0]": "replacement_text" is missing`, both},
		{`{"items":[{"expected_text":"a","replacement_text":null}]}`, "", `in "items[0]": "replacement_text" is missing`, both},
		{`{"items":[{"expected_text":"a","replacement_text":"","path":"x"}]}`, "", `in "items[0]": unknown field "path"`,
			"known fields: expected_text, replacement_text, replace_all, expected_count, whole_word"},
		{`{"items":[{"expected_text":"a","replacement_text":"","id":1}]}`, "", `in "items[0]": unknown field "id"`,
			"known fields: expected_text, replacement_text, replace_all, expected_count, whole_word"},
		{`{"items":[{"expected_text":"a","old_str":"a","replacement_text":""}]}`, "",
			`in "items[0]": "expected_text" is given twice, as "expected_text" and as "old_str"`, "give one of them"},
		{`{"items":[{"expected_text":"a","replacement_text":"","expected_count":-1}]}`, "",
			`in "items[0]": "expected_count" can't be negative`, ""},
	} {
		o, fail := parseObject([]byte(tt.in))
		if fail != nil {
			t.Fatal(fail)
		}
		v := reflect.New(reflect.TypeFor[sample]()).Elem()
		given, fail := fill(v, fieldsOf(v.Type()), o.members)
		checkFailure(t, tt.in, fail, tt.message, tt.hint)
		var names []string
		for name := range given {
			names = append(names, name)
		}
		slices.Sort(names)
		if strings.Join(names, " ") != tt.given {
			t.Errorf("%s: given %v", tt.in, names)
		}
	}
}

// ruled has the rules that tags can state.
type ruled struct {
	Must   string `json:"must" need:""`
	Word   string `json:"word" default:"a" oneof:"a,b,x=b"`
	Line   int64  `json:"line" default:"1" signed:""`
	Count  int    `json:"count" default:"0"`
	Most   int64  `json:"most" default:"200" cap:"results"`
	Bytes  int64  `json:"bytes" default:"0" cap:"output"`
	Switch bool   `json:"switch"`
}

func TestCheckFields(t *testing.T) {
	limits := &Limits{MaxResults: 100, MaxOutputBytes: 1000}
	const lines = "lines are counted from 1; negative ones from the end"
	for _, tt := range []struct {
		in            string
		limits        *Limits
		message, hint string
		want          ruled
	}{
		{`{"must":""}`, nil, "", "", ruled{Word: "a", Line: 1, Most: 200}},
		{`{"must":""}`, limits, "", "", ruled{Word: "a", Line: 1, Most: 100}},
		{`{"must":"","most":100,"bytes":1000}`, limits, "", "", ruled{Word: "a", Line: 1, Most: 100, Bytes: 1000}},
		{`{"must":"","most":null}`, limits, "", "", ruled{Word: "a", Line: 1, Most: 100}},
		{`{"must":"","word":"b","line":-5,"count":3}`, limits, "", "", ruled{Word: "b", Line: -5, Count: 3, Most: 100}},
		{`{"must":"","word":"x"}`, nil, "", "", ruled{Word: "b", Line: 1, Most: 200}},
		{`{"must":"","most":1000000}`, nil, "", "", ruled{Word: "a", Line: 1, Most: 1000000}},
		{`{}`, nil, `"must" is missing`, `write {"must": ...}`, ruled{}},
		{`{"must":null}`, nil, `"must" is missing`, `write {"must": ...}`, ruled{}},
		{`{"must":"","word":"c"}`, nil, `"word" can't be "c"`, "it is one of a, b", ruled{}},
		{`{"must":"","word":""}`, nil, `"word" can't be ""`, "it is one of a, b", ruled{}},
		{`{"must":"","word":"A"}`, nil, `"word" can't be "A"`, "it is one of a, b", ruled{}},
		{`{"must":"","line":0}`, nil, `"line" can't be 0`, lines, ruled{}},
		{`{"must":"","count":-1}`, nil, `"count" can't be negative`, "", ruled{}},
		{`{"must":"","count":0}`, nil, "", "", ruled{Word: "a", Line: 1, Most: 200}},
		{`{"must":"","most":0}`, nil, `"most" must be greater than 0, not 0`, "", ruled{}},
		{`{"must":"","most":-1}`, limits, `"most" must be greater than 0, not -1`, "", ruled{}},
		{`{"must":"","most":101}`, limits, `"most" can be at most 100`, "the operator's limit max_results decides", ruled{}},
		{`{"must":"","bytes":1001}`, limits, `"bytes" can be at most 1000`, "the operator's limit max_output_bytes decides", ruled{}},
	} {
		o, fail := parseObject([]byte(tt.in))
		if fail != nil {
			t.Fatal(fail)
		}
		v := reflect.New(reflect.TypeFor[ruled]()).Elem()
		fields := fieldsOf(v.Type())
		if fail := setDefaults(v, fields); fail != nil {
			t.Fatal(fail)
		}
		given, fail := fill(v, fields, o.members)
		if fail == nil {
			fail = checkFields(v, fields, given, tt.limits)
		}
		checkFailure(t, tt.in, fail, tt.message, tt.hint)
		if fail == nil && v.Interface() != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.in, v.Interface(), tt.want)
		}
	}
}

// A list in a tag or in the environment is a JSON array, or one item a line.
func TestCoerceLines(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{" \n\n", nil},
		{"a", []string{"a"}},
		{" a \r\n\n b c\n", []string{"a", "b c"}},
		{"a,b", []string{"a,b"}},
		{`["a","b,c"]`, []string{"a", "b,c"}},
		{` [] `, []string{}},
		{"[ab]*.go", []string{"[ab]*.go"}},
		{"[ab]*\n[c]", []string{"[ab]*", "[c]"}},
	} {
		var list []string
		if fail := coerceText(reflect.ValueOf(&list).Elem(), tt.text, "list"); fail != nil || !reflect.DeepEqual(list, tt.want) {
			t.Errorf("%q: %q, %v", tt.text, list, fail)
		}
	}
	var list []string
	fail := coerceText(reflect.ValueOf(&list).Elem(), "[1]", "FSBOX_DENY")
	checkFailure(t, "[1]", fail, `"FSBOX_DENY[0]" must be a string, not a number`, "")
}

var requestSeeds = []string{`{}`, `{"path":"x"}`, `{"id":1,"path":"x","start_line":-3}`, `{"query":"q","glob":["*.go"],"context":"2"}`,
	`{"path":"x","edits":[{"old_str":"a","new_str":"b"}]}`, `{"path":"x","content":"\u0000\ud83d\ude00"}`, `{"path_base64":"Yf8="}`,
	`{"path":"x","path":"y"}`, `{"pattern":"q","query":"q"}`, `{"max_lines":1e3,"limit":2}`, `[{}]`, `{"a":`, "{\"path\":\"\xff\"}",
	`{"path":null}`}

// No text makes reading a request panic. What is taken is refused with a key that is unknown or
// appears twice, and what is refused is invalid_input.
func FuzzDecode(f *testing.F) {
	for _, seed := range requestSeeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		o, fail := parseObject(raw)
		for _, tool := range Tools() {
			c := newCall(tool)
			refused := fail
			if refused == nil {
				refused = c.decode(o)
			}
			if refused == nil {
				refused = checkFields(c.value, c.fields, c.given, &Limits{MaxResults: 10, MaxOutputBytes: 10})
			}
			if refused != nil {
				if refused.Code != CodeInvalidInput || refused.Message == "" {
					t.Fatalf("%s %q: %s %q", tool.Name, raw, refused.Code, refused.Message)
				}
				continue
			}
			for name := range c.given {
				if !slices.Contains(names(c.fields), name) {
					t.Fatalf("%s %q: given %q", tool.Name, raw, name)
				}
			}
			mustRefuse(t, tool, o, member{name: "no_such_field", value: jsontext.Value("1")})
			for _, m := range o.members {
				if m.value.Kind() != 'n' {
					mustRefuse(t, tool, o, m)
				}
			}
		}
	})
}

// mustRefuse adds a member to a request that was taken.
func mustRefuse(t *testing.T, tool Tool, o object, m member) {
	t.Helper()
	more := object{members: append(slices.Clone(o.members), m)}
	if fail := newCall(tool).decode(more); fail == nil || fail.Code != CodeInvalidInput {
		t.Fatalf("%s takes %q=%s after %v", tool.Name, m.name, m.value, o.members)
	}
}

// Whatever a stream holds, each answer is one line with a known code or success, and the program
// goes on to the end.
func FuzzBatch(f *testing.F) {
	for _, seed := range requestSeeds {
		f.Add("ls", []byte(seed))
		f.Add("grep", []byte(seed))
		f.Add("write_file", []byte(seed))
	}
	for _, seed := range streamSeeds {
		f.Add("read", []byte(seed))
	}
	known := map[Code]bool{}
	for _, code := range contractCodes {
		known[code] = true
	}
	f.Fuzz(func(t *testing.T, tool string, input []byte) {
		line, err := jsontext.AppendQuote([]byte(`{"id":"first","tool":`), tool)
		if err != nil {
			return
		}
		line = append(append(append(line, `,"input":`...), input...), "}\n"...)
		line = append(line, `{"id":"last","tool":"ls"}`...)
		env := testEnv(t, Settings{})
		var out strings.Builder
		p := Program{Stdin: strings.NewReader(string(line)), Stdout: &out, Stderr: io.Discard, Tools: Tools()}
		p.serveBatch(context.Background(), env, Batch{})
		all := answersIn(t, out.String())
		for _, a := range all {
			if a.Success == (a.Error != "") || a.Error != "" && !known[a.Error] || a.Message == "" {
				t.Fatalf("%q is answered by %+v", line, a)
			}
		}
		if last := all[len(all)-1]; string(last.ID) != `"last"` || !last.Success {
			t.Fatalf("%q ends with %+v", line, last)
		}
	})
}
