package verb

import (
	"fsbox/commands/answer"
	"fsbox/commands/request"
	"reflect"
	"slices"
	"strings"
)

// Call is one request: its struct, and how the struct was filled.
type Call struct {
	Verb    Verb
	Request Request
	Value   reflect.Value // the struct that request points to
	Fields  []request.Field
	tags    *toolTags
	Given   map[string]bool // names of the fields that the request gave, as flags or as JSON
	Agreed  [32]byte        // digest of the plan that a person said yes to
	decoded bool            // it came as JSON
}

func NewCall(t Verb) *Call { return TagsRead{}.NewCall(t) }

// TagsRead keeps what the struct tags of each tool say, by name of the tool, so that a stream reads
// them only once.
type TagsRead map[string]*toolTags

type toolTags struct {
	fields []request.Field
	fresh  reflect.Value // a request with all defaults, for copying; invalid before the first use
}

func (r TagsRead) NewCall(t Verb) *Call {
	filled := t.New()
	value := reflect.ValueOf(filled).Elem()
	tags, ok := r[t.Name]
	if !ok {
		tags = &toolTags{fields: request.Fields(value.Type())}
		r[t.Name] = tags
	}
	return &Call{Verb: t, Request: filled, Value: value, Fields: tags.fields, tags: tags}
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

// Decode fills the call from a JSON object.
func (c *Call) Decode(o request.Object) *answer.Failure {
	if err := c.tags.setDefaults(c.Value); err != nil {
		return err
	}
	for _, m := range o.Members {
		if err := request.CheckLength(m.Name, request.CountItems(m.Value)); err != nil {
			return err
		}
	}
	c.decoded = true
	var err *answer.Failure
	c.Given, err = request.Fill(c.Value, c.Fields, o.Members)
	return err
}

// Check checks the fields of a request, and leaves those out that were sent with their defaults.
func (c *Call) Check(limits *request.Limits) *answer.Failure {
	if err := c.checkHabits(); err != nil {
		return err
	}
	if err := c.ForgetDefaults(); err != nil {
		return err
	}
	if r, ok := c.Request.(interface {
		TakeHabits(given map[string]bool) *answer.Failure
	}); ok {
		if err := r.TakeHabits(c.Given); err != nil {
			return err
		}
	}
	if err := request.CheckFields(c.Value, c.Fields, c.Given, limits); err != nil {
		if !c.decoded && request.Lacking(c.Fields, c.Given) != "" {
			err.WithHint("%s", c.LineForm())
		}
		return err
	}
	if r, ok := c.Request.(interface {
		CheckGiven(given map[string]bool) *answer.Failure
	}); ok {
		return r.CheckGiven(c.Given)
	}
	return nil
}

// checkHabits refuses a habit together with a field that it stands for.
func (c *Call) checkHabits() *answer.Failure {
	for _, f := range c.Fields {
		for _, name := range f.Means {
			if c.Given[f.Name] && c.Given[name] && !isSilent(c.Value.Field(f.Index)) {
				return answer.Failf(answer.CodeInvalidInput, "%q is given twice, as %q and as %q", name, name, f.Name).WithHint("give one of them")
			}
		}
	}
	return nil
}

// isSilent reports whether a value without a default says nothing.
func isSilent(v reflect.Value) bool { return v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0 }

// LineForm shows a command line with what the command needs.
func (c *Call) LineForm() string {
	line := "fsbox " + c.Verb.Name
	for _, f := range c.Fields {
		switch {
		case f.Arg && f.Need:
			line += " " + strings.ToUpper(f.Name)
		case f.NeedJSON:
			line += " --" + f.Flag + " TEXT"
		}
	}
	return line
}

// ForgetDefaults makes a field that was sent with its default one that was not sent: callers with
// strict schemas send every field. Fields that must be given are kept: they have no default. So is
// diff, which shows the diff in the text form if it was sent.
func (c *Call) ForgetDefaults() *answer.Failure {
	for _, f := range c.Fields {
		if !c.Given[f.Name] || f.Need || f.Name == "diff" {
			continue
		}
		sent := c.Value.Field(f.Index)
		absent := reflect.New(sent.Type()).Elem()
		if f.HasDef {
			if err := request.CoerceText(absent, f.Def, f.Name); err != nil {
				return err
			}
		}
		isEmptyList := sent.Kind() == reflect.Slice && sent.Len() == 0
		if isEmptyList || sent.Comparable() && sent.Equal(absent) {
			delete(c.Given, f.Name)
			sent.Set(absent)
		}
	}
	return nil
}

// Changes reports whether a request will change files: neither a dry run nor an undo with list.
func (c *Call) Changes() bool { return c.Verb.Writes && !c.IsSet("dry_run") && !c.IsSet("list") }

// Deletes reports whether a call needs --allow-delete, too: because of its tool, or because of what
// the request asks for.
func (c *Call) Deletes() bool {
	r, ok := c.Request.(interface{ Deletes() bool })
	return c.Verb.Deletes || ok && r.Deletes()
}

// creates reports whether a request makes a file or folder where a path leads to nothing yet.
func (c *Call) creates(asked string) bool {
	return c.Verb.Creates || slices.ContainsFunc(c.Fields, func(f request.Field) bool { return f.Name == "to" }) && c.Text("to") == asked
}

// LacksArgument reports whether a command got no argument and needs one.
func (c *Call) LacksArgument() bool {
	if r, ok := c.Request.(TextRequest); ok && r.LacksText() {
		return true
	}
	return request.Lacking(c.Fields, c.Given) != ""
}

// Paths are the paths that a request names; none if the request may be about any path.
func (c *Call) Paths() (all []string) {
	for _, f := range c.Fields {
		if path := c.Value.Field(f.Index); f.IsPath() && path.String() != "" {
			all = append(all, path.String())
		}
	}
	return all
}

func (c *Call) IsSet(name string) bool {
	return slices.ContainsFunc(c.Fields, func(f request.Field) bool {
		return f.Name == name && f.Kind == reflect.Bool &&
			c.Value.Field(f.Index).Bool()
	})
}

// Text is the value of a text field of the request, "" if it has no such field.
func (c *Call) Text(name string) string {
	for _, f := range c.Fields {
		if f.Name == name {
			return c.Value.Field(f.Index).String()
		}
	}
	return ""
}
