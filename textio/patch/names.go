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
	name  string
	null  bool // /dev/null
	epoch bool // dated 1970-01-01, 00:00 UTC, in any zone: diff -N writes this for a file that doesn't exist
	gone  bool // marked "(nonexistent)", as svn marks a file that isn't there on this side
	dated bool // has another date, or a revision: the file is there on this side
	words bool // ends at a tab, and what follows is nothing that programs write there
}

func (n sideName) isFile() bool { return n.name != "" }

func (n sideName) ok() bool { return n.null || n.isFile() }

// parseSideName reads a name that is in quotes, or that ends with the line, at a date or at a tab.
func parseSideName(text []byte) sideName {
	text = bytes.TrimRight(text, "\r")
	if hasPrefix(text, `"`) {
		name, stamp, _ := unquoteName(text)
		return stampedName(name, bytes.TrimSpace(stamp)) // in quotes /dev/null is a file, as for git
	}
	name, stamp := cutDate(bytes.TrimRight(text, " "))
	if bytes.IndexByte(text, '\t') >= 0 {
		name, stamp = cutStamps(text)
	}
	if string(name) == "/dev/null" {
		return sideName{null: true}
	}
	side := stampedName(string(name), bytes.TrimSpace(stamp))
	side.words = len(stamp) > 0 && stamp[0] == '\t' && !isStamp(stamp)
	return side
}

func stampedName(name string, stamp []byte) sideName {
	side := sideName{name: name, epoch: isEpoch(stamp), gone: string(stamp) == "(nonexistent)"}
	isRevision := hasPrefix(stamp, "(revision ") && string(stamp) != "(revision 0)"
	side.dated = !side.epoch && (isRevision || bytes.IndexByte(stamp, ':') > 0)
	return side
}

// sideName is parseSideName, but a name with tabs that the "diff --git" line has, too, is whole.
func (h *diffFileHeader) sideName(text []byte) sideName {
	if bare := bytes.TrimRight(text, "\t\r"); bytes.IndexByte(bare, '\t') > 0 && bytes.Contains(h.names, bare) {
		return sideName{name: string(bare)}
	}
	return parseSideName(text)
}

// cutStamps cuts a name off at the tab at which it ends. That is the first one of those after which
// there is only what diff, svn or cvs puts there, each after a tab: a date, a remark in
// parentheses, a revision. If the last tab has nothing of the kind after it, the name ends at the
// first tab of all, as for git and patch.
func cutStamps(text []byte) (name, stamp []byte) {
	name = text
	for tab := bytes.LastIndexByte(name, '\t'); tab >= 0 && isStamp(name[tab:]); tab = bytes.LastIndexByte(name, '\t') {
		name, stamp = name[:tab], name[tab:]
	}
	if len(name) == len(text) {
		tab := bytes.IndexByte(text, '\t')
		name, stamp = text[:tab], text[tab:]
	}
	return name, stamp
}

// isStamp reports whether a text after a tab is one of those that programs put after a name: with a
// time, in parentheses, only digits (a day, or a revision of cvs), or empty.
func isStamp(text []byte) bool {
	text = bytes.TrimSpace(text)
	return len(bytes.Trim(text, "0123456789./-")) == 0 || text[0] == '(' || bytes.IndexByte(text, ':') >= 0
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

// namePair is what an old and a new name have in common: a path, and what is before it in each.
type namePair struct {
	path, old, new string
}

func (p namePair) prefixed() bool { return p.old != "" || p.new != "" }

// pairNames returns the path that an old and a new name mean if they are equal, or differ in their
// first component only: "a/x" and "b/x", "i/x" and "w/x", "linux-5.1/x" and "linux-5.2/x". A file
// in a folder "a" is called "a/a/x" and "b/a/x", or without prefixes "a/x" on both sides.
func pairNames(old, new string) (pair namePair, ok bool) {
	if old == new {
		return namePair{path: old}, true
	}
	oldFirst, oldRest, oldCut := strings.Cut(old, "/")
	newFirst, newRest, newCut := strings.Cut(new, "/")
	if oldCut && newCut && oldFirst != newFirst && oldRest == newRest && oldRest != "" {
		return namePair{path: oldRest, old: oldFirst + "/", new: newFirst + "/"}, true
	}
	switch { // one of them is missing its prefix
	case trimPrefix(old) == new:
		return namePair{path: new, old: old[:len(old)-len(new)]}, true
	case trimPrefix(new) == old:
		return namePair{path: old, new: new[:len(new)-len(old)]}, true
	}
	return namePair{}, false
}

// pairDeep is pairNames for prefixes of several components, as many in each name: "x/old/a.txt" and
// "x/new/a.txt". If both begin with one of git's prefixes, the rest is the name.
func pairDeep(old, new string) (pair namePair, ok bool) {
	if trimPrefix(old) != old && trimPrefix(new) != new {
		return namePair{}, false
	}
	path := ""
	for old != new {
		oldCut, newCut := strings.LastIndexByte(old, '/'), strings.LastIndexByte(new, '/')
		if oldCut < 0 || newCut < 0 || old[oldCut:] != new[newCut:] {
			break
		}
		path, old, new = old[oldCut:]+path, old[:oldCut], new[:newCut]
	}
	ok = len(path) > 1 && strings.Count(old, "/") == strings.Count(new, "/")
	if !ok {
		return namePair{}, false
	}
	return namePair{path: path[1:], old: old + "/", new: new + "/"}, true
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
	pair, ok := pairNames(splitQuotedNames(names))
	if ok = ok && pair.path != ""; ok || len(names) > maxNamesLine {
		return pair.path, ok
	}
	for _, form := range [...]func(old, new string) (namePair, bool){pairNames, pairDeep} {
		for _, names := range [...]string{string(names), strings.TrimRight(string(names), " ")} {
			if path, ok = splitAtBlank(names, form); ok {
				return path, ok
			}
		}
	}
	return "", false
}

// splitAtBlank tries every blank, and takes names with prefixes before equal ones.
func splitAtBlank(names string, form func(old, new string) (namePair, bool)) (path string, ok bool) {
	for i := range len(names) {
		if names[i] != ' ' {
			continue
		}
		if p, same := form(names[:i], names[i+1:]); same && (p.prefixed() || !ok) && p.path != "" {
			path, ok = p.path, true
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
		f.Path = h.prefixes.withoutPrefix(h.old.name, h.prefixes.old, "a/")
	case h.new.isFile():
		f.Path = h.prefixes.withoutPrefix(h.new.name, h.prefixes.new, "b/")
	case bytes.Contains(h.names, []byte(`\n`)):
		return causeOneLine
	default:
		return "the file's name can't be told from this line"
	}
	return ""
}

// fillDifferent is for two names that aren't one path. Under "diff --git" they are a move; else
// one may be a copy of the other, "x.orig".
func (h *diffFileHeader) fillDifferent(f *File) (cause string) {
	old, new := trimPrefix(h.old.name), trimPrefix(h.new.name)
	deep, ok := pairDeep(h.old.name, h.new.name)
	switch {
	case h.git && old != h.old.name && new != h.new.name:
		f.Path, f.From = new, old
	case ok && h.prefixes.deep:
		f.Path = deep.path
	case !h.git && isVariantOf(old, new):
		f.Path = new
	case !h.git && isVariantOf(new, old):
		f.Path = old
	case strings.Contains(old, `\`):
		return fmt.Sprintf("directories are separated by \"/\": %q", strings.ReplaceAll(new, `\`, "/"))
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
