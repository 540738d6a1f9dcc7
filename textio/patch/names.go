package patch

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// sideName is what follows "--- " or "+++ ".
type sideName struct {
	name   string
	null   bool // /dev/null
	epoch  bool // dated 1970-01-01, 00:00 UTC, in any zone: diff -N writes this for a file that doesn't exist
	tabbed bool // there are tabs, and it is unclear at which the name ends
}

func (n sideName) isFile() bool { return n.name != "" }

func (n sideName) ok() bool { return n.null || n.isFile() }

// parseSideName reads a name that is in quotes, or that ends with the line or at a date. If there
// are tabs, it ends at one that a date, a remark in parentheses or nothing follows, or several of
// these, each after a tab: svn and cvs write two. If nothing of the kind follows the last tab, it
// is unclear where the name ends: then there is no name, and tabbed is set.
func parseSideName(text []byte) sideName {
	text = bytes.TrimRight(text, "\r")
	if hasPrefix(text, `"`) {
		name, stamp, _ := unquoteName(text)
		return sideName{name: name, epoch: isEpoch(stamp)}
	}
	name, stamp := cutDate(bytes.TrimRight(text, " "))
	if bytes.IndexByte(text, '\t') >= 0 {
		var ok bool
		if name, stamp, ok = cutStamps(text); !ok {
			return sideName{tabbed: true}
		}
	}
	if string(name) == "/dev/null" {
		return sideName{null: true}
	}
	return sideName{name: string(name), epoch: isEpoch(stamp)}
}

// cutStamps takes what diff, svn or cvs puts after a name, each after a tab, off its end. ok is
// false if there is no such thing.
func cutStamps(text []byte) (name, stamp []byte, ok bool) {
	name = text
	for tab := bytes.LastIndexByte(name, '\t'); tab >= 0; tab = bytes.LastIndexByte(name, '\t') {
		last := bytes.TrimSpace(name[tab:])
		isStamp := len(last) == 0 || last[0] == '(' || bytes.IndexByte(last, ':') >= 0
		isRevision := len(name) == len(text) && len(bytes.Trim(last, "0123456789.")) == 0 // of cvs, after the date
		if !isStamp && !isRevision {
			break
		}
		name, stamp, ok = name[:tab], last, ok || isStamp
	}
	return name, stamp, ok
}

// cutDate takes "2006-01-02 15:04:05" and what follows it off the end of a name. Programs write a
// tab before it, but a tab can become a blank on the way.
func cutDate(text []byte) (name, stamp []byte) {
	for i := len(text) - len(time.DateTime); i > 0; i-- {
		if text[i-1] != ' ' {
			continue
		}
		if _, err := time.Parse(time.DateTime, string(text[i:i+len(time.DateTime)])); err == nil {
			return bytes.TrimRight(text[:i], " "), text[i:]
		}
	}
	return text, nil
}

// isEpoch reads dates as diff writes them, with a zone or without, and as hg does.
func isEpoch(stamp []byte) bool {
	for _, form := range [...]string{"2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05 -07:00", "2006-01-02 15:04:05",
		"Mon Jan 2 15:04:05 2006 -0700", "Mon Jan _2 15:04:05 2006"} {
		if t, err := time.Parse(form, string(bytes.TrimSpace(stamp))); err == nil {
			return t.Unix() == 0
		}
	}
	return false
}

// badName says why a file can't be called by this name of a patch, "" if it can.
func badName(name string) string {
	if name == "" {
		return "the file has no name"
	}
	if name == "." || strings.HasSuffix(name, "/") || strings.HasSuffix(name, "/.") {
		return fmt.Sprintf("%q is no name of a file", name)
	}
	return ""
}

func parseRenameName(text []byte) (string, *SyntaxError) {
	name := string(text)
	if hasPrefix(text, `"`) {
		name, _, _ = unquoteName(text)
	}
	if name == "" {
		return "", &SyntaxError{Cause: "a file name is missing or badly quoted"}
	}
	return name, nil
}

// unquoteName reads a name in quotes, as package diff writes them, and returns what follows.
func unquoteName(text []byte) (name string, rest []byte, ok bool) {
	quoted, err := strconv.QuotedPrefix(string(text))
	if err != nil || quoted[0] != '"' || !utf8.ValidString(quoted) { // of other bytes strconv makes U+FFFD
		return "", nil, false
	}
	name, err = strconv.Unquote(quoted)
	return name, text[len(quoted):], err == nil
}

// samePath returns the path that an old and a new name mean if they are equal, or differ in their
// first component only: "a/x" and "b/x", "i/x" and "w/x", "linux-5.1/x" and "linux-5.2/x". A file
// in a folder "a" is called "a/a/x" and "b/a/x", or without prefixes "a/x" on both sides.
func samePath(old, new string) (path string, prefixed, ok bool) {
	if old == new {
		return old, false, true
	}
	oldFirst, oldRest, oldCut := strings.Cut(old, "/")
	newFirst, newRest, newCut := strings.Cut(new, "/")
	if oldCut && newCut && oldFirst != newFirst && oldRest == newRest && oldRest != "" {
		return oldRest, true, true
	}
	switch { // one of them is missing its prefix
	case trimPrefix(old) == new:
		return new, true, true
	case trimPrefix(new) == old:
		return old, true, true
	}
	return "", false, false
}

