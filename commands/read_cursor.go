package commands

import (
	"errors"
	"io"
	"strconv"

	"fsbox/sandbox/dir"
	"fsbox/textio"
)

// readCursor is the kind of cursor that read gives. It holds a position, and facts that show
// whether the file has changed since, because then its line number may be wrong. If the file has
// only grown, the number is still right.
const readCursor = "r"

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

// placeOf describes the file that a position is in.
func placeOf(f *dir.File, source io.ReaderAt, etag string, at textio.Position) (p readPlace, err error) {
	p = readPlace{at: at, size: sizeOf(f, source)}
	if _, whole := source.(textio.Whole); whole {
		p.content = shortTag(etag)
		return p, nil
	}
	p.modified = f.Info.Modified.UnixNano()
	if p.before, err = tagBefore(source, at.Offset); err == nil {
		p.end, err = tagBefore(source, p.size)
	}
	return p, err
}

// holds reports that the file is as it was, or has only grown. It reads no more than a page does,
// unless a file that was read whole has grown.
func (p readPlace) holds(f *dir.File, source io.ReaderAt, etag string, limit int64) (bool, error) {
	size := sizeOf(f, source)
	grown := size - p.size
	switch {
	case p.at.Offset < 0, p.at.Offset > p.size, grown < 0:
		return false, nil
	case p.content != "" && grown == 0:
		return p.content == shortTag(etag), nil
	case p.content != "":
		tag, err := tagOf(source, 0, min(p.size, limit)) // it was within the limit
		return tag == p.content, err
	case grown == 0 && p.modified != f.Info.Modified.UnixNano():
		return false, nil
	case p.at.Line < 0 && grown > limit: // too large now to count its lines
		return false, nil
	}
	before, err := tagBefore(source, p.at.Offset)
	if before != p.before || err != nil {
		return false, err
	}
	end, err := tagBefore(source, p.size)
	return end == p.end, err
}

// tagBefore is the tag of the checkedBytes before an offset.
func tagBefore(source io.ReaderAt, offset int64) (string, error) {
	return tagOf(source, max(offset-checkedBytes, 0), offset)
}

// tagOf is the tag of the bytes between two offsets, "" if the file ends before the second one.
func tagOf(source io.ReaderAt, from, to int64) (string, error) {
	if content, ok := source.(textio.Whole); ok && to <= int64(len(content)) {
		return shortTag(dir.ContentETag(content[from:to])), nil
	}
	part := make([]byte, to-from)
	_, err := io.ReadFull(io.NewSectionReader(source, from, to-from), part)
	switch {
	case err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF):
		return "", nil
	case err != nil:
		return "", err
	}
	return shortTag(dir.ContentETag(part)), nil
}

// shortTag is the beginning of an etag: 64 bits, enough to tell versions of one file apart.
func shortTag(etag string) string { return etag[:min(len(etag), 17)] }

// cursor packs the place where the next page begins.
func (r *Read) cursor(f *dir.File, source io.ReaderAt, form textio.Form, etag string, next textio.Position) (string, error) {
	p, err := placeOf(f, source, etag, next)
	if err != nil {
		return "", err
	}
	return encodeCursor(readCursor, "", fingerprint(f.Path), f.Info.ID(), form.Encoding.Name(), strconv.FormatInt(p.at.Offset, 36),
		strconv.FormatInt(p.at.Line, 36), strconv.FormatInt(p.size, 36), p.content, strconv.FormatInt(p.modified, 36), p.before, p.end), nil
}

// place unpacks the cursor, nil without one. The file must be the one that it was made for.
func (r *Read) place(f *dir.File, source io.ReaderAt, form textio.Form, etag string, limit int64) (*readPlace, error) {
	if r.Cursor == "" {
		return nil, nil
	}
	parts, fail := openCursor(readCursor, r.Cursor, "", 10)
	if fail != nil {
		return nil, fail
	}
	path, id, encoding := parts[0], parts[1], parts[2]
	n, ok := numbers(36, parts[3], parts[4], parts[5], parts[7])
	if !ok {
		return nil, foreignCursor()
	}
	p := &readPlace{at: textio.Position{Offset: n[0], Line: n[1]}, size: n[2], content: parts[6], modified: n[3], before: parts[8],
		end: parts[9]}
	isSame := id == f.Info.ID()
	switch {
	case !isSame && path != fingerprint(f.Path):
		return nil, badCursor("the cursor was given for another file")
	case encoding != form.Encoding.Name():
		return nil, badCursor("the cursor was given for another encoding")
	}
	if isSame {
		var err error
		if isSame, err = p.holds(f, source, etag, limit); err != nil {
			return nil, err
		}
	}
	if !isSame {
		return nil, failf(CodeStale, "%q changed since the page before was read", f.Path).hint("start again without a cursor")
	}
	return p, nil
}
