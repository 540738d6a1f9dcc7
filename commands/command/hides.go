package command

import (
	"reflect"

	"fsbox/commands/request"
)

// Hides reports whether a field is one that models aren't told of, unless the operator defines all
// fields: it is rare in the tool that has it; of another tool's field, in all that have it.
func Hides(t Command, all []Command, field string) bool {
	if rare, has := isRare(t, field); has {
		return rare
	}
	hidden := false
	for _, other := range all {
		switch rare, has := isRare(other, field); {
		case has && !rare:
			return false
		case has:
			hidden = true
		}
	}
	return hidden
}

func isRare(t Command, field string) (rare, has bool) {
	if t.New == nil {
		return false, false
	}
	for _, f := range request.Fields(reflect.TypeOf(t.New()).Elem()) {
		if f.Name == field {
			return f.Rare && !f.Told, true
		}
	}
	return false, false
}
