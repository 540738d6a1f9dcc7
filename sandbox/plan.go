package sandbox

import (
	"context"
	"io/fs"
	"slices"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/history"
)

// plan is a change: the steps that it takes, and how the journal describes it. run makes it whole
// or not at all: see doc.go.
type plan struct {
	*lockSet
	steps         []*step
	entry         *history.Entry   // without items for the removal of a special file, of which nothing is kept
	sources       []history.Source // of the old contents, one for each item of the entry; nil for what is new
	ready         func()           // is called when everything that arrives is made, before the entry is kept; may be nil
	mayLackRecord bool             // do without a record if there is no state folder

	inJournal bool // the entry is
	record    *history.Record
}

// grow makes room for so many steps: of thousands, the room that append takes is too much.
func (p *plan) grow(n int) {
	p.steps = slices.Grow(p.steps, n)
	p.entry.Items, p.sources = slices.Grow(p.entry.Items, n), slices.Grow(p.sources, n)
}

// add adds a step, and what the journal says of it.
func (p *plan) add(s *step, saved history.Item, from history.Source) {
	p.steps = append(p.steps, s)
	p.note(saved, from)
}

// note adds what the journal says of a name.
func (p *plan) note(saved history.Item, from history.Source) {
	p.entry.Items, p.sources = append(p.entry.Items, saved), append(p.sources, from)
}

// recorded describes the plan for its record.
func (p *plan) recorded() *history.Entry {
	r := *p.entry
	r.Items = make([]history.Item, len(p.steps))
	for i, s := range p.steps {
		if r.Items[i] = s.recorded(); s.temp == fixedTemp {
			r.Items[i].Temp = "" // who locks the folder looks after that: see clearFolder
		}
	}
	return &r
}

// step is one name that a plan changes. What has the name before, and what arrives, are kept under
// the step's temporary name until the whole plan is done. There are four kinds:
//
//	give      nothing has the name, and something arrives
//	exchange  a file or link has the name, and something arrives
//	take      a file or folder has the name, and nothing arrives
//	rename    a file or folder moves to the name from another target
type step struct {
	p        *Target
	creates  creation // nil for a take and a rename
	from     *Target  // of a rename
	replaces bool     // a rename replaces what has the name: an empty folder, or a file on a system that can't exchange names
	mayExist bool     // of a give: if somebody has taken the name by now, the call begins again, and replaces that; else it fails
	info     dir.Info // of what has the name, or of what is renamed
	oldTag   string   // tells it from any other: see tag.go
	newTag   string   // the same of what arrives
	tree     string   // of a folder that is taken away: state of all that is in it, which must be the same then; "" if it may change
	moved    bool     // what is taken away has its new name already, so that a change of its content is no loss
	kept     string   // name of the old content in the state folder, "" for none

	meanwhile func() error // is called while the disk writes a new file; may be nil

	temp    string   // temporary name, first of what arrives, then of what is displaced
	hasTemp bool     // something that this plan has to remove has the temporary name
	made    dir.Info // of what arrives, when it is ready
	lost    dir.Lost // what a new file lacks that the old one had
	linked  bool     // the file itself is kept, not a copy of it
	inPlace bool     // a folder that can't be renamed: it is removed at the end
	done    bool     // it is made
}

// isTree reports whether what arrives or what is displaced may be a folder.
func (s *step) isTree() bool {
	switch s.creates.(type) {
	case newFolder, *copied:
		return true
	}
	return s.info.Mode.IsDir()
}

// recorded describes the step for a record, from which it can be undone.
func (s *step) recorded() history.Item {
	f := history.Item{Path: s.p.Path, Kind: history.Exchange, Kept: s.kept, Temp: s.temp, FileID: s.info.ID(), Old: s.oldTag, New: s.newTag}
	switch {
	case s.from != nil:
		f.Kind, f.From = history.Rename, s.from.Path
	case s.creates == nil:
		f.Kind = history.Take
	case !s.p.Exists:
		f.Kind, f.FileID = history.Give, s.made.ID()
	}
	if s.isTree() {
		f.Mode = fs.ModeDir
	}
	return f
}

// arrival is what gets a name: a new file, a second name of a file, a copy, a link or a folder.
type creation interface {
	// make makes it, and syncs it, under the temporary name of the step. It sets what the step
	// knows about it.
	make(ctx context.Context, w *Workspace, s *step) error
}
