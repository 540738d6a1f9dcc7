package sandbox

import (
	"context"
	"errors"
	"io/fs"
	"strconv"
	"strings"

	"fsbox/sandbox/dir"
)

// A tag identifies what has a name, in records and in the journal, so that anything else can be
// told from it. Its first letter says what is compared: the content of a file or the target of a
// link (dir.ContentTag), the state of a tree (dir.StateTag), everything in a tree (treeTag), or
// only which file it is (identityTag): for a long file that was made as a copy, with its size and
// the time of its last write.
const identityTag = "i"

func isContentTag(tag string) bool { return strings.HasPrefix(tag, dir.ContentTag) }

func isIdentity(tag string) bool { return strings.HasPrefix(tag, identityTag) }

// identity is the tag of what info describes, which no change of it changes.
func identity(info dir.Info) string { return identityTag + info.ID() }

// longTag is the tag of a file that isn't hashed because it is long. It changes with the content,
// as far as the file system's clock tells, but not by another name.
func longTag(info dir.Info) string {
	return identity(info) + longMark + strconv.FormatInt(info.Size, 36) + "." + strconv.FormatInt(info.Modified.UnixNano(), 36)
}

// longMark is between the identity and the rest of a longTag. No ID has it.
const longMark = "@"

// identityLike is the identity or the longTag, as another tag is.
func identityLike(info dir.Info, tag string) string {
	if strings.Contains(tag, longMark) {
		return longTag(info)
	}
	return identity(info)
}

// tagLike describes what has a name by the same kind of tag as a given one.
func tagLike(ctx context.Context, in dir.Folder, name string, info dir.Info, tag string) (string, error) {
	switch {
	case isIdentity(tag):
		return identityLike(info, tag), nil
	case info.IsLink():
		text, err := linkText(in, name)
		return dir.ContentETag([]byte(text)), err
	case !info.Mode.IsDir():
		return hashAt(ctx, in, name)
	}
	found, err := (&surveyor{content: !strings.HasPrefix(tag, dir.StateTag)}).survey(ctx, in, name)
	return found.tag, err
}

// linkText reads a link that was found a moment ago. If it is none by now, the call looks again.
func linkText(in dir.Folder, name string) (string, error) {
	text, err := dir.LinkTarget(in, name)
	if errors.Is(err, dir.ErrBusy) {
		err = dir.ErrCollision
	}
	return text, err
}

// unreadableError says that it can't be told now what has a name: an error of the disk, or a
// permission that is missing. Nothing is decided by it, and a later call looks again.
type unreadableError struct{ error }

func (e *unreadableError) Unwrap() error { return e.error }

func unreadable(err error) error {
	switch {
	case err == nil, errors.Is(err, fs.ErrNotExist): // nothing has the name
		return nil
	case dir.IsCanceled(err):
		return err
	}
	return &unreadableError{dir.Classify(err)}
}

// fits reports whether a tag describes what has a name, if anything has it. The error is an
// *unreadableError.
func fits(ctx context.Context, in dir.Folder, name, tag string) (bool, error) {
	info, err := in.Lstat(name)
	if err != nil || tag == "" {
		return false, unreadable(err)
	}
	// For an identity, the inode is enough: a restart of the host may give devices new numbers.
	if rest, ok := strings.CutPrefix(tag, identityTag); ok {
		id, state, isLong := strings.Cut(rest, longMark)
		hasState := !isLong || strings.HasSuffix(longTag(info), longMark+state)
		return hasState && (info.IsSame(id) || isLong && in.System().Renumbers), nil
	}
	isPlain := info.Mode.IsRegular() || info.IsLink()
	if isContentTag(tag) != isPlain || !isPlain && !info.Mode.IsDir() {
		return false, nil
	}
	now, err := tagLike(ctx, in, name, info, tag)
	if err != nil && dir.IsAny(dir.Classify(err), dir.ErrNotFile, dir.ErrLinkLoop) {
		return false, nil // somebody has just put something else there
	}
	return err == nil && now == tag, unreadable(err)
}
