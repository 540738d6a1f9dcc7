package commands

import (
	"reflect"
	"regexp"
	"testing"

	"fsbox/commands/command"
	"fsbox/commands/edit"
	"fsbox/commands/hint"
	"fsbox/commands/request"
)

// What a hint for an unknown field names is a field of the tool, or a tool.
func TestOtherNames(t *testing.T) {
	quoted := regexp.MustCompile(`"([a-z_]+)"`)
	var all []request.Field
	for _, tool := range All() {
		all = append(all, command.NewCall(tool).Fields...)
	}
	told := map[string]bool{}
	for _, tool := range All() {
		fields := command.NewCall(tool).Fields
		for _, other := range hint.OtherNames() {
			for _, name := range other.Names {
				if _, _, known := request.FindField(fields, name); known {
					continue
				}
				instead := request.Elsewhere(name, fields)
				told[name] = told[name] || instead != ""
				for _, word := range quoted.FindAllStringSubmatch(instead, -1) {
					_, _, isField := request.FindField(all, word[1])
					_, _, has := request.FindField(fields, word[1])
					if _, isTool := command.Find(All(), word[1]); isField && !has && !isTool {
						t.Errorf("%s has no field %q, which the hint for %q names", tool.Name, word[1], name)
					}
				}
			}
		}
	}
	line, item := request.Fields(reflect.TypeFor[batchLine]()), request.Fields(reflect.TypeFor[edit.Item]())
	for _, other := range hint.OtherNames() {
		for _, name := range other.Names {
			for _, fields := range [...][]request.Field{line, item} {
				_, _, known := request.FindField(fields, name)
				told[name] = told[name] || !known && request.Elsewhere(name, fields) != ""
			}
			if !told[name] {
				t.Errorf("%q is told to nobody: all that the hint is for have such a field", name)
			}
		}
	}
}
