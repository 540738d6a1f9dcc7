package textio

import (
	"bytes"
	"context"
	"fmt"
	"unicode/utf8"

	"fsbox/textio/charset"
	"fsbox/textio/diff"
	"fsbox/textio/edit"
	"fsbox/textio/lines"
	"fsbox/textio/patch"
)

// Changed is the outcome of edits, or of a patch, in the content of a file.
type Changed struct {
	Content []byte             // the file's new bytes
	Results []edit.Result      // of edits
	Hunks   []patch.HunkResult // of a patch
	Elision Elision
	Mixed   bool   // UTF-8 was put into a file in another encoding
	CRLF    bool   // CRLF was put into a file that had LF only
	NoMark  bool   // the byte order mark was taken away, which was all that an edit was for
	Uneven  bool   // edits of line ends left some as they were in a file that had CRLF only
	Before  []byte // the text before the change; set also if it failed
	Added   []byte // the lines that a patch adds

	after []byte // the text after the change
	form  Form
}

// BinaryError says that a file isn't text.
type BinaryError struct{ Head charset.Head }

func (e *BinaryError) Error() string { return "it is binary (" + e.Head.MediaType + ")" }

// TextSizeError says that the text of a file is longer in UTF-8 than the file may be, in bytes.
type TextSizeError struct{ Size, Limit int64 }

func (e *TextSizeError) Error() string {
	return fmt.Sprintf("the text of the file takes %d bytes in UTF-8, and the limit is %d", e.Size, e.Limit)
}

// Edit applies edits to the content of a file, all or none. limits.MaxSize bounds the file, and its
// text in UTF-8 beyond charset.WideRoom.
//
// Errors: *BinaryError, *InvalidTextError, *TextSizeError, *charset.UnencodableError, those of
// edit.Apply.
func Edit(ctx context.Context, old []byte, edits []edit.Edit, limits edit.Limits) (Changed, error) {
	return editBy(old, limits, func(c *Changed, limits edit.Limits) (plain []edit.Edit, err error) {
		c.after, c.Results, err = edit.Apply(ctx, c.markedText(edits), edits, limits)
		return edits, err
	})
}

// EditLines is Edit for edits of whole lines. Its errors are those of edit.ApplyLines instead of
// those of edit.Apply.
func EditLines(ctx context.Context, old []byte, edits []edit.LineEdit, limits edit.Limits) (Changed, error) {
	return editBy(old, limits, func(c *Changed, limits edit.Limits) (plain []edit.Edit, err error) {
		c.after, c.Results, plain, err = edit.ApplyLines(ctx, c.Before, c.lineMark(), edits, limits)
		return plain, err
	})
}

// editBy edits the text of a file by a function that makes c.after of c.Before.
func editBy(old []byte, limits edit.Limits, apply func(*Changed, edit.Limits) ([]edit.Edit, error)) (Changed, error) {
	c, err := openText(old, limits.MaxSize)
	if err != nil {
		return c, err
	}
	inText := limits
	inText.MaxSize = c.form.MaxText(limits.MaxSize)
	plain, err := apply(&c, inText)
	if err == nil {
		err = c.keepMark(plain)
	}
	if same, is := err.(*edit.NoChangeError); is && same.Differs == edit.DiffersInMark && limits.MayStay {
		err = nil
	}
	if err != nil {
		return Changed{Before: c.Before}, err
	}
	converts := false
	for _, one := range plain {
		if one.Origin == edit.FromSame {
			continue
		}
		if elision, ok := FindElision(one.Expected, one.Replacement, c.Before); ok && c.Elision.Line == 0 && one.Origin == edit.FromCaller {
			c.Elision = elision
		}
		c.Mixed = c.Mixed || !c.form.Encoding.IsWide() && (charset.IsASCII(one.Expected) || c.Results[0].Anchored != nil) &&
			Mixes(c.Before, one.Replacement)
		converts = converts || one.OnlyEnds()
	}
	err = c.close(old, limits.MaxSize, len(plain)-1, converts)
	c.Uneven = converts && EOL(c.Before, nil) == "crlf" && EOL(c.after, nil) == "mixed"
	return c, err
}

