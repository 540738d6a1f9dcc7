package textio

import (
	"bytes"
	"context"

	"fsbox/textio/diff"
	"fsbox/textio/edit"
	"fsbox/textio/patch"
)

// Patched is the outcome of a patch for the content of one file.
type Patched struct {
	Content  []byte // the file's new bytes
	Hunks    []patch.HunkResult
	Omission Omission
	CRLF     bool   // the patch put CRLF into a file that had LF only
	Before   []byte // the text before the patch
	Added    []byte // the lines that the patch adds

	after []byte // the text after the patch
}

// Patch applies a plan, the sections of a patch for one file, to the file's content. A file that
// grows may have maxSize bytes.
//
// Errors: *BinaryError, *InvalidTextError, *TextSizeError, *charset.UnencodableError,
// *edit.TooLargeError, those of patch.File.Apply.
func Patch(ctx context.Context, plan *patch.FilePlan, old []byte, maxSize int64, options patch.Options) (Patched, error) {
	if plan.IsPure() {
		return patchName(ctx, plan, old)
	}
	form, text, err := openText(old, maxSize)
	if err != nil {
		return Patched{}, err
	}
	p := Patched{Before: text}
	if err := p.apply(ctx, plan.Sections, options); err != nil {
		return Patched{}, err
	}
	p.CRLF = bytes.Contains(p.after, []byte("\r\n")) && EOL(p.Before, nil) == "lf" && EOL(p.after, nil) == "mixed"
	p.Omission, _ = FindOmission(nil, p.Added, p.Before)
	p.Content, err = form.Close(p.after)
	if size := int64(len(p.Content)); err == nil && size > maxSize && size > int64(len(old)) {
		return Patched{}, &edit.TooLargeError{Edit: -1, Size: size, Limit: maxSize}
	}
	return p, err
}

// apply applies sections one after the other to the text of the file.
func (p *Patched) apply(ctx context.Context, sections []*patch.File, options patch.Options) error {
	p.after = p.Before
	for _, section := range sections {
		out, hunks, err := section.Apply(ctx, p.after, options)
		if err != nil {
			return err
		}
		if p.after = out; p.Hunks == nil {
			p.Hunks = hunks // no copy of what may be many
		} else {
			p.Hunks = append(p.Hunks, hunks...)
		}
		p.Added = section.AppendAdded(p.Added)
	}
	return nil
}

// patchName is Patch for sections without text: a rename, a new mode, a deletion. They don't change
// the content, but Apply may refuse it: a deletion by a diff without text is only for an empty
// file.
func patchName(ctx context.Context, plan *patch.FilePlan, old []byte) (p Patched, err error) {
	for _, section := range plan.Sections {
		if _, _, err := section.Apply(ctx, old, patch.Options{}); err != nil {
			return p, err
		}
	}
	if p.Content = old; plan.Action() == patch.Delete {
		_, p.Before, _ = openText(old, 2*int64(len(old))) // on an error it isn't text, and has no diff
	}
	return p, nil
}

// Diff shows the changes of the file; path is its path after the patch.
func (p *Patched) Diff(plan *patch.FilePlan, path string, maxLines int) diff.Printed {
	c := Contents{Path: path, From: plan.From, Created: plan.Action() == patch.Add, Removed: plan.Action() == patch.Delete}
	return c.print(p.Before, p.after, maxLines)
}
