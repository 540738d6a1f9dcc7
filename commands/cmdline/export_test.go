package cmdline

import (
	"fsbox/commands/answer"
	"fsbox/commands/command"
)

// ParsePlain reads a line that is read without kong, and tells whether this is one.
func ParsePlain(args []string, all []command.Command) (*Line, bool) {
	a := cut(args, all)
	inv, plain := a.line()
	ok := plain && a.named && a.target != nil && a.page == "" && a.fail == nil && !a.document
	return inv, ok && inv.finish(a) == nil
}

// ParseWithKong has kong read all values of a line that has no other mistake.
func ParseWithKong(args []string, all []command.Command) (*Line, *answer.Failure) {
	a := cut(args, all)
	inv, _ := a.line()
	if fail := a.readWithKong(&inv.Settings); fail != nil {
		return inv, fail
	}
	return inv, inv.finish(a)
}

func (inv *Line) finish(a *arguments) *answer.Failure {
	if a.call == nil {
		return inv.takeSide(a, nil)
	}
	return inv.chooseSource(a.positions)
}
