package commands

import (
	"fsbox/commands/answer"
	"fsbox/commands/request"
	"reflect"
	"slices"
	"strings"
)

// call is one request: its struct, and how the struct was filled.
type call struct {
	tool    Tool
	request Request
	value   reflect.Value // the struct that request points to
	fields  []request.Field
	tags    *toolTags
	given   map[string]bool // names of the fields that the request gave, as flags or as JSON
	agreed  [32]byte        // digest of the plan that a person said yes to
	decoded bool            // it came as JSON
}

func newCall(t Tool) *call { return tagsRead{}.newCall(t) }

// tagsRead keeps what the struct tags of each tool say, by name of the tool, so that a stream reads
// them only once.
type tagsRead map[string]*toolTags

type toolTags struct {
	fields []request.Field
	fresh  reflect.Value // a request with all defaults, for copying; invalid before the first use
}

func (r tagsRead) newCall(t Tool) *call {
	filled := t.New()
	value := reflect.ValueOf(filled).Elem()
	tags, ok := r[t.Name]
	if !ok {
		tags = &toolTags{fields: request.Fields(value.Type())}
		r[t.Name] = tags
	}
	return &call{tool: t, request: filled, value: value, fields: tags.fields, tags: tags}
}

// setDefaults gives every field of a request the default of its tag.
func (t *toolTags) setDefaults(v reflect.Value) *answer.Failure {
	if t.fresh.IsValid() {
		v.Set(t.fresh) // no list has a default, so nothing is shared
		return nil
	}
	if err := request.SetDefaults(v, t.fields); err != nil {
		return err
	}
	t.fresh = reflect.New(v.Type()).Elem()
	t.fresh.Set(v)
	return nil
}

// decode fills the call from a JSON object.
func (c *call) decode(o request.Object) *answer.Failure {
	if err := c.tags.setDefaults(c.value); err != nil {
		return err
	}
	for _, m := range o.Members {
		if err := request.CheckLength(m.Name, request.CountItems(m.Value)); err != nil {
			return err
		}
	}
	c.decoded = true
	var err *answer.Failure
	c.given, err = request.Fill(c.value, c.fields, o.Members)
	return err
}

// check checks the fields of a request, and leaves those out that were sent with their defaults.
func (c *call) check(limits *request.Limits) *answer.Failure {
	if err := c.forgetDefaults(); err != nil {
		return err
	}
	if err := request.CheckFields(c.value, c.fields, c.given, limits); err != nil {
		if !c.decoded && request.Lacking(c.fields, c.given) != "" {
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
		case f.Arg && f.Need:
			line += " " + strings.ToUpper(f.Name)
		case f.NeedJSON:
			line += " --" + f.Flag() + " TEXT"
		}
	}
	return line
}

// forgetDefaults makes a field that was sent with its default one that was not sent: callers with
// strict schemas send every field. Fields that must be given are kept: they have no default.
func (c *call) forgetDefaults() *answer.Failure {
	for _, f := range c.fields {
		if !c.given[f.Name] || f.Need {
			continue
		}
		sent := c.value.Field(f.Index)
		absent := reflect.New(sent.Type()).Elem()
		if f.HasDef {
			if err := request.CoerceText(absent, f.Def, f.Name); err != nil {
				return err
			}
		}
		isEmptyList := sent.Kind() == reflect.Slice && sent.Len() == 0
		if isEmptyList || sent.Comparable() && sent.Equal(absent) {
			delete(c.given, f.Name)
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
	return c.tool.Creates || slices.ContainsFunc(c.fields, func(f request.Field) bool { return f.Name == "to" }) && c.text("to") == asked
}

// lacksArgument reports whether a command got no argument and needs one.
func (c *call) lacksArgument() bool {
	if r, ok := c.request.(textRequest); ok && r.lacksText() {
		return true
	}
	return request.Lacking(c.fields, c.given) != ""
}

// paths are the paths that a request names; none if the request may be about any path.
func (c *call) paths() (all []string) {
	for _, f := range c.fields {
		if path := c.value.Field(f.Index); f.IsPath() && path.String() != "" {
			all = append(all, path.String())
		}
	}
	return all
}

func (c *call) isSet(name string) bool {
	return slices.ContainsFunc(c.fields, func(f request.Field) bool {
		return f.Name == name && f.Kind == reflect.Bool &&
			c.value.Field(f.Index).Bool()
	})
}

// text is the value of a text field of the request, "" if it has no such field.
func (c *call) text(name string) string {
	for _, f := range c.fields {
		if f.Name == name {
			return c.value.Field(f.Index).String()
		}
	}
	return ""
}
