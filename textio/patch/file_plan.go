package patch

import (
	"fmt"
	"path"
)

// FilePlan is what a patch does to one file: its sections, in order, each on the outcome of the one
// before.
type FilePlan struct {
	Path, From string // From is the old name of a file that moves, else ""
	Sections   []*File
	Created    bool // an update is for a file that doesn't exist: it creates the file

	again bool // the patch deletes the file and then makes a new one
}

// FilePlans makes one plan for each file from the sections of a patch. names returns the paths of a
// section in their plain form, or why the section is refused.
//
// Errors: *SyntaxError if sections about one file don't fit together, and those of names.
func (p *Patch) FilePlans(names func(*File) (path, from string, err error)) ([]*FilePlan, error) {
	plans := planner{at: map[string]*FilePlan{}}
	for i := range p.Files {
		f := &p.Files[i]
		path, from, err := names(f)
		if err != nil {
			return nil, err
		}
		if from == "" {
			err = plans.change(f, path)
		} else {
			err = plans.move(f, path, from)
		}
		if err != nil {
			return nil, err
		}
	}
	return plans.all, plans.fits()
}

// planner groups sections by file.
type planner struct {
	all []*FilePlan
	at  map[string]*FilePlan // by the name that the file has so far; nil if it has moved away, and no other file took that name
}

// fits refuses files that the patch puts into a folder where it puts a file.
func (p *planner) fits() error {
	made := map[string]bool{} // files that weren't there
	for _, plan := range p.all {
		if plan.Action() == Add || plan.Action() == Move {
			made[plan.Path] = true
		}
	}
	for _, plan := range p.all {
		for above := path.Dir(plan.Path); made[plan.Path] && above != "." && above != "/"; above = path.Dir(above) {
			if made[above] {
				return &SyntaxError{Line: plan.Sections[0].Line, Remedy: "give one of them another name",
					Cause: fmt.Sprintf("the patch makes a file %q, so %q can't be in a folder of that name", above, plan.Path)}
			}
		}
	}
	return nil
}

func (p *planner) add(plan *FilePlan) {
	p.all, p.at[plan.Path] = append(p.all, plan), plan
}

// change adds a section to the plan of its file.
func (p *planner) change(f *File, path string) error {
	known, seen := p.at[path]
	switch {
	case !seen, known == nil && f.Action == Add:
		p.add(&FilePlan{Path: path, Sections: []*File{f}})
		return nil
	case known == nil, f.Action == Delete:
		return repeated(f, path)
	case known.Action() == Delete && f.Action == Add:
		known.again = true
	case known.Action() == Delete, f.Action == Add:
		return repeated(f, path)
	}
	known.Sections = append(known.Sections, f)
	return nil
}

// move is change for a section that moves a file. If the same patch gives the old name to another
// file, the one that moves is the file that had the name before the patch.
func (p *planner) move(f *File, path, from string) error {
	if there := p.at[path]; there != nil && there.Action() != Delete {
		return repeated(f, path)
	}
	switch known, seen := p.at[from]; {
	case !seen:
		p.at[from] = nil
		p.add(&FilePlan{Path: path, From: from, Sections: []*File{f}})
	case known == nil:
		return repeated(f, from)
	case known.From != "":
		p.add(&FilePlan{Path: path, From: from, Sections: []*File{f}})
	case known.Action() == Add, known.Action() == Delete:
		return repeated(f, from)
	default: // the file was changed by an earlier section, and moves now
		known.Path, known.From, known.Sections = path, from, append(known.Sections, f)
		p.at[path], p.at[from] = known, nil
	}
	return nil
}

func repeated(f *File, path string) error {
	return &SyntaxError{Line: f.Line, Cause: fmt.Sprintf("%q comes twice in the patch, in a way that doesn't fit together", path),
		Remedy: "one section for each file is enough"}
}

// Action is what the sections do to the file together.
func (f *FilePlan) Action() string {
	first := f.Sections[0].Action
	switch {
	case f.Created:
		return Add
	case f.From != "":
		return Move
	case f.again, first == Mode && len(f.Sections) > 1:
		return Update
	}
	return first
}

// IsPure reports whether no section has text: they move the file, set its mode or delete it, so the
// file may be binary.
func (f *FilePlan) IsPure() bool {
	for _, s := range f.Sections {
		if len(s.Hunks) > 0 || s.Action == Add {
			return false
		}
	}
	return true
}

// Exec says whether the patch sets the right to execute the file, or takes it away; nil if it does
// neither.
func (f *FilePlan) Exec() *bool {
	for i := len(f.Sections) - 1; i >= 0; i-- {
		s := f.Sections[i]
		exec := s.NewMode&0o111 != 0
		switch {
		case s.NewMode == 0, s.NewMode == s.OldMode && s.Action != Add:
			continue
		case s.Action == Add && !exec:
			return nil
		}
		return &exec
	}
	return nil
}
