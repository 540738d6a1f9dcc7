package textio

import (
	"bytes"
	"context"
	"fmt"

	"fsbox/textio/charset"
	"fsbox/textio/diff"
	"fsbox/textio/edit"
)

// Edited is the outcome of edits in the content of a file.
type Edited struct {
	Content  []byte // the file's new bytes
	Results  []edit.Result
	Omission Omission
	Mixed    bool   // UTF-8 was put into a file in another encoding
	CRLF     bool   // the edits put CRLF into a file that had LF only
	Before   []byte // the text before the edits; set also if an edit failed

	after []byte // the text after the edits
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
func Edit(ctx context.Context, old []byte, edits []edit.Edit, limits edit.Limits) (Edited, error) {
	return editBy(old, limits, func(_ Form, e *Edited, limits edit.Limits) (plain []edit.Edit, err error) {
		e.after, e.Results, err = edit.Apply(ctx, e.Before, edits, limits)
		return edits, err
	})
}

// EditLines is Edit for edits of whole lines. Its errors are those of edit.ApplyLines instead of
// those of edit.Apply.
func EditLines(ctx context.Context, old []byte, edits []edit.LineEdit, limits edit.Limits) (Edited, error) {
	return editBy(old, limits, func(form Form, e *Edited, limits edit.Limits) (plain []edit.Edit, err error) {
		mark := form.BOM
		if form.Encoding.IsWide() { // the text has none
			mark = 0
		}
		e.after, e.Results, plain, err = edit.ApplyLines(ctx, e.Before, mark, edits, limits)
		return plain, err
	})
}

// editBy edits the text of a file by a function that makes e.after of e.Before.
func editBy(old []byte, limits edit.Limits, apply func(Form, *Edited, edit.Limits) ([]edit.Edit, error)) (Edited, error) {
	form, text, err := openText(old, limits.MaxSize)
	if err != nil {
		return Edited{}, err
	}
	e, maxSize := Edited{Before: text}, limits.MaxSize
	limits.MaxSize = form.MaxText(maxSize)
	plain, err := apply(form, &e, limits)
	if err != nil {
		return Edited{Before: text}, err
	}
	for _, one := range plain {
		if omission, ok := FindOmission(one.Expected, one.Replacement, text); ok && e.Omission.Line == 0 {
			e.Omission = omission
		}
		e.Mixed = e.Mixed || !form.Encoding.IsWide() && (charset.IsASCII(one.Expected) || e.Results[0].Anchored != nil) &&
			Mixes(text, one.Replacement)
	}
	e.CRLF = EOL(text, nil) == "lf" && bytes.Contains(e.after, []byte("\r\n"))
	e.Content, err = form.Close(e.after)
	if size := int64(len(e.Content)); err == nil && form.Encoding.IsWide() && size > maxSize {
		return e, &edit.TooLargeError{Edit: len(plain) - 1, Size: size, Limit: maxSize}
	}
	return e, err
}

// Diff shows the changes of the file.
func (e *Edited) Diff(path string, maxLines int) diff.Printed {
	return diff.Unified(path, e.Before, e.after, false, maxLines)
}

// openText opens the content of a text file with Form.Open, for edits and patches.
func openText(content []byte, maxSize int64) (form Form, text []byte, err error) {
	head := charset.Sniff(content)
	if form = FormOf(head, nil); head.Binary {
		return form, nil, &BinaryError{head}
	}
	text, ok := form.Open(content)
	if !ok {
		return form, nil, &InvalidTextError{Encoding: form.Encoding.Name()}
	}
	if limit := max(maxSize, charset.WideRoom); form.Encoding.IsWide() && int64(len(text)) > limit {
		return form, nil, &TextSizeError{int64(len(text)), limit}
	}
	return form, text, nil
}
