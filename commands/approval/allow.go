package approval

import (
	"slices"
	"strings"

	"fsbox/sandbox/policy"
)

// letsThrough reports whether approve_allow covers every path that would change, as asked and with
// links resolved. A glob with "!" takes out what it matches, and everything in that. It also takes
// out every change of a whole folder, in which it may match something.
func (d Desk) letsThrough(plan *Plan) bool {
	var covers, keeps []string
	for _, glob := range d.env.Settings.AllowRules {
		if kept, ok := strings.CutPrefix(glob, "!"); ok {
			keeps = append(keeps, kept)
		} else {
			covers = append(covers, glob)
		}
	}
	if len(covers) == 0 || plan.cut || plan.IsTree && len(keeps) > 0 {
		return false
	}
	covered, err := policy.NewExact(covers)
	if err != nil {
		return false
	}
	kept, err := policy.New(keeps, nil)
	return err == nil && !slices.ContainsFunc(plan.changed, func(path string) bool {
		return !covered.Check(path, false).Blocks() || kept.Check(path, false).Blocks()
	})
}
