package approval

import (
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"slices"

	"fsbox/commands/command"
	"fsbox/commands/words"
	"fsbox/sandbox"
	"fsbox/sandbox/disk/pathname"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/tree"
)

// seal looks at every file of the plan, and computes the digest.
func (d Desk) seal(ctx context.Context, c *command.Call, p *Plan) error {
	p.etags, p.agreed, p.found = map[string]string{}, map[string]sandbox.Agreed{}, map[string]TakenPath{}
	p.entries = map[string]int{}
	h := sha256.New()
	root, err := d.env.Workspace.Lstat(".")
	if err != nil {
		return err
	}
	fmt.Fprintf(h, "fsbox request 2\n%q %s\n%q\n", d.env.Workspace.ResolvedRoot(), root.ID(), c.Command.Name)
	for _, f := range c.Fields {
		if f.Name != "approval" && f.Name != "dry_run" && f.Name != "diff" {
			fmt.Fprintf(h, "%q=", f.Name)
			writeCanonical(h, c.Value.Field(f.Index))
			io.WriteString(h, "\n")
		}
	}
	for _, path := range slices.Concat(p.Proposal.Paths, p.Read) {
		if err := d.look(ctx, h, p, path); err != nil {
			return err
		}
	}
	p.finishDeeds()
	p.writeNotes()
	all := p.printed.All()
	p.Diff, p.raw, p.DiffTruncated, p.printed = all.Text, all.Text, p.DiffTruncated || all.Truncated, command.Diffs{}
	if shown := words.VisibleDiff(p.Diff); shown != p.Diff {
		p.Diff, p.Effect = shown, p.Effect+EscapesNote
	}
	fmt.Fprintf(h, "%q\n%q %q %q %v %v\n", p.stamps, p.Effect, p.Undoes, p.Diff, p.DiffTruncated, p.cut)
	h.Sum(p.digest[:0])
	return nil
}

// look adds the state of a path to the digest, and notes it in p.agreed.
func (d Desk) look(ctx context.Context, h hash.Hash, p *Plan, path string) error {
	st, err := d.env.Workspace.Stat(pathname.InRoot(path))
	if st == nil {
		return err
	}
	// an error is for a link that can't be followed, such as one that leads outside: it may be
	// moved or removed
	fmt.Fprintf(h, "%q %q %q %d %v ", path, st.Path, st.LinkTarget, st.Missing, err != nil)
	p.noteChanged(path, st)
	p.notePath(path, st)
	if st.Exists {
		p.found[path] = takenPath(path, st.Info)
	}
	what := st
	if st.IsLink() && st.Target != nil {
		what = st.Target
	}
	tag, err := d.state(ctx, h, p, path, st, what)
	if err != nil {
		return err
	}
	p.agree(st, what, tag, p.stamps[path])
	if goes(&p.Change, path) {
		d.loseAt(ctx, p, path, st, what)
	}
	return nil
}

// noteChanged adds a changed path to p.changed: as asked, with links resolved, and for a link its
// target.
func (p *Plan) noteChanged(path string, st *sandbox.Stat) {
	if p.reads(path) {
		return
	}
	folder := st.Mode.IsDir() || !st.Exists && p.Folder
	p.changed = append(p.changed, place{path, folder}, place{st.Path, folder})
	if st.LinkTarget != "" {
		p.changed = append(p.changed, place{st.LinkTarget, st.Target != nil && st.Target.Mode.IsDir()})
	}
}

// reads reports whether a path is only read, as the source of a copy is.
func (p *Plan) reads(path string) bool { return slices.Contains(p.Read, path) }

// agree notes what is at a path, and if that is a link, what the link leads to. tag is the tag of
// the file or folder to which the path leads in the end, and kept the stamp of a folder that an
// undo brings back.
func (p *Plan) agree(st, what *sandbox.Stat, tag, kept string) {
	own := sandbox.Agreed{Exists: st.Exists, Info: st.Info, Missing: st.Missing, Tag: tag, Kept: kept}
	if st.LinkTarget == "" {
		p.agreed[st.Path] = own
		return
	}
	target := sandbox.Agreed{Missing: st.Missing, Tag: tag}
	if st.Target != nil {
		target.Exists, target.Info = true, what.Info
	}
	own.Tag = ""
	p.agreed[st.Path], p.agreed[st.LinkTarget] = own, target
}

// state adds what is at a path to the digest. tag is the etag of a file, or the stamp of a folder.
func (d Desk) state(ctx context.Context, h hash.Hash, p *Plan, path string, st, what *sandbox.Stat) (tag string, err error) {
	isTree := st.Mode.IsDir() || what.Mode.IsDir() && p.reads(path) // to copy a link to a folder is to copy the folder
	p.IsTree = p.IsTree || isTree
	switch {
	case !st.Exists:
		p.etags[path] = ""
		io.WriteString(h, "absent\n")
	case isTree:
		tag, err = d.lookInto(ctx, h, p, path, what)
	case what.Mode.IsRegular():
		var state string
		if tag, state = etagOf(ctx, d, path, what.Info); tag != "" {
			p.etags[path] = tag
		}
		fmt.Fprintf(h, "file %s %s %v %s\n", st.ID(), what.ID(), what.Mode, state)
	default:
		fmt.Fprintf(h, "other %s %v\n", st.ChangeStamp(), st.Mode)
	}
	return tag, err
}

// loseAt lists what the change removes or replaces at a path. lookInto has listed the contents of
// folders already.
func (d Desk) loseAt(ctx context.Context, p *Plan, path string, st, what *sandbox.Stat) {
	switch {
	case p.reads(p.Source) && st.IsLink(): // a copy writes through the link
		d.lose(ctx, p, path, what.Info, false)
	case st.Exists:
		d.lose(ctx, p, path, st.Info, false)
	}
}

// etagOf gives the etag of a file, and as its state a text that differs once the file has changed:
// the etag again, or for a file that can't be read its change stamp.
func etagOf(ctx context.Context, d Desk, path string, info stat.Info) (etag, state string) {
	f, err := d.env.Workspace.OpenFile(pathname.InRoot(path))
	if err == nil {
		defer f.Close()
		etag, err = d.env.Workspace.ETag(ctx, f, nil)
	}
	if err != nil {
		return "", "unreadable " + info.ChangeStamp()
	}
	return etag, etag
}

// lookInto adds all that is in a folder to the digest, and lists it as removed if the change
// removes the folder. tag is the stamp of the folder.
func (d Desk) lookInto(ctx context.Context, h hash.Hash, p *Plan, path string, top *sandbox.Stat) (tag string, err error) {
	isLost := goes(&p.Change, path)
	fmt.Fprintf(h, "folder %s %v %d %d {\n", top.ID(), top.Mode, top.UID, top.GID)
	defer io.WriteString(h, "}\n")
	return tree.Stamp(ctx, d.env.Workspace, pathname.InRoot(path), func(below string, info stat.Info) {
		p.entries[path]++
		if isLost {
			d.lose(ctx, p, path+"/"+below, info, true)
		}
		state := info.ChangeStamp()
		if info.Mode.IsDir() { // what is in it is added by itself
			state = fmt.Sprintf("%s %d %d", info.ID(), info.UID, info.GID)
		}
		fmt.Fprintf(h, "%q %v %s\n", below, info.Mode, state)
	})
}
