package commands

import (
	"fsbox/commands/answer"
	"reflect"
	"slices"
	"strings"
)

// call is one request: its struct, and how the struct was filled.
type call struct {
	tool    Tool
	request Request
	value   reflect.Value // the struct that request points to
	fields  []field
	tags    *toolTags
	given   map[string]bool // names of the fields that the request gave, as flags or as JSON
	agreed  digest          // of the plan that a person said yes to
	decoded bool            // it came as JSON
}

func newCall(t Tool) *call { return tagsRead{}.newCall(t) }

// tagsRead keeps what the struct tags of each tool say, by name of the tool, so that a stream reads
// them only once.
type tagsRead map[string]*toolTags

type toolTags struct {
	fields []field
	fresh  reflect.Value // a request with all defaults, for copying; invalid before the first use
}

func (r tagsRead) newCall(t Tool) *call {
	request := t.New()
	value := reflect.ValueOf(request).Elem()
	tags, ok := r[t.Name]
	if !ok {
		tags = &toolTags{fields: fieldsOf(value.Type())}
		r[t.Name] = tags
	}
	return &call{tool: t, request: request, value: value, fields: tags.fields, tags: tags}
}

// setDefaults gives every field of a request the default of its tag.
func (t *toolTags) setDefaults(v reflect.Value) *answer.Failure {
	if t.fresh.IsValid() {
		v.Set(t.fresh) // no list has a default, so nothing is shared
		return nil
	}
	if err := setDefaults(v, t.fields); err != nil {
		return err
	}
	t.fresh = reflect.New(v.Type()).Elem()
	t.fresh.Set(v)
	return nil
}

// decode fills the call from a JSON object.
func (c *call) decode(o object) *answer.Failure {
	if err := c.tags.setDefaults(c.value); err != nil {
		return err
	}
	for _, m := range o.members {
		if err := checkLength(m.name, countItems(m.value)); err != nil {
			return err
		}
	}
	c.decoded = true
	var err *answer.Failure
	c.given, err = fill(c.value, c.fields, o.members)
	return err
}

// check checks the fields of a request, and leaves those out that were sent with their defaults.
func (c *call) check(limits *Limits) *answer.Failure {
	if err := c.forgetDefaults(); err != nil {
		return err
	}
	if err := checkFields(c.value, c.fields, c.given, limits); err != nil {
		if !c.decoded && lacking(c.fields, c.given) != "" {
			err.WithHint("%s", c.lineForm())
		}
		return err
	}
	if r, ok := c.request.(interface {
		checkGiven(given map[string]bool) *answer.Failure
	}); ok {
		return r.checkGiven(c.given)
	}
	return nil
}

// lineForm shows a command line with what the command needs.
func (c *call) lineForm() string {
	line := "fsbox " + c.tool.Name
	for _, f := range c.fields {
		switch {
		case f.arg && f.need:
			line += " " + strings.ToUpper(f.name)
		case f.needJSON:
			line += " --" + f.flag() + " TEXT"
		}
	}
	return line
}

// forgetDefaults makes a field that was sent with its default one that was not sent: callers with
// strict schemas send every field. Fields that must be given are kept: they have no default.
func (c *call) forgetDefaults() *answer.Failure {
	for _, f := range c.fields {
		if !c.given[f.name] || f.need {
			continue
		}
		sent := c.value.Field(f.index)
		absent := reflect.New(sent.Type()).Elem()
		if f.hasDef {
			if err := coerceText(absent, f.def, f.name); err != nil {
				return err
			}
		}
		isEmptyList := sent.Kind() == reflect.Slice && sent.Len() == 0
		if isEmptyList || sent.Comparable() && sent.Equal(absent) {
			delete(c.given, f.name)
			sent.Set(absent)
		}
	}
	return nil
}

// changes reports whether a request will change files: neither a dry run nor an undo with list.
func (c *call) changes() bool { return c.tool.Writes && !c.isSet("dry_run") && !c.isSet("list") }

// deletes reports whether a call needs --allow-delete, too: because of its tool, or because of what
// the request asks for.
func (c *call) deletes() bool {
	r, ok := c.request.(interface{ deletes() bool })
	return c.tool.Deletes || ok && r.deletes()
}

// creates reports whether a request makes a file or folder where a path leads to nothing yet.
func (c *call) creates(asked string) bool {
	switch c.tool.Name {
	case "write", "append", "mkdir":
		return true
	case "copy", "move":
		return c.text("to") == asked
	}
	return false
}

// lacksArgument reports whether a command got no argument and needs one.
func (c *call) lacksArgument() bool {
	if r, ok := c.request.(textRequest); ok && r.lacksText() {
		return true
	}
	return lacking(c.fields, c.given) != ""
}

// paths are the paths that a request names; none if the request may be about any path.
func (c *call) paths() (all []string) {
	for _, f := range c.fields {
		if path := c.value.Field(f.index); f.isPath() && path.String() != "" {
			all = append(all, path.String())
		}
	}
	return all
}

func (c *call) isSet(name string) bool {
	return slices.ContainsFunc(c.fields, func(f field) bool {
		return f.name == name && f.kind == reflect.Bool &&
			c.value.Field(f.index).Bool()
	})
}

// text is the value of a text field of the request, "" if it has no such field.
func (c *call) text(name string) string {
	for _, f := range c.fields {
		if f.name == name {
			return c.value.Field(f.index).String()
		}
	}
	return ""
}
