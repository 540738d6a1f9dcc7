package read

import (
	"math"

	"fsbox/commands/answer"
)

// lineRange is the first and the last line, which is -1 for the end.
type lineRange []int64

func (r lineRange) isValid() bool {
	return len(r) == 2 && r[0] != 0 && (r[1] == -1 || 0 < r[0] && r[0] <= r[1])
}

// TakeHabits puts the other forms of start_line and max_lines into these: offset, end_line and
// view_range.
func (r *Request) TakeHabits(given map[string]bool) *answer.Failure {
	for _, name := range []string{"end_line", "view_range"} {
		if given[name] && r.Cursor != "" {
			return answer.Failf(answer.CodeInvalidInput, "%q and %q are mutually exclusive", "cursor", name)
		}
	}
	r.takeOffset(given)
	if err := r.takeViewRange(given); err != nil {
		return err
	}
	return r.takeEndLine(given)
}

// takeOffset takes 0 for the first line: some programs count from there.
func (r *Request) takeOffset(given map[string]bool) {
	if !given["offset"] {
		return
	}
	delete(given, "offset")
	if *r.Offset != 0 && *r.Offset != 1 {
		r.StartLine, given["start_line"] = *r.Offset, true
	}
}

func (r *Request) takeViewRange(given map[string]bool) *answer.Failure {
	switch {
	case !given["view_range"]:
		return nil
	case !r.ViewRange.isValid():
		return answer.Failf(answer.CodeInvalidInput, "%q must be the first and the last line, counted from 1", "view_range").
			WithHint(`it is written {"view_range": [5, 10]}; [5, -1] reads to the end`)
	}
	delete(given, "view_range")
	if given["start_line"] {
		return givenTwice("start_line", "view_range")
	}
	r.StartLine, given["start_line"] = r.ViewRange[0], true
	return r.readTo(r.ViewRange[1], "view_range", given)
}

func (r *Request) takeEndLine(given map[string]bool) *answer.Failure {
	if !given["end_line"] {
		return nil
	}
	delete(given, "end_line")
	switch last := *r.EndLine; {
	case last == -1:
	case r.StartLine < 0:
		return answer.Failf(answer.CodeInvalidInput, "%q counts from the end, %q from the beginning", "start_line", "end_line").
			WithHint(`omit "end_line" and set "max_lines"`)
	case last < r.StartLine:
		return answer.Failf(answer.CodeInvalidInput, "%q is %d, before %q, %d", "end_line", last, "start_line", r.StartLine).
			WithHint("lines are counted from 1, and both lines are read")
	}
	return r.readTo(*r.EndLine, "end_line", given)
}

// readTo sets max_lines for the last line to read, -1 for the end. name is the field that has it.
func (r *Request) readTo(last int64, name string, given map[string]bool) *answer.Failure {
	if given["max_lines"] {
		return givenTwice("max_lines", name)
	}
	if r.MaxLines = last - r.StartLine + 1; last == -1 {
		r.MaxLines = math.MaxInt64 // which the operator's limit lowers
		return nil
	}
	given["max_lines"] = true
	return nil
}

// givenTwice refuses a field together with another name or form of it.
func givenTwice(name, also string) *answer.Failure {
	return answer.Failf(answer.CodeInvalidInput, "%[1]q is given twice, as %[1]q and as %[2]q", name, also).
		WithHint("give one of them")
}