// trimPrefix takes one of the prefixes that git uses off a name.
func trimPrefix(name string) string {
	if len(name) > 2 && name[1] == '/' && strings.IndexByte("abiwco", name[0]) >= 0 {
		return name[2:]
	}
	return name
}

// maxNamesLine bounds the "diff --git" line that is tried at every blank: two paths of 4096 bytes,
// and their prefixes.
const maxNamesLine = 8400

// splitGitNames finds the one path that a "diff --git" line has twice. Blanks at its end can be
// damage.
func splitGitNames(names []byte) (path string, ok bool) {
	path, _, ok = samePath(splitQuotedNames(names))
	if ok = ok && path != ""; ok || len(names) > maxNamesLine {
		return path, ok
	}
	if path, ok = splitAtBlank(string(names)); !ok {
		path, ok = splitAtBlank(strings.TrimRight(string(names), " "))
	}
	return path, ok
}

// splitAtBlank tries every blank, and takes names with prefixes before equal ones.
func splitAtBlank(names string) (path string, ok bool) {
	for i := range len(names) {
		if names[i] != ' ' {
			continue
		}
		if p, prefixed, same := samePath(names[:i], names[i+1:]); same && (prefixed || !ok) && p != "" {
			path, ok = p, true
		}
	}
	return path, ok
}

// splitQuotedNames splits a line of which one name or both are in quotes.
func splitQuotedNames(names []byte) (old, new string) {
	old, rest, quoted := unquoteName(names)
	if !quoted {
		blank := max(bytes.Index(names, []byte(` "`)), 0)
		old, rest = string(names[:blank]), names[blank:]
	}
	rest = bytes.Trim(rest, " ")
	if new, _, quoted = unquoteName(rest); !quoted {
		new = string(rest)
	}
	return old, new
}

// fillNames sets Path and From. If it can't, cause says why, and line is the line at fault, from 0,
// or 0 for the header's first line.
func (h *diffFileHeader) fillNames(f *File) (line int, cause string) {
	if cause = h.chooseNames(f); cause != "" {
		return 0, cause
	}
	if f.From != "" {
		if cause = badName(f.From); cause != "" {
			return h.fromLine, cause
		}
	}
	return h.nameLine, badName(f.Path)
}

func (h *diffFileHeader) chooseNames(f *File) (cause string) {
	if h.renameFrom != "" || h.renameTo != "" {
		if h.renameFrom == "" || h.renameTo == "" {
			return "\"rename from\" and \"rename to\" go together"
		}
		f.Path, f.From = h.renameTo, h.renameFrom
		if f.Path == f.From {
			f.From = ""
		}
		return ""
	}
	if path, ok := h.pair(); ok {
		f.Path = path
		return ""
	}
	switch {
	case h.old.isFile() && h.new.isFile():
		return h.fillDifferent(f)
	case h.old.isFile():
		f.Path = h.withoutPrefix(h.old.name, "a/")
	case h.new.isFile():
		f.Path = h.withoutPrefix(h.new.name, "b/")
	case bytes.Contains(h.names, []byte(`\n`)):
		return causeOneLine
	default:
		return "the file's name can't be told from this line"
	}
	return ""
}

// withoutPrefix takes the prefix off the only name of a header, unless the patch has none.
func (h *diffFileHeader) withoutPrefix(name, prefix string) string {
	if h.bare {
		return name
	}
	return strings.TrimPrefix(name, prefix)
}

// fillDifferent is for two names that aren't one path. Under "diff --git" they are a move; else
// one may be a copy of the other, "x.orig".
func (h *diffFileHeader) fillDifferent(f *File) (cause string) {
	old, new := trimPrefix(h.old.name), trimPrefix(h.new.name)
	switch {
	case h.git && old != h.old.name && new != h.new.name:
		f.Path, f.From = new, old
	case !h.git && isVariantOf(old, new):
		f.Path = new
	case !h.git && isVariantOf(new, old):
		f.Path = old
	case strings.Contains(old, `\`):
		return fmt.Sprintf("folders are separated by \"/\": %q", strings.ReplaceAll(new, `\`, "/"))
	default:
		return "the old and the new name differ: give the same name in both lines, or, for a move, \"rename from\" and \"rename to\" lines"
	}
	return ""
}

// isVariantOf reports whether variant is name with something tacked on.
func isVariantOf(variant, name string) bool {
	tail, ok := strings.CutPrefix(variant, name)
	return ok && !strings.Contains(tail, "/")
}
