package commands

import (
	"bytes"
	"context"

	"fsbox/sandbox"
	"fsbox/sandbox/dir"
	"fsbox/textio"
	"fsbox/textio/diff"
	"fsbox/textio/edit"
	"fsbox/textio/patch"
)

// patchPlan is what a patch does to one file: its sections, in order, each on the outcome of the
// one before.
type patchPlan struct {
	path, from string
	sections   []*patch.File
	again      bool // the patch deletes the file and then makes a new one

	// Filled when the file is computed.
	created  bool // an update of a file that wasn't there
	hunks    []patch.HunkResult
	before   []byte // text
	after    []byte // text
	ranges   []diff.Range
	omission textio.Omission
	mixed    bool // CRLF was put into a file with LF
}

// action is what answers call the sections together.
func (f *patchPlan) action() string {
	first := f.sections[0].Action
	switch {
	case f.created:
		return patch.Add
	case f.from != "":
		return patch.Move
	case f.again:
		return patch.Update
	case first == patch.Mode && len(f.sections) > 1:
		return patch.Update
	}
	return first
}

// change is the file's part of the transaction.
func (f *patchPlan) change(ctx context.Context, p *Patch, env *Env) sandbox.Change {
	c := sandbox.Change{Target: sandbox.Target{Path: f.path, DryRun: p.DryRun, Tool: "patch", Exec: f.exec()}, From: f.from}
	switch {
	case f.action() == patch.Add, f.from != "":
		c.Creation, c.Parents = sandbox.MustCreate, true
	case f.sections[0].MayCreate():
		c.Creation, c.Parents = sandbox.MayCreate, true
	}
	if f.from == "" {
		env.pin(&c.Target)
	}
	c.Make = func(old []byte, existed bool) ([]byte, error) {
		if found, ok := env.pinned(f.from); ok && f.from != "" && found.etag != dir.ContentETag(old) {
			return nil, &dir.PathError{Path: f.from, Err: &dir.StaleError{Current: dir.ContentETag(old)}}
		}
		if f.created = !existed && c.Creation == sandbox.MayCreate; existed && len(old) > 0 && f.sections[0].Creates() {
			return nil, &dir.PathError{Path: f.path, Err: dir.ErrExists}
		}
		return f.compute(ctx, old, p, env.Limits)
	}
	c.Remove = f.action() == patch.Delete
	return c
}

// isPure reports sections without any text: they move the file, set its mode or delete it, so the
// file may be binary.
func (f *patchPlan) isPure() bool {
	for _, s := range f.sections {
		if len(s.Hunks) > 0 || s.Action == patch.Add {
			return false
		}
	}
	return true
}

// exec says whether the patch sets the right to execute the file, or takes it away; nil if it does
// neither.
func (f *patchPlan) exec() *bool {
	for i := len(f.sections) - 1; i >= 0; i-- {
		s := f.sections[i]
		made := s.Action == patch.Add && s.NewMode != 0
		if made || (s.NewMode != 0 && s.NewMode != s.OldMode) {
			exec := s.NewMode&0o111 != 0
			if made && !exec {
				return nil
			}
			return &exec
		}
	}
	return nil
}

// compute applies the sections to a file's content.
func (f *patchPlan) compute(ctx context.Context, old []byte, p *Patch, limits Limits) ([]byte, error) {
	f.hunks, f.before, f.after, f.ranges = nil, nil, nil, nil
	if f.isPure() {
		return f.computePure(ctx, old)
	}
	form, text, err := openText(f.path, old)
	if err != nil {
		return nil, err
	}
	f.before = text
	for i, section := range f.sections {
		options := patch.Options{Lenient: p.Match == "lenient",
			Limits: edit.Limits{MaxAdded: limits.MaxWriteBytes, MaxSize: form.MaxText(limits.MaxReadBytes)}}
		out, hunks, ranges, err := section.Apply(ctx, text, options)
		if err != nil {
			return nil, err
		}
		f.hunks, text = append(f.hunks, hunks...), out
		if i == 0 {
			f.ranges = ranges
		}
	}
	f.after = text
	f.mixed = bytes.Contains(text, []byte("\r\n")) && textio.EOL(f.before, nil) == "lf" && textio.EOL(text, nil) == "mixed"
	if omission, ok := textio.FindOmission(nil, added(f.before, text, f.ranges), f.before); ok {
		f.omission = omission
	}
	content, err := form.Close(text)
	if size := int64(len(content)); err == nil && size > limits.MaxReadBytes && size > int64(len(old)) {
		return nil, &patch.TooLargeError{Size: size, Limit: limits.MaxReadBytes}
	}
	return content, err
}

// computePure checks that sections without text accept the content, which they don't change: some
// deletions are only for certain contents.
func (f *patchPlan) computePure(ctx context.Context, old []byte) ([]byte, error) {
	for _, section := range f.sections {
		if _, _, _, err := section.Apply(ctx, old, patch.Options{}); err != nil {
			return nil, err
		}
	}
	if f.action() == patch.Delete {
		_, f.before, _ = openText(f.path, old) // there is no diff of what isn't text
	}
	return old, nil
}

// added is the text that is new after the patch: the new side of all ranges.
func added(before, after []byte, ranges []diff.Range) []byte {
	if len(before) == 0 {
		return after
	}
	var all []byte
	for _, r := range ranges {
		if r.NewEnd <= len(after) {
			all = append(all, after[r.NewStart:r.NewEnd]...)
		}
	}
	return all
}

// print prints the changes of the file.
func (f *patchPlan) print(done *sandbox.Done, maxLines int) diff.Printed {
	switch {
	case f.from != "":
		return diff.Moved(f.from, done.Path, f.before, f.after, maxLines)
	case f.action() == patch.Delete:
		return diff.Moved(done.Path, "", f.before, nil, maxLines)
	case len(f.sections) == 1 && f.action() == patch.Update:
		return diff.FromRanges(done.Path, f.before, f.after, f.ranges, maxLines)
	}
	return diff.Unified(done.Path, f.before, f.after, f.action() == patch.Add, maxLines)
}
