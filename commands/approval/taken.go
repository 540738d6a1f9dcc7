package approval

import (
	"context"
	"fmt"
	"slices"

	"fsbox/commands/command"
	"fsbox/commands/words"
	"fsbox/sandbox/disk/pathname"
	"fsbox/sandbox/disk/stat"
	"fsbox/textio"
	"fsbox/textio/diff"
)

// TakenPath is a file, link or folder that a change removes, or replaces by something else.
type TakenPath struct {
	words.PathName
	Type string `json:"type"`          // file, directory, symlink or other
	Size int64  `json:"size,omitzero"` // of a file, in bytes
}

// losses are the files that a change removes or replaces and that the diff of the dry run doesn't
// show. Up to planBytes of their contents become a part of the plan's diff.
type losses struct {
	unlisted int   // how many names Taken lacks
	bytes    int64 // bytes of contents that were read for the diff
}

// maxTaken is how many removed or replaced names a plan lists. The digest covers all of them.
const maxTaken = 10_000

// goes reports whether what is at a path is taken away or replaced.
func goes(c *command.Change, path string) bool {
	return slices.Contains(c.Takes, path) || c.Over != "" && path == c.Over
}

// lose lists one name that is removed or replaced, and adds its text to the diff. below says that
// the folder that it is in goes.
func (d Desk) lose(ctx context.Context, p *Plan, path string, info stat.Info, below bool) {
	if len(p.Taken) == maxTaken {
		p.unlisted++
		p.DiffTruncated, p.TakenTruncated = true, true
		return
	}
	one := takenPath(path, info)
	p.Taken = append(p.Taken, one)
	gone := deed{kind: deedDelete, noun: one.noun(), path: path, below: below, size: one.Size}
	if path == p.Over {
		gone.kind = deedReplace
	}
	if info.Mode.IsRegular() {
		d.showLoss(ctx, p, gone, info)
	} else {
		p.addDeed(gone)
	}
}

// showLoss adds the diff of a file that is removed or replaced.
func (d Desk) showLoss(ctx context.Context, p *Plan, gone deed, info stat.Info) {
	path := gone.path
	c := textio.Contents{Path: path, Removed: path != p.Over}
	var ok bool
	if c.Old, ok = d.lostContent(ctx, p, path, info.Size); ok && path == p.Over {
		c.New, ok = d.arriving(ctx, p, info)
	}
	if !ok {
		p.DiffTruncated, gone.unseen = true, true
		p.addDeed(gone)
		return
	}
	p.print(gone, func(maxLines int) diff.Printed {
		shown, words := c.Show("", maxLines)
		p.noteWords(path, words)
		return shown
	})
}

// arriving reads the new content of what is replaced.
func (d Desk) arriving(ctx context.Context, p *Plan, old stat.Info) (content []byte, ok bool) {
	st, err := d.env.Workspace.Stat(pathname.InRoot(p.Source))
	if err != nil || !st.Exists || !p.reads(p.Source) && st.IsLink() {
		return nil, false
	}
	if !p.reads(p.Source) { // a copy leaves the mode as it is
		p.noteMode(p.Over, old.Mode, st.Mode, false)
	}
	size := st.Size
	if st.Target != nil {
		size = st.Target.Size
	}
	return d.lostContent(ctx, p, p.Source, size)
}

// lostContent reads a file, unless the plan would then have read more than planBytes.
func (d Desk) lostContent(ctx context.Context, p *Plan, path string, size int64) (content []byte, ok bool) {
	if p.bytes += size; p.bytes > planBytes {
		p.bytes -= size
		return nil, false
	}
	f, err := d.env.Workspace.OpenFile(pathname.InRoot(path))
	if err != nil {
		return nil, false
	}
	defer f.Close()
	content, err = f.ReadAll(ctx, planBytes)
	return content, err == nil
}

func (t TakenPath) line(command string) string {
	name := words.VisibleName(t.Path)
	switch t.Type {
	case "file":
		return fmt.Sprintf("%s: %s, %s", command, name, words.Plural(t.Size, "byte"))
	case "directory":
		return command + ": " + name + "/"
	}
	return fmt.Sprintf("%s: %s, %s", command, name, words.Kind(t.Type))
}
