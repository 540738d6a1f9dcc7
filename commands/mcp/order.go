package mcp

import "strings"

// order makes calls that may change the same path run in the order in which they came.
type order struct{ changing []*task } // those that have not ended, in order

// enter adds a task. It reports whether the task may run at once.
func (o *order) enter(t *task) bool {
	if len(t.changes) == 0 {
		return true
	}
	for _, earlier := range o.changing {
		if overlap(earlier.changes, t.changes) {
			t.waits++
			earlier.waiters = append(earlier.waiters, t)
		}
	}
	o.changing = append(o.changing, t)
	return t.waits == 0
}

// leave removes a task that has ended, and gives those that waited for nothing else.
func (o *order) leave(t *task) (ready []*task) {
	for i, other := range o.changing {
		if other == t {
			o.changing = append(o.changing[:i:i], o.changing[i+1:]...)
			break
		}
	}
	for _, later := range t.waiters {
		if later.waits--; later.waits == 0 {
			ready = append(ready, later)
		}
	}
	return ready
}

func overlap(a, b []string) bool {
	for _, one := range a {
		for _, other := range b {
			if holds(one, other) || holds(other, one) {
				return true
			}
		}
	}
	return false
}

// holds tells whether path is folder or lies in it.
func holds(folder, path string) bool {
	rest, ok := strings.CutPrefix(path, folder)
	return folder == "." || ok && (rest == "" || rest[0] == '/')
}
