package patch

import (
	"fmt"
	"path"
	"slices"
)

// FilePlan is what a patch does to one file: its sections, in order, each on the outcome of the one
// before.
type FilePlan struct {
	Path, From string // From is the old name of a file that moves, else ""
	Sections   []*File
	Created    bool // an update is for a file that doesn't exist: it creates the file

	again bool // the patch deletes the file and then makes a new one
	heir  bool // an earlier section took away the file that had the name before
	index int  // of the plan among all
}

// FilePlans makes one plan for each file from the sections of a patch. names returns the paths of a
// section in their plain form, or why the section is refused. exists reports whether a file is at a
// path before the patch.
//
// Errors: *SyntaxError if sections about one file don't fit together, and those of names.
func (p *Patch) FilePlans(names func(*File) (path, from string, err error), exists func(path string) bool) ([]*FilePlan, error) {
	plans := planner{at: map[string]*FilePlan{}, exists: exists}
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
	plans.all = slices.DeleteFunc(plans.all, func(plan *FilePlan) bool { return plan == nil })
	return plans.all, plans.fits()
}

// planner groups sections by file.
type planner struct {
	all    []*FilePlan          // nil for one that came later again
	at     map[string]*FilePlan // by the name that the file has so far; nil if it has moved away, and no other file took that name
	exists func(path string) bool
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
					Cause: fmt.Sprintf("the patch creates a file %q, so %q can't be in a directory of that name", above, plan.Path)}
			}
		}
	}
	return nil
}

func (p *planner) add(plan *FilePlan) {
	_, seen := p.at[plan.Path]
	plan.index, plan.heir = len(p.all), seen
	p.all, p.at[plan.Path] = append(p.all, plan), plan
}

// rename adds a section that moves a file which sections before it are about. Its plan comes after
// that of a file which was at the new name and is deleted.
func (p *planner) rename(plan *FilePlan, f *File, path string) {
	p.all[plan.index], p.at[plan.Path] = nil, nil
	if plan.Path, plan.Sections = path, append(plan.Sections, f); plan.From == path {
		plan.From = ""
	}
	p.add(plan)
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
// file, the one that moves is the file that had the name before the patch; if none had, it is the
// file that has it now.
func (p *planner) move(f *File, path, from string) error {
	if path == from { // written in two ways, such as ./a and a
		return p.change(f, path)
	}
	if there := p.at[path]; there != nil && there.Action() != Delete {
		return repeated(f, path)
	}
	known, seen := p.at[from]
	switch {
	case !seen, known != nil && known.From != "" && !known.heir && p.exists(from):
		if !seen {
			p.at[from] = nil
		}
		p.add(&FilePlan{Path: path, From: from, Sections: []*File{f}})
	case known == nil, known.Action() == Delete, known.again:
		return repeated(f, from)
	default: // an earlier section made or changed the file, and it moves now
		if known.From == "" && known.Action() != Add {
			known.From = from
		}
		p.rename(known, f, path)
	}
	return nil
}

func repeated(f *File, path string) error {
	return &SyntaxError{Line: f.Line, Cause: fmt.Sprintf("%q occurs twice in the patch, in a way that can't be applied in one call", path),
		Remedy: "make one section of them, or send those that need the outcome of others in a second call"}
}

// Action is what the sections do to the file together.
func (f *FilePlan) Action() string {
	first := f.Sections[0].Action
	switch {
	case f.Created:
		return Add
	case f.From != "":
		return Move
	case f.again, first == Mode && len(f.Sections) > 1, first == Move: // it moves back
		return Update
	}
	return first
}

// IsPure reports whether no section has text: they move the file, set its mode or delete it, so the
// file may be binary.
func (f *FilePlan) IsPure() bool {
	return !slices.ContainsFunc(f.Sections, func(s *File) bool { return len(s.Hunks) > 0 || s.Action == Add })
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
