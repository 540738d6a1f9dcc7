package commands

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"fsbox/commands/edit"
	"fsbox/commands/request"
	"fsbox/commands/settings"
)

// sample has a field of every type that requests have.
type sample struct {
	Text    string        `json:"text"`
	Maybe   *string       `json:"maybe"`
	Flag    bool          `json:"flag"`
	Count   int           `json:"count"`
	Large   int64         `json:"large"`
	Size    settings.Size `json:"size"`
	Time    time.Duration `json:"time"`
	List    []string      `json:"list"`
	Items   edit.Items    `json:"items"`
	Path    string        `json:"path" aliases:"file"`
	Hidden  string        `json:"-"`
	Without string
}

func TestFill(t *testing.T) {
	known := "known fields: text, maybe, flag, count, large, size, time, list, items, path"
	for _, tt := range []struct{ in, given, message, hint string }{
		{`{}`, "", "", ""},
		{`{"text":"a","flag":true}`, "flag text", "", ""},
		{`{"text":null,"flag":null,"list":null,"items":null,"maybe":null}`, "", "", ""},
		{`{"path":null,"file":"x"}`, "path", "", ""},
		{`{"path":"x","path_base64":null}`, "path", "", ""},
		{`{"zzzzzz":1}`, "", `unknown field "zzzzzz"`, known},
		{`{"zzzzzz":null,"text":"a"}`, "text", "", ""},
		{`{"zzzzzz":null,"yyyyyy":1}`, "", `unknown field "yyyyyy"`, known},
		{`{"_meta":{"progressToken":1},"text":"a"}`, "text", "", ""},
		{`{"items":[{"expected_text":"a","replacement_text":"","_meta":{},"zzzzzz":null}]}`, "items", "", ""},
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
		{`{"path_base64":7}`, "", `"path_base64" must be a string, not a number`, `it is written {"path_base64": "text"}`},
		{`{"list":["a",7]}`, "", `"list[1]" must be a string, not a number`, ""},
		{`{"list":["a",null]}`, "", `"list[1]" must be a string, not null`, ""},
		{`{"items":[{"expected_text":"a","replacement_text":""},{"old_str":"b","new_str":"c","replace_all":"true","expected_count":"2"}]}`,
			"items", "", ""},
		{`{"items":[7]}`, "", `"items[0]" must be an object, not a number`, edit.Item{}.Form("")},
		{`{"items":[null]}`, "", `"items[0]" must be an object, not null`, edit.Item{}.Form("")},
		{`{"items":[{"expected_text":"a","replacement_text":"","path":"x"}]}`, "", `in "items[0]": unknown field "path"`,
			`one call edits one file: put its path next to "edits"`},
		{`{"items":[{"expected_text":"a","replacement_text":"","id":1}]}`, "", `in "items[0]": unknown field "id"`,
			"known fields: expected_text, replacement_text, replace_all, start_anchor, end_anchor, insert_after, expected_count, whole_word, " +
				"source_start, source_end, source_path, cut"},
		{`{"items":[{"expected_text":"a","old_str":"a","replacement_text":""}]}`, "",
			`in "items[0]": "expected_text" is given twice, as "expected_text" and as "old_str"`, "give one of them"},
		{`{"items":[{"expected_text":"a","replacement_text":"","expected_count":-1}]}`, "",
			`in "items[0]": "expected_count" can't be negative`, "omit it to use the default"},
	} {
		o, fail := request.ParseObject([]byte(tt.in))
		if fail != nil {
			t.Fatal(fail)
		}
		v := reflect.New(reflect.TypeFor[sample]()).Elem()
		given, fail := request.Fill(v, request.Fields(v.Type()), o.Members)
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

	Within time.Duration `json:"within"`
}

func TestCheckFields(t *testing.T) {
	limits := &request.Limits{MaxResults: 100, MaxOutputBytes: 1000}
	const lines = "lines are counted from 1; negative ones from the end"
	for _, tt := range []struct {
		in            string
		limits        *request.Limits
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
		{`{}`, nil, `"must" is missing`, `send {"must": "..."}`, ruled{}},
		{`{"must":null}`, nil, `"must" is missing`, `send {"must": "..."}`, ruled{}},
		{`{"must":"","word":"c"}`, nil, `"word" can't be "c"`, "it is one of a, b", ruled{}},
		{`{"must":"","word":""}`, nil, `"word" can't be ""`, "it is one of a, b", ruled{}},
		{`{"must":"","word":"A"}`, nil, `"word" can't be "A"`, "it is one of a, b", ruled{}},
		{`{"must":"","line":0}`, nil, `"line" can't be 0`, lines, ruled{}},
		{`{"must":"","count":-1}`, nil, `"count" can't be negative`, "omit it to use the default", ruled{}},
		{`{"must":"","count":0}`, nil, "", "", ruled{Word: "a", Line: 1, Most: 200}},
		{`{"must":"","most":0}`, nil, `"most" must be greater than 0, not 0`, "omit it to use the default", ruled{}},
		{`{"must":"","most":-1}`, limits, `"most" must be greater than 0, not -1`, "omit it to use the default", ruled{}},
		{`{"must":"","within":"0s"}`, nil, `"within" must be greater than 0, not 0s`, "it can be omitted", ruled{}},
		{`{"must":"","within":"-1h"}`, nil, `"within" must be greater than 0, not -1h0m0s`, "it can be omitted", ruled{}},
		{`{"must":"","within":"2m"}`, nil, "", "", ruled{Word: "a", Line: 1, Most: 200, Within: 2 * time.Minute}},
		{`{"must":"","most":101}`, limits, `"most" can be at most 100`, "the operator's limit max_results decides", ruled{}},
		{`{"must":"","bytes":1001}`, limits, `"bytes" can be at most 1000`, "the operator's limit max_output_bytes decides", ruled{}},
	} {
		o, fail := request.ParseObject([]byte(tt.in))
		if fail != nil {
			t.Fatal(fail)
		}
		v := reflect.New(reflect.TypeFor[ruled]()).Elem()
		fields := request.Fields(v.Type())
		request.SetDefaults(v, fields)
		given, fail := request.Fill(v, fields, o.Members)
		if fail == nil {
			fail = request.CheckFields(v, fields, given, tt.limits)
		}
		checkFailure(t, tt.in, fail, tt.message, tt.hint)
		if fail == nil && v.Interface() != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.in, v.Interface(), tt.want)
		}
	}
}

var requestSeeds = []string{`{}`, `{"path":"x"}`, `{"id":1,"path":"x","start_line":-3}`, `{"query":"q","glob":["*.go"],"context":"2"}`,
	`{"path":"x","edits":[{"old_str":"a","new_str":"b"}]}`, `{"path":"x","content":"\u0000\ud83d\ude00"}`, `{"path_base64":"Yf8="}`,
	`{"path":"x","path":"y"}`, `{"pattern":"q","query":"q"}`, `{"max_lines":1e3,"limit":2}`, `[{}]`, `{"a":`, "{\"path\":\"\xff\"}",
	`{"path":null}`}
