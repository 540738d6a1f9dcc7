package verb

import (
	"cmp"
	"reflect"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/hint"
	"fsbox/commands/request"
)

// Call is one request: its struct, and how the struct was filled.
type Call struct {
	Verb    Verb
	Request Request
	Value   reflect.Value   // the struct that Request points to
	Given   map[string]bool // names of the fields that the request gave, as flags or as JSON
	Agreed  [32]byte        // digest of the plan that a person said yes to
	decoded bool            // it came as JSON
	toolTags
}

// NewCall makes a call whose request has all defaults.
func NewCall(t Verb) *Call { return TagsRead{}.NewCall(t) }

// TagsRead keeps what the struct tags of each tool say, by name of the tool, so that a stream reads
// them only once.
type TagsRead map[string]toolTags

type toolTags struct {
	Fields     []request.Field
	LineFields []request.Field // with those that only a command line has
	defaults   reflect.Value   // a struct of which no field was given
}

func (r TagsRead) NewCall(t Verb) *Call {
	filled := t.New()
	value := reflect.ValueOf(filled).Elem()
	tags, known := r[t.Name]
	if !known {
		all := request.LineFields(value.Type())
		tags = toolTags{request.OfJSON(all), all, reflect.ValueOf(t.New()).Elem()}
		request.SetDefaults(tags.defaults, all)
		r[t.Name] = tags
	}
	value.Set(tags.defaults) // no list has a default, so nothing is shared
	return &Call{Verb: t, Request: filled, Value: value, toolTags: tags}
}

// Decode fills the call from a JSON object.
func (c *Call) Decode(o request.Object) *answer.Failure {
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
	c.ForgetDefaults()
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

// ForgetDefaults treats a field that was sent with its default as not sent: callers with strict
// schemas send every field. Fields that must be given are kept: they have no default. So is
// diff, which shows the diff in the text form if it was sent.
func (c *Call) ForgetDefaults() {
	for _, f := range c.Fields {
		if !c.Given[f.Name] || f.Need || f.Name == "diff" {
			continue
		}
		sent, absent := c.Value.Field(f.Index), c.defaults.Field(f.Index)
		isEmptyList := sent.Kind() == reflect.Slice && sent.Len() == 0
		if isEmptyList || sent.Comparable() && sent.Equal(absent) {
			delete(c.Given, f.Name)
			sent.Set(absent)
		}
	}
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
	r, ok := c.Request.(interface{ Creates(path string) bool })
	return c.Verb.Creates || asked != "" && c.Text("to") == asked || ok && r.Creates(asked)
}

// OddPath warns of a path that a change is about to make as it is written, although it looks as if
// something else was meant; "" if there is none.
func (c *Call) OddPath(exists func(path string) bool) (odd string) {
	for _, path := range c.Paths() {
		if c.Changes() && c.creates(path) {
			odd = cmp.Or(odd, hint.Odd(path, exists))
		}
	}
	return odd
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

// IsSet reports whether the request has a switch of this name, and it is on.
func (c *Call) IsSet(name string) bool {
	v := c.valueOf(name)
	return v.Kind() == reflect.Bool && v.Bool()
}

// Text is the value of a text field of the request, "" if it has no such field.
func (c *Call) Text(name string) string {
	if v := c.valueOf(name); v.Kind() == reflect.String {
		return v.String()
	}
	return ""
}

// valueOf is the value of a field, the zero Value if there is no such field.
func (c *Call) valueOf(name string) (v reflect.Value) {
	for _, f := range c.Fields {
		if f.Name == name {
			return c.Value.Field(f.Index)
		}
	}
	return v
}
