package edit

import (
	"slices"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/textio/edit"
)

// hintEmpty tells the way to what an edit without an expected text is meant to do: in several other
// programs it makes a file, or puts text at the top of one.
func hintEmpty(err error, path string, edits []edit.Edit) error {
	if !slices.ContainsFunc(edits, func(e edit.Edit) bool { return len(e.Expected) == 0 }) {
		return err
	}
	f := command.FailureOf(err)
	switch f.Code {
	case answer.CodeNotFound:
		return f.WithHint(`to make the file use write: {"path": %q, "content": "..."}`, path)
	case answer.CodeEmptyExpectedText:
		return f.WithHint(`to put text at the top send {"path": %q, "insert_after": "0", "replacement_text": "..."}`+
			"; to add to the end use append, to replace all of the file use write with mode overwrite", path)
	}
	return f
}
