package command

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/hint"
	"fsbox/commands/request"
)

// Call is one request: its struct, and how the struct was filled.
type Call struct {
	Command Command
	Request Request
	Value   reflect.Value   // the struct that Request points to
	Given   map[string]bool // names of the fields that the request gave, as flags or as JSON
	Agreed  [32]byte        // digest of the plan that a person said yes to
	decoded bool            // it came as JSON
	request.Tags
}

// NewCall makes a call whose request has all defaults.
func NewCall(t Command) *Call {
	filled := t.New()
	value := reflect.ValueOf(filled).Elem()
	tags := request.TagsOf(value.Type())
	for _, f := range tags.LineFields { // no list has a default, so nothing is shared
		if f.HasDef {
			value.Field(f.Index).Set(tags.Defaults.Field(f.Index))
		}
	}
	return &Call{Command: t, Request: filled, Value: value, Tags: tags}
}

// Decode fills the call from a JSON object.
func (c *Call) Decode(o request.Object) *answer.Failure {
	for _, m := range o.Members {
		if m.Value.Kind() == '[' && request.CountItems(m.Value) > request.MaxItems {
			return request.TooMany(m.Name)
		}
	}
	c.decoded = true
	var err *answer.Failure
	c.Given, err = request.Fill(c.Value, c.Fields, request.Without(o.Members, c.Command.Idle))
	if c.Command.Implied != "" {
		c.imply(c.Command.Implied)
	}
	if err != nil && err.Hint == request.OnePath && c.Command.ForList != "" {
		return err.WithHint("%s", c.Command.ForList)
	}
	return err
}

// imply sets a boolean field to true, unless the request gave it or its opposite.
func (c *Call) imply(name string) {
	for _, f := range c.Fields {
		v := c.Value.Field(f.Index)
		isOpposite := slices.Contains(f.Means, request.Not+name) && !v.IsZero()
		if c.Given[f.Name] && (f.Name == name || isOpposite) {
			return
		}
	}
	if f, _, ok := request.FindField(c.Fields, name); ok && c.Given != nil {
		c.Value.Field(f.Index).SetBool(true)
		c.Given[f.Name] = true
	}
}

// Check checks the fields of a request, and leaves those out that were sent with their defaults.
func (c *Call) Check(limits *request.Limits) *answer.Failure {
	for _, f := range c.Fields {
		if len(f.Means) > 0 && c.Given[f.Name] {
			if err := c.checkHabit(f); err != nil {
				return err
			}
		}
	}
	c.takeOpposites()
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

// checkHabit refuses a habit together with a field that it stands for, unless its value says
// nothing.
func (c *Call) checkHabit(f request.Field) *answer.Failure {
	v := c.Value.Field(f.Index)
	if v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0 {
		return nil
	}
	for _, name := range f.Means {
		name = strings.TrimPrefix(name, request.Not)
		if c.Given[name] {
			return answer.Failf(answer.CodeInvalidInput, "%q is given twice, as %q and as %q", name, name, f.Name).WithHint("give one of them")
		}
	}
	return nil
}

// takeOpposites sets the fields whose opposite was given.
func (c *Call) takeOpposites() {
	for _, f := range c.Fields {
		if len(f.Means) != 1 || !c.Given[f.Name] {
			continue
		}
		name, opposite := strings.CutPrefix(f.Means[0], request.Not)
		if v := c.Value.Field(f.Index); opposite && !v.IsNil() {
			means, _, _ := request.FindField(c.Fields, name)
			c.Value.Field(means.Index).SetBool(!v.Elem().Bool())
			delete(c.Given, f.Name)
			c.Given[name] = true
		}
	}
}

// LineForm shows a command line with what the command needs.
func (c *Call) LineForm() string {
	line := "fsbox " + c.Command.Name
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
// schemas send every field. Fields that must be given are kept: they have no default. So are
// numbers and durations whose tag has none, of which 0 is no good value, and diff, which shows the
// diff in the text form if it was sent.
func (c *Call) ForgetDefaults() {
	for _, f := range c.Fields {
		if !c.Given[f.Name] || f.Need || f.Name == "diff" || request.IsInteger(f.Kind) && !f.HasDef {
			continue
		}
		sent, absent := c.Value.Field(f.Index), c.Defaults.Field(f.Index)
		isEmptyList := sent.Kind() == reflect.Slice && sent.Len() == 0
		if isEmptyList || sent.Comparable() && sent.Equal(absent) {
			delete(c.Given, f.Name)
			sent.Set(absent)
		}
	}
}

// Changes reports whether a request will change files: neither a dry run nor an undo with list.
func (c *Call) Changes() bool { return c.Command.Writes && !c.IsSet("dry_run") && !c.IsSet("list") }

// Deleter is a request that needs --allow-delete, too, for what it asks for.
type Deleter interface{ Deletes() bool }

// Creator is a request that makes a file or folder where one of its paths leads to nothing yet.
type Creator interface{ Creates(path string) bool }

// OddPath warns of a path that a change is about to make as it is written, although it looks as if
// something else was meant; "" if there is none.
func (c *Call) OddPath(r Creator, exists func(path string) bool) (odd string) {
	for _, path := range c.Paths() {
		if r.Creates(path) {
			odd = cmp.Or(odd, hint.Odd(path, exists))
		}
	}
	return odd
}

// LacksArgument reports whether a command got no argument and needs one.
func (c *Call) LacksArgument() bool {
	r, ok := c.Request.(TextRequest)
	return ok && r.LacksText() || request.Lacking(c.Fields, c.Given) != ""
}

// Paths are the paths that a request names; none if the request may be about any path.
func (c *Call) Paths() (all []string) {
	for _, f := range c.Fields {
		if v := c.Value.Field(f.Index); f.IsPath() && v.String() != "" {
			all = append(all, v.String())
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

// valueOf is the value of a field, the zero Value if the request has no such field.
func (c *Call) valueOf(name string) reflect.Value {
	for _, f := range c.Fields {
		if f.Name == name {
			return c.Value.Field(f.Index)
		}
	}
	return reflect.Value{}
}
