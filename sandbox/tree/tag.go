package tree

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/stat"
)

// A tag identifies what has a name, in records and in the journal, so that anything else can be
// told from it. Its first letter says what is compared: the content of a file or the target of a
// link (openfile.ContentTag), the state of a tree (openfile.StateTag), everything in a tree
// (treeTag), or only which file it is (sandbox.IdentityTag): for a long file that was made as a
// copy, with its size and the time of its last write, or for a folder, with the time of its
// creation.

// IsContentTag reports whether a tag is that of a content.
func IsContentTag(tag string) bool { return strings.HasPrefix(tag, openfile.ContentTag) }

// Identity is the tag of what info describes, which no change of it changes.
func Identity(info stat.Info) string { return sandbox.IdentityTag + info.ID() }

// LongTag is the tag of a file that isn't hashed because it is long. It changes with the content,
// as far as the file system's clock tells, but not by another name.
func LongTag(info stat.Info) string {
	return Identity(info) + longMark + strconv.FormatInt(info.Size, 36) + "." + strconv.FormatInt(info.Modified.UnixNano(), 36)
}

// longMark is between the identity and the rest of a LongTag. No ID has it.
const longMark = "@"

// IdentityOf is a tag of which file or folder has a name, as well as that can be told: a later one
// may have the same inode number.
func IdentityOf(in dir.Folder, name string, info stat.Info) string {
	if info.Mode.IsRegular() {
		return LongTag(info)
	}
	if born := bornOf(in, name, info); born != "" {
		return Identity(info) + bornMark + born
	}
	return Identity(info)
}

// bornMark is between the identity of a folder and the time of its creation.
const bornMark = "+"

// bornOf is when a folder was made, "" if that isn't known. On overlayfs, a move changes it.
func bornOf(in dir.Folder, name string, info stat.Info) string {
	if !info.Mode.IsDir() || in.System().Overlay {
		return ""
	}
	found, _, err := in.Examine(name)
	if err != nil || found.Born == 0 || found.ID() != info.ID() {
		return ""
	}
	return strconv.FormatInt(found.Born, 36)
}

// IdentityLike is the identity or the LongTag, as another tag is.
func IdentityLike(info stat.Info, tag string) string {
	if strings.Contains(tag, longMark) {
		return LongTag(info)
	}
	return Identity(info)
}

// TagLike describes what has a name by the same kind of tag as a given one.
func TagLike(ctx context.Context, in dir.Folder, name string, info stat.Info, tag string) (string, error) {
	switch {
	case sandbox.IsIdentity(tag):
		if _, born, isBorn := strings.Cut(tag, bornMark); isBorn {
			return Identity(info) + bornMark + cmp.Or(bornOf(in, name, info), born), nil
		}
		return IdentityLike(info, tag), nil
	case info.IsLink():
		text, err := LinkText(in, name)
		return openfile.ContentETag([]byte(text)), err
	case !info.Mode.IsDir():
		return Hash(ctx, in, name)
	}
	found, err := (&Surveyor{content: !strings.HasPrefix(tag, openfile.StateTag)}).Survey(ctx, in, name)
	return found.Tag, err
}

// LinkText reads a link that was found a moment ago. If it is none by now, the call looks again.
func LinkText(in dir.Folder, name string) (string, error) {
	text, err := dir.LinkTarget(in, name)
	if errors.Is(err, fserr.ErrBusy) {
		err = fserr.ErrCollision
	}
	return text, err
}

// UnreadableError says that it can't be told now what has a name: an error of the disk, or a
// permission that is missing. Nothing is decided by it, and a later call looks again.
type UnreadableError struct{ error }

func (e *UnreadableError) Unwrap() error { return e.error }

// Unreadable makes the error of a look at a name an *UnreadableError; nil if nothing has the name.
func Unreadable(err error) error {
	switch {
	case err == nil, errors.Is(err, fs.ErrNotExist): // nothing has the name
		return nil
	case fserr.IsCanceled(err):
		return err
	}
	return &UnreadableError{fserr.Classify(err)}
}

// Fits reports whether a tag describes what has a name, if anything has it. The error is an
// *UnreadableError.
func Fits(ctx context.Context, in dir.Folder, name, tag string) (bool, error) {
	info, err := in.Lstat(name)
	if err != nil || tag == "" {
		return false, Unreadable(err)
	}
	// For an identity, the inode is enough: a restart of the host may give devices new numbers.
	if rest, ok := strings.CutPrefix(tag, sandbox.IdentityTag); ok {
		if id, born, isBorn := strings.Cut(rest, bornMark); isBorn {
			return info.IsSame(id) && cmp.Or(bornOf(in, name, info), born) == born, nil
		}
		id, state, isLong := strings.Cut(rest, longMark)
		hasState := !isLong || strings.HasSuffix(LongTag(info), longMark+state)
		return hasState && (info.IsSame(id) || isLong && in.System().Renumbers), nil
	}
	isPlain := info.Mode.IsRegular() || info.IsLink()
	if IsContentTag(tag) != isPlain || !isPlain && !info.Mode.IsDir() {
		return false, nil
	}
	now, err := TagLike(ctx, in, name, info, tag)
	if err != nil && fserr.IsAny(fserr.Classify(err), fserr.ErrNotFile, fserr.ErrLinkLoop) {
		return false, nil // somebody has just put something else there
	}
	return err == nil && now == tag, Unreadable(err)
}

// Hash is the content etag of a regular file.
func Hash(ctx context.Context, in dir.Folder, name string) (string, error) {
	f, err := in.Open(name, os.O_RDONLY)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return f.Hash(ctx)
}
