package command

import (
	"reflect"
	"slices"

	"fsbox/commands/request"
)

// Defined are the tools that a model is told of: those that the operator's settings open, and of
// those OptIn the ones that the settings name.
func Defined(env *Env) []Command {
	only, _ := env.Settings.ToolNames()
	return slices.DeleteFunc(ForModels(env.Commands), func(t Command) bool {
		return t.Closed(&env.Settings.Settings, t.Deletes) != nil || t.OptIn && len(only) == 0
	})
}

// Hides reports whether a field is one that a caller of t isn't told of: none of the offered tools
// has it, though one of all has, or, without the rare ones, it is rare in t or in all of the others
// that have it.
func Hides(t Command, offered, all []Command, field string, withoutRare bool) bool {
	if rare, has := isRare(t, field); has {
		return rare && withoutRare
	}
	hasField := func(other Command) bool {
		_, has := isRare(other, field)
		return has
	}
	isTold := func(other Command) bool {
		rare, has := isRare(other, field)
		return has && !(rare && withoutRare)
	}
	return slices.ContainsFunc(all, hasField) && !slices.ContainsFunc(offered, isTold)
}

func isRare(t Command, field string) (rare, has bool) {
	if t.New == nil {
		return false, false
	}
	for _, f := range request.Fields(reflect.TypeOf(t.New()).Elem()) {
		if f.Name == field {
			return f.Rare, true
		}
	}
	return false, false
}
