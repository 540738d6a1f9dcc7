package textio

import (
	"bytes"
	"context"

	"fsbox/textio/diff"
	"fsbox/textio/edit"
	"fsbox/textio/patch"
)

// Patched is what a patch makes of the content of one file.
type Patched struct {
	Content  []byte // of the file
	Hunks    []patch.HunkResult
	Omission Omission
	CRLF     bool   // CRLF was put into a file with LF
	Before   []byte // the text of the file as it was

	after  []byte // its text now
	ranges []diff.Range
}

// Patch applies the sections of a patch about one file to its content. options.Limits.MaxSize is
// about the file.
//
// Errors: *BinaryError, *InvalidTextError, *charset.UnencodableError, those of patch.File.Apply.
func Patch(ctx context.Context, plan *patch.FilePlan, old []byte, options patch.Options) (Patched, error) {
	if plan.IsPure() {
		return patchName(ctx, plan, old)
	}
	form, text, err := openText(old)
	if err != nil {
		return Patched{}, err
	}
	p := Patched{Before: text}
	maxSize := options.Limits.MaxSize
	options.Limits.MaxSize = form.MaxText(maxSize)
	if err := p.apply(ctx, plan.Sections, options); err != nil {
		return Patched{}, err
	}
	p.CRLF = bytes.Contains(p.after, []byte("\r\n")) && EOL(p.Before, nil) == "lf" && EOL(p.after, nil) == "mixed"
	p.Omission, _ = FindOmission(nil, p.Added(), p.Before)
	p.Content, err = form.Close(p.after)
	if size := int64(len(p.Content)); err == nil && size > maxSize && size > int64(len(old)) {
		return Patched{}, &edit.TooLargeError{Edit: -1, Size: size, Limit: maxSize}
	}
	return p, err
}

// apply applies sections one after the other to the text of the file.
func (p *Patched) apply(ctx context.Context, sections []*patch.File, options patch.Options) error {
	p.after = p.Before
	for i, section := range sections {
		out, hunks, ranges, err := section.Apply(ctx, p.after, options)
		if err != nil {
			return err
		}
		p.Hunks, p.after = append(p.Hunks, hunks...), out
		if i == 0 {
			p.ranges = ranges
		}
	}
	return nil
}

// patchName is Patch for sections without text: they accept the content, or don't, since some
// deletions are only for certain contents. They don't change it.
func patchName(ctx context.Context, plan *patch.FilePlan, old []byte) (p Patched, err error) {
	for _, section := range plan.Sections {
		if _, _, _, err := section.Apply(ctx, old, patch.Options{}); err != nil {
			return p, err
		}
	}
	if p.Content = old; plan.Action() == patch.Delete {
		_, p.Before, _ = openText(old) // there is no diff of what isn't text
	}
	return p, nil
}

// Added is the text that is new.
func (p *Patched) Added() []byte {
	if len(p.Before) == 0 {
		return p.after
	}
	var all []byte
	for _, r := range p.ranges {
		if r.NewEnd <= len(p.after) {
			all = append(all, p.after[r.NewStart:r.NewEnd]...)
		}
	}
	return all
}

// Diff shows the changes of the file, whose path is the one that it has now.
func (p *Patched) Diff(plan *patch.FilePlan, path string, maxLines int) diff.Printed {
	switch {
	case plan.From != "":
		return diff.Moved(plan.From, path, p.Before, p.after, maxLines)
	case plan.Action() == patch.Delete:
		return diff.Moved(path, "", p.Before, nil, maxLines)
	case len(plan.Sections) == 1 && plan.Action() == patch.Update:
		return diff.FromRanges(path, p.Before, p.after, p.ranges, maxLines)
	}
	return diff.Unified(path, p.Before, p.after, plan.Action() == patch.Add, maxLines)
}
