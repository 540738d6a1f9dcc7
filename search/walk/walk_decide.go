package walk

import "strings"

// decider decides about names. It never changes, so several goroutines share it.
type decider struct {
	o        Options
	from     string // o.From, or o.Path if that is empty
	limit    int    // deepest level visited, 0 = no limit
	rules    bool   // ignore files are read
	enterGit bool   // .git is a folder like any other
}

func newDecider(o Options) decider {
	d := decider{o: o, from: o.From, limit: o.Depth, rules: o.Recursive && !o.NoIgnore}
	if !o.Recursive {
		d.limit = 1
	}
	if d.from == "" {
		d.from = o.Path
	}
	d.enterGit = hasComponent(d.from, ".git") || o.IncludeHidden && o.NoIgnore
	return d
}

type verdict uint8

const (
	verdictVisit verdict = iota
	verdictHidden
	verdictIgnored
	verdictBlocked
)

// decide decides whether one name of a folder is visited, counted and entered.
func (d *decider) decide(f *walkFolder, n *walkName) {
	name, dir := f.nameOf(n), n.kind.IsDir()
	switch {
	case !d.o.IncludeHidden && strings.HasPrefix(name, ".") && (f.glob == nil || !f.glob.Reveal(name)):
		n.verdict = verdictHidden
		return
	case n.path != d.o.Always && f.level.ignores(n.path, name, dir):
		n.verdict = verdictIgnored
		return
	case d.o.Blocked != nil && d.o.Blocked(n.path):
		n.verdict = verdictBlocked
	default:
		n.enters = dir && d.enters(f, n.path, name)
	}
	n.wanted = (f.glob == nil || f.glob.Match(name, dir)) && (d.o.Want == nil || d.o.Want(n.path, n.kind))
}

// enters decides whether the walk goes on inside a folder.
func (d *decider) enters(f *walkFolder, path, name string) bool {
	switch {
	case d.limit > 0 && f.depth >= d.limit:
		return false
	case name == ".git" && !d.enterGit:
		return false
	case f.glob != nil && !f.glob.LeadsInto(name):
		return false
	}
	return d.o.Enter == nil || d.o.Enter(path)
}
