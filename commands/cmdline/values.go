package cmdline

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"fsbox/commands/request"
	"fsbox/commands/verb"

	"github.com/alecthomas/kong"
	"github.com/go-json-experiment/json/jsontext"
)

// tieValues joins a value that begins with "-" to the flag before it, with "=", since kong would
// take it for a flag: --start-line -20, -A -1, --content "- item".
func tieValues(args []string, all []verb.Verb) []string {
	out := make([]string, 0, len(args))
	tied := -1 // index of the last value that was joined to a flag
	for i, a := range args {
		if a == "--" {
			return append(out, args[i:]...)
		}
		if i > 0 && tied != i-1 && strings.HasPrefix(a, "-") {
			if tie, ok := tieTo(args[i-1]); ok && (isNegative(a) || isProse(a) && takesText(args[i-1], all)) {
				out[len(out)-1] += tie + a
				tied = i
				continue
			}
		}
		out = append(out, a)
	}
	return out
}

// isNegative reports whether an argument that begins with "-" is a number.
func isNegative(arg string) bool {
	_, err := strconv.ParseUint(arg[1:], 10, 64)
	return err == nil
}

// isProse reports whether an argument that begins with "-" is text, such as a list item: a blank
// follows the dashes, and no flag has a blank in its name.
func isProse(arg string) bool {
	rest := strings.TrimLeft(arg, "-")
	return rest != "" && request.IsBlank(rest[0])
}

// takesText reports whether the value of a flag is text.
func takesText(flag string, all []verb.Verb) bool {
	name, long := strings.CutPrefix(flag, "--")
	for _, t := range all {
		f, _, ok := request.FindField(verb.NewCall(t).Fields, request.KeyOf(name))
		if long && ok && f.Kind == reflect.String {
			return true
		}
	}
	return false
}

// tieTo gives what is written between a flag and its value in one argument: "=" for a long flag,
// nothing for a short one. ok is false if the argument is no flag, or has its value already.
func tieTo(flag string) (tie string, ok bool) {
	switch {
	case strings.HasPrefix(flag, "--"):
		return "=", !strings.Contains(flag, "=")
	case len(flag) == 2 && flag[0] == '-':
		return "", flag[1] > '9'
	}
	return "", false
}

// takeItems reads the value of --edits, which is JSON, and that of --view-range, which may lack
// brackets.
func takeItems(ctx *kong.DecodeContext, target reflect.Value) error {
	name := request.KeyOf(ctx.Value.Name)
	token, err := ctx.Scan.PopValue(name)
	if err != nil {
		return err
	}
	text, want := fmt.Sprint(token.Value), "a JSON array of edits"
	if target.Type().Elem().Kind() == reflect.Int64 {
		text, want = "["+strings.Trim(text, "[]")+"]", "two line numbers, such as 5,10"
	}
	if value := jsontext.Value(text); !value.IsValid() || value.Kind() != '[' && value.Kind() != '{' {
		return errors.New("expected " + want)
	}
	if fail := request.Coerce(target, jsontext.Value(text), name); fail != nil {
		return fail
	}
	return nil
}
