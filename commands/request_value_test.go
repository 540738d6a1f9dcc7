package commands

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"fsbox/commands/edit"
	"fsbox/commands/request"
	"fsbox/commands/settings"

	"github.com/go-json-experiment/json/jsontext"
)

func TestCoerce(t *testing.T) {
	const integer, boolean, duration = "an integer", "true or false", `a duration in h, m, s or ms, such as "1h30m"`
	const shorter = "an integer of at most 15 digits"
	hints := map[string]string{"text": `it is written {"text": "text"}`, "maybe": `it is written {"maybe": "text"}`,
		"flag":  `it is written {"flag": true}`,
		"count": `it is written {"count": 10}`, "large": `it is written {"large": 10}`, "list": `it is written {"list": ["a", "b"]}`,
		"items": `it is written {"items": [{...}, {...}]}`} // the message of size and time has an example
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
		{"size", `4096`, settings.Size(4096), ""},
		{"size", `1e6`, settings.Size(1_000_000), ""},
		{"size", `"64KiB"`, settings.Size(64 << 10), ""},
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
		{"items", `[]`, edit.Items{}, ""},
		{"items", `"[]"`, edit.Items{}, ""},
		{"items", `"[x"`, nil, "a list, not a string"},
		{"list", `"[\"a\",\"b\"]"`, []string{"a", "b"}, ""},
		{"list", `"[ab]"`, []string{"[ab]"}, ""},
		{"path", `"a/b"`, "a/b", ""},
		{"file", `"a/b"`, "a/b", ""},
		{"path_base64", `"Yf8="`, "a\xff", ""},
	} {
		v := reflect.New(reflect.TypeFor[sample]()).Elem()
		given, fail := request.Fill(v, request.Fields(v.Type()), []request.Member{{Name: tt.field, Value: jsontext.Value(tt.value)}})
		f, _, _ := request.FindField(request.Fields(v.Type()), tt.field)
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
		got := v.Field(f.Index)
		if got.Kind() == reflect.Pointer {
			got = got.Elem()
		}
		if !reflect.DeepEqual(got.Interface(), tt.want) || !given[f.Name] || len(given) != 1 {
			t.Errorf("%s %s: %#v, given %v", tt.field, tt.value, got.Interface(), given)
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
		{" a \r\n\n b c\n", []string{" a ", " b c"}},
		{"{a,b}\nnull", []string{"{a,b}", "null"}},
		{"7", []string{"7"}},
		{"a,b", []string{"a,b"}},
		{`["a","b,c"]`, []string{"a", "b,c"}},
		{` [] `, []string{}},
		{"[ab]*.go", []string{"[ab]*.go"}},
		{"[ab]*\n[c]", []string{"[ab]*", "[c]"}},
	} {
		var list []string
		if fail := request.CoerceText(reflect.ValueOf(&list).Elem(), tt.text, "list"); fail != nil || !reflect.DeepEqual(list, tt.want) {
			t.Errorf("%q: %q, %v", tt.text, list, fail)
		}
	}
	for _, text := range []string{`{"a":1}`, " null\n", `"a"`, `["a"`, `["a",]`, `{"a":`, `[{"a":1}]`, "[null]"} {
		var list []string
		if fail := request.CoerceText(reflect.ValueOf(&list).Elem(), text, "list"); fail == nil || fail.Code != "invalid_input" {
			t.Errorf("%s: %q, %v", text, list, fail)
		}
	}
	var list []string
	fail := request.CoerceText(reflect.ValueOf(&list).Elem(), "[1]", "FSBOX_DENY")
	checkFailure(t, "[1]", fail, `"FSBOX_DENY[0]" must be a string, not a number`, "")
}