// Patch applies a plan, the sections of a patch for one file, to the file's content. A file that
// grows may have maxSize bytes.
//
// Errors: *BinaryError, *InvalidTextError, *TextSizeError, *charset.UnencodableError,
// *edit.TooLargeError, those of patch.File.Apply.
func Patch(ctx context.Context, plan *patch.FilePlan, old []byte, maxSize int64, options patch.Options) (Changed, error) {
	if plan.IsPure() {
		return patchName(ctx, plan, old)
	}
	c, err := openText(old, maxSize)
	if err != nil {
		return c, err
	}
	c.after = c.Before
	for _, section := range plan.Sections {
		var hunks []patch.HunkResult
		if c.after, hunks, err = section.Apply(ctx, c.after, options); err != nil {
			return Changed{}, err
		}
		if c.Hunks == nil {
			c.Hunks = hunks // no copy of what may be many
		} else {
			c.Hunks = append(c.Hunks, hunks...)
		}
		c.Added = section.AppendAdded(c.Added)
	}
	c.Elision, _ = FindElision(nil, c.Added, c.Before)
	c.Mixed = !c.form.Encoding.IsWide() && Mixes(c.Before, c.Added) && utf8.Valid(c.Added)
	err = c.close(old, maxSize, -1, true)
	return c, err
}

// patchName is Patch for sections without text: a rename, a new mode, a deletion. They don't change
// the content, but Apply may refuse it: a deletion by a diff without text is only for an empty
// file.
func patchName(ctx context.Context, plan *patch.FilePlan, old []byte) (c Changed, err error) {
	for _, section := range plan.Sections {
		if _, _, err := section.Apply(ctx, old, patch.Options{}); err != nil {
			return c, err
		}
	}
	if plan.Action() == patch.Delete {
		c, _ = openText(old, 2*int64(len(old))) // on an error it isn't text, and has no diff
	}
	c.Content = old
	return c, nil
}

// openText opens the content of a text file with Form.Open.
func openText(content []byte, maxSize int64) (Changed, error) {
	head := charset.Sniff(content)
	form := FormOf(head, nil)
	if head.Binary {
		return Changed{}, &BinaryError{head}
	}
	text, ok := form.Open(content)
	if !ok {
		return Changed{}, &InvalidTextError{Encoding: form.Encoding.Name()}
	}
	if limit := max(maxSize, charset.WideRoom); form.Encoding.IsWide() && int64(len(text)) > limit {
		return Changed{}, &TextSizeError{int64(len(text)), limit}
	}
	return Changed{Before: text, form: form}, nil
}

// close makes the file's bytes of the text after the change. They may be more than maxSize only if
// the old ones are as well. last is the index of the last edit, -1 for a patch. converts says that
// to change the line ends of all of the file may be what the change is for.
func (c *Changed) close(old []byte, maxSize int64, last int, converts bool) (err error) {
	c.CRLF = bytes.Contains(c.after, lines.CRLF) && EOL(c.Before, nil) == "lf" && !(converts && EOL(c.after, nil) == "crlf")
	c.Content, err = c.form.Close(c.after)
	if size := int64(len(c.Content)); err == nil && maxSize > 0 && size > maxSize && size > int64(len(old)) {
		return &edit.TooLargeError{Edit: last, Size: size, Limit: maxSize}
	}
	return err
}

// WithoutTexts is all there is to tell of the change except its texts.
func (c Changed) WithoutTexts() Changed {
	c.Content, c.Before, c.Added, c.after = nil, nil, nil, nil
	return c
}

// Diff shows the change of a file of those names.
func (c *Changed) Diff(names Contents, maxLines int) diff.Printed {
	return names.print(c.Before, c.after, maxLines)
}
