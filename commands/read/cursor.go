package read

import (
	"errors"
	"io"
	"strconv"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/listing"
	"fsbox/sandbox/disk/openfile"
	"fsbox/textio"
)

// checkedBytes is how much is compared in a file too large to be read whole: so many bytes before
// the position, and before the end that the file had then.
const checkedBytes = 4 << 10

// readPlace is what a cursor holds besides the names of file and encoding.
type readPlace struct {
	at      textio.Position
	size    int64  // of the file, bytes
	content string // tag of the whole file, "" if it was too large

	// For a file that was too large:
	modified    int64  // nanoseconds since 1970
	before, end string // tags of the last checkedBytes before the position and of the file
}

// placeAt describes a position and the file that it is in.
func placeAt(t *command.OpenedText, at textio.Position) (p readPlace, err error) {
	p = readPlace{at: at, size: t.Size()}
	if t.Content != nil {
		p.content = shortTag(t.Etag)
		return p, nil
	}
	p.modified = t.Info.Modified.UnixNano()
	if p.before, err = tagBefore(t.Source, at.Offset); err == nil {
		p.end, err = tagBefore(t.Source, p.size)
	}
	return p, err
}

// holds reports whether the file is as it was, or has only grown. It reads no more than a page
// does, unless a file that was read whole has grown.
func (p readPlace) holds(t *command.OpenedText, limit int64) (bool, error) {
	grown := t.Size() - p.size
	switch {
	case p.at.Offset < 0, p.at.Offset > p.size, grown < 0:
		return false, nil
	case p.content != "" && grown == 0:
		return p.content == shortTag(t.Etag), nil
	case p.content != "":
		tag, err := tagOf(t.Source, 0, min(p.size, limit)) // it was within the limit
		return tag == p.content, err
	case grown == 0 && p.modified != t.Info.Modified.UnixNano():
		return false, nil
	case p.at.Line < 0 && grown > limit: // too large now to count its lines
		return false, nil
	}
	before, err := tagBefore(t.Source, p.at.Offset)
	if before != p.before || err != nil {
		return false, err
	}
	end, err := tagBefore(t.Source, p.size)
	return end == p.end, err
}

// tagBefore is the tag of the checkedBytes before an offset.
func tagBefore(source io.ReaderAt, offset int64) (string, error) {
	return tagOf(source, max(offset-checkedBytes, 0), offset)
}

// tagOf is the tag of the bytes between two offsets, "" if the file ends before the second one.
func tagOf(source io.ReaderAt, from, to int64) (string, error) {
	if content, ok := source.(textio.Whole); ok && to <= int64(len(content)) {
		return shortTag(openfile.ContentETag(content[from:to])), nil
	}
	part := make([]byte, to-from)
	_, err := io.ReadFull(io.NewSectionReader(source, from, to-from), part)
	switch {
	case err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF):
		return "", nil
	case err != nil:
		return "", err
	}
	return shortTag(openfile.ContentETag(part)), nil
}

// shortTag is the beginning of an etag: 64 bits, enough to tell versions of one file apart.
func shortTag(etag string) string { return etag[:min(len(etag), 17)] }

// cursorOf packs the place where the next page begins.
func cursorOf(t *command.OpenedText, next textio.Position) (string, error) {
	p, err := placeAt(t, next)
	if err != nil {
		return "", err
	}
	number := func(n int64) string { return strconv.FormatInt(n, 36) }
	return listing.EncodeCursor(listing.ReadCursor, "", listing.Fingerprint(t.Path), t.Info.ID(), t.Form.Encoding.Name(), number(p.at.Offset),
		number(p.at.Line),
		number(p.size), p.content, number(p.modified), p.before, p.end), nil
}

// place unpacks the cursor, nil without one. The file must be the one that it was made for.
func (r *Request) place(t *command.OpenedText, limit int64) (*readPlace, error) {
	if r.Cursor == "" {
		return nil, nil
	}
	parts, fail := listing.OpenCursor(listing.ReadCursor, r.Cursor, "", 10)
	if fail != nil {
		return nil, fail
	}
	path, id, encoding := parts[0], parts[1], parts[2]
	n, ok := listing.Numbers(36, parts[3], parts[4], parts[5], parts[7])
	isSame := id == t.Info.ID()
	switch {
	case !ok:
		return nil, listing.ForeignCursor()
	case !isSame && path != listing.Fingerprint(t.Path):
		return nil, listing.BadCursor("the cursor was given for another file")
	case encoding != t.Form.Encoding.Name():
		return nil, listing.BadCursor("the cursor was given for another encoding")
	}
	p := &readPlace{at: textio.Position{Offset: n[0], Line: n[1]}, size: n[2], content: parts[6], modified: n[3], before: parts[8],
		end: parts[9]}
	return p, p.check(t, isSame, limit)
}

// check refuses a place in a file that has changed.
func (p *readPlace) check(t *command.OpenedText, isSame bool, limit int64) (err error) {
	if isSame {
		isSame, err = p.holds(t, limit)
	}
	if err == nil && !isSame {
		return answer.Failf(answer.CodeStale, "%q changed since the page before was read", t.Path).WithHint("start again without a cursor")
	}
	return err
}
