package transaction_test

import (
	"slices"
	"strings"
	"testing"

	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/fixture"
	"fsbox/sandbox/policy"
)

// asIn takes the links out of a list of names that are or were in a tree, if the tree has none.
// Both are as names makes them.
func asIn(tree, list string) string {
	if strings.Contains(tree, " => ") {
		return list
	}
	return strings.Join(slices.DeleteFunc(strings.Split(list, ", "), func(name string) bool { return strings.Contains(name, " => ") }), ", ")
}

// withNames adds to a list made by names.
func withNames(list, added string) string {
	all := strings.Split(list, ", ")
	if added != "" {
		all = append(all, strings.Split(added, ", ")...)
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// rulesOf are the rules of a deny and a deny_write list.
func rulesOf(t testing.TB, deny, denyWrite []string) *policy.Rules {
	t.Helper()
	p, err := policy.New(deny, denyWrite)
	disktest.Must(t, err)
	return p
}

// every is the distance between the points that a test looks at, of many in a row: 1 with -sweep,
// which takes all.
func every(n int) int {
	if *fixture.Sweep {
		return 1
	}
	return n
}
