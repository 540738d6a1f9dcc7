package walk

import "strings"

// judge decides about names. It isn't changed by use: several goroutines share it.
type judge struct {
	o        Options
	from     string // o.From, or o.Path
	limit    int    // deepest level visited, 0 = no limit
	rules    bool   // ignore rules hold
	enterGit bool   // .git is a folder like any other
}

func newJudge(o Options) judge {
	j := judge{o: o, from: o.From, limit: o.Depth, rules: o.Recursive && !o.NoIgnore}
	if !o.Recursive {
		j.limit = 1
	}
	if j.from == "" {
		j.from = o.Path
	}
	j.enterGit = hasComponent(j.from, ".git") || o.IncludeHidden && o.NoIgnore
	return j
}

type verdict uint8

const (
	verdictVisit verdict = iota
	verdictHidden
	verdictIgnored
	verdictBlocked
)

// decide decides whether one name of a folder is visited, counted and entered.
func (j *judge) decide(f *walkFolder, n *walkName) {
	name, dir := f.nameOf(n), n.kind.IsDir()
	switch {
	case !j.o.IncludeHidden && strings.HasPrefix(name, ".") && (f.glob == nil || !f.glob.Reveal(name)):
		n.verdict = verdictHidden
		return
	case n.path != j.o.Always && f.level.ignores(n.path, name, dir):
		n.verdict = verdictIgnored
		return
	case j.o.Blocked != nil && j.o.Blocked(n.path):
		n.verdict = verdictBlocked
	default:
		n.enters = dir && j.enters(f, n.path, name)
	}
	n.wanted = (f.glob == nil || f.glob.Match(name, dir)) && (j.o.Want == nil || j.o.Want(n.path, n.kind))
}

// enters decides whether the walk goes on inside a folder.
func (j *judge) enters(f *walkFolder, path, name string) bool {
	switch {
	case j.limit > 0 && f.depth >= j.limit:
		return false
	case name == ".git" && !j.enterGit:
		return false
	case f.glob != nil && !f.glob.LeadsInto(name):
		return false
	}
	return j.o.Enter == nil || j.o.Enter(path)
}
