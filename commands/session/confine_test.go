package session

import (
	"testing"

	"fsbox/commands/command"
	"fsbox/commands/settings"
)

// A process none of whose tools changes files asks the kernel for no right to write, whatever gates
// are open.
func TestMayWrite(t *testing.T) {
	read, edit := command.Call{Command: command.Command{Name: "read"}}, command.Call{Command: command.Command{Name: "edit", Writes: true}}
	for _, tt := range []struct {
		open bool
		all  []command.Command
		only *command.Call
		want bool
	}{
		{true, []command.Command{read.Command, edit.Command}, nil, true},
		{true, []command.Command{read.Command}, nil, false},
		{false, []command.Command{read.Command, edit.Command}, nil, false},
		{true, []command.Command{read.Command, edit.Command}, &read, false},
		{true, []command.Command{read.Command, edit.Command}, &edit, true},
		{false, []command.Command{read.Command, edit.Command}, &edit, false},
	} {
		s := &settings.Loaded{}
		s.AllowWrite = tt.open
		if got := mayWrite(&command.Env{Settings: s, Commands: tt.all}, tt.only); got != tt.want {
			t.Errorf("gate open %v, tools %v, command %v: %v", tt.open, command.Names(tt.all), tt.only, got)
		}
	}
}
