package policy

import "strings"

// Allowance is a list of patterns for paths that may be changed without asking. One with "!" takes
// out what it matches, and everything in that, wherever it is in the list.
type Allowance struct {
	covers, keeps *Rules
	Keeps         bool // there is one with "!"
	Empty         bool // it allows nothing
}

// NewAllowance compiles patterns that match names as this system compares them, and to the letter
// only the one path that they name. Those with "!" are read as those of New. The error is a
// *PatternError.
func NewAllowance(patterns []string) (*Allowance, error) {
	var covers, keeps []string
	for _, pattern := range patterns {
		if kept, ok := strings.CutPrefix(pattern, "!"); ok {
			keeps = append(keeps, kept)
			if _, err := New([]string{pattern}, nil); err != nil {
				return nil, err // which has the pattern with its sign
			}
		} else {
			covers = append(covers, pattern)
		}
	}
	a := &Allowance{Keeps: len(keeps) > 0, Empty: len(covers) == 0}
	if a.Empty {
		return a, nil
	}
	var err error
	if a.covers, err = compile(covers, nil, Fold, true); err != nil {
		return nil, err
	}
	a.keeps, err = New(keeps, nil)
	return a, err
}

// Allows reports whether a path may be changed without asking. A pattern with a slash at its end
// allows a folder, and no file of its name.
func (a *Allowance) Allows(path string, folder bool) bool {
	if a.Empty {
		return false
	}
	names := a.covers.spell(path)
	names.folder = folder
	_, covered := a.covers.deny.match(names)
	return covered && !a.keeps.Check(path, false).Blocks()
}
