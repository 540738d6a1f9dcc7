package approval

import (
	"slices"

	"fsbox/sandbox/policy"
)

// place is a path that a plan changes.
type place struct {
	path   string
	folder bool // a folder is there, or is made there
}

// letsThrough reports whether approve_allow covers every path that would change, as asked and with
// links resolved. No change of a whole folder passes if a glob with "!" takes something out: it may
// match something in that.
func (d Desk) letsThrough(plan *Plan) bool {
	allowed, err := policy.NewAllowance(d.env.Settings.AllowRules)
	if err != nil || allowed.Empty || plan.cut || plan.IsTree && allowed.Keeps {
		return false
	}
	return !slices.ContainsFunc(plan.changed, func(p place) bool { return !allowed.Allows(p.path, p.folder) })
}
