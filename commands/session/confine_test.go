package session

import (
	"testing"

	"fsbox/commands/settings"
	"fsbox/commands/verb"
)

// A process none of whose tools changes files asks the kernel for no right to write, whatever gates
// are open.
func TestMayWrite(t *testing.T) {
	read, edit := verb.Call{Verb: verb.Verb{Name: "read"}}, verb.Call{Verb: verb.Verb{Name: "edit", Writes: true}}
	for _, tt := range []struct {
		open bool
		all  []verb.Verb
		only *verb.Call
		want bool
	}{
		{true, []verb.Verb{read.Verb, edit.Verb}, nil, true},
		{true, []verb.Verb{read.Verb}, nil, false},
		{false, []verb.Verb{read.Verb, edit.Verb}, nil, false},
		{true, []verb.Verb{read.Verb, edit.Verb}, &read, false},
		{true, []verb.Verb{read.Verb, edit.Verb}, &edit, true},
		{false, []verb.Verb{read.Verb, edit.Verb}, &edit, false},
	} {
		s := &settings.Loaded{}
		s.AllowWrite = tt.open
		if got := mayWrite(&verb.Env{Settings: s, Verbs: tt.all}, tt.only); got != tt.want {
			t.Errorf("gate open %v, tools %v, command %v: %v", tt.open, verb.Names(tt.all), tt.only, got)
		}
	}
}
