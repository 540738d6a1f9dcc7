package walk

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// maxIgnoreBytes is the largest ignore file that is read. The largest in use have a few thousand
// lines.
const maxIgnoreBytes = 1 << 20

// Why an ignore file is skipped. git also skips an ignore file of the tree that is a symbolic link.
var (
	ErrIgnoreNotFile = errors.New("the ignore file is not a regular file")
	ErrIgnoreLink    = errors.New("the ignore file is a symbolic link")
	ErrIgnoreLarge   = errors.New("the ignore file is larger than 1 MiB")
)

// ruleLevel is the rules of one folder, linked to those of the nearest folder above that has some.
// A nil *ruleLevel ignores nothing.
type ruleLevel struct {
	above *ruleLevel
	base  int      // index where paths relative to the folder begin
	files []*Rules // the last file takes precedence
}

// ignores reports whether a path below the folder is ignored. The caller has made sure that no
// folder on the way to it is ignored.
func (l *ruleLevel) ignores(path, name string, dir bool) bool {
	if l == nil {
		return false
	}
	_, u := l.deciding(path, name, dir)
	return u != nil && !u.negate
}

// deciding gives the rule that decides about a path, and the file that has it; nil if no rule
// matches. Among the rules that match, those of the deepest folder take precedence, then those of
// the last file, then the last one.
func (l *ruleLevel) deciding(path, name string, dir bool) (*Rules, *rule) {
	n := newIgnoredName(name, dir)
	for ; l != nil; l = l.above {
		rel := path[l.base:]
		for _, rules := range slices.Backward(l.files) {
			if u := rules.match(rel, &n); u != nil {
				return rules, u
			}
		}
	}
	return nil, nil
}

// ruleFiles reads the ignore files of one folder.
type ruleFiles struct {
	folder Folder
	path   string   // "" for the root
	names  []Dirent // sorted
	skip   func(path string, err error)
}

// lastName comes after nearly all names.
const lastName = "\xff"

// rulesIn does what readRules does, for a folder on the way to another, where only the ignore files
// and .git matter. List always gives these; from lastName on, it gives hardly any others.
func rulesIn(ctx context.Context, folder Folder, path string, above *ruleLevel, skip func(string, error)) *ruleLevel {
	names, _, err := folder.List(ctx, lastName)
	if err != nil {
		skip(shownPath(path), err)
		return above
	}
	return readRules(folder, path, sortNames(names), above, skip)
}

// readRules reads the ignore files of a folder, given its sorted names, on top of the rules above.
// It calls skip for a file that can't be read.
func readRules(folder Folder, path string, names []Dirent, above *ruleLevel, skip func(string, error)) *ruleLevel {
	r := ruleFiles{folder: folder, path: path, names: names, skip: skip}
	level := &ruleLevel{above: above}
	if path != "" {
		level.base = len(path) + 1
	}
	for _, rules := range [...]*Rules{r.exclude(), r.read(".gitignore"), r.read(".ignore")} {
		if rules != nil && len(rules.list) > 0 {
			level.files = append(level.files, rules)
		}
	}
	if len(level.files) == 0 {
		return above
	}
	return level
}

// read reads an ignore file of the folder itself. It opens regular files only.
func (r *ruleFiles) read(name string) *Rules {
	kind, ok := r.kind(name)
	if !ok || kind.IsDir() {
		return nil
	}
	if !kind.IsRegular() {
		r.failed(name, whyNoRules(kind))
		return nil
	}
	return r.parse(r.folder, name, name)
}

// exclude reads .git/info/exclude, or that of the repository which .git names if it is a file.
func (r *ruleFiles) exclude() *Rules {
	kind, ok := r.kind(".git")
	switch {
	case !ok:
		return nil
	case kind.IsRegular():
		return r.linkedExclude()
	case !kind.IsDir():
		return nil
	}
	folder, err := r.folder.Folder(".git")
	if err != nil {
		r.failed(".git/info/exclude", err)
		return nil
	}
	defer folder.Close()
	return r.excludeIn(folder, ".git")
}

// excludeIn reads info/exclude of a repository; shown is its path below the folder.
func (r *ruleFiles) excludeIn(repository Folder, shown string) *Rules {
	shown = path.Join(shown, "info/exclude")
	info, err := repository.Folder("info")
	if err != nil {
		r.failed(shown, err)
		return nil
	}
	defer info.Close()
	return r.parse(info, "exclude", shown)
}

// kind returns the type of a name in the folder.
func (r *ruleFiles) kind(name string) (kind fs.FileMode, ok bool) {
	i, ok := slices.BinarySearchFunc(r.names, name, compareName)
	if !ok {
		return 0, false
	}
	return r.names[i].Type, true
}

// parse reads and compiles one file; shown is its path below the folder.
func (r *ruleFiles) parse(folder Folder, name, shown string) *Rules {
	content, err := contentOf(folder, name, maxIgnoreBytes)
	if err != nil {
		if info, failed := folder.Lstat(name); failed == nil && !info.Type.IsRegular() {
			err = whyNoRules(info.Type)
		}
		r.failed(shown, err)
		return nil
	}
	rules := ParseIgnore(content)
	if rules.file = joinPath(r.path, shown); strings.HasPrefix(shown, "/") {
		rules.file = shown[1:]
	}
	return rules
}

// contentOf reads a file of a limited size.
func contentOf(folder Folder, name string, most int64) ([]byte, error) {
	f, err := folder.File(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var content bytes.Buffer
	n, err := io.Copy(&content, io.NewSectionReader(f, 0, most+1))
	if err == nil && n > most {
		err = ErrIgnoreLarge
	}
	return content.Bytes(), err
}

// whyNoRules says what is wrong with an ignore file of a type that isn't opened.
func whyNoRules(kind fs.FileMode) error {
	if kind&fs.ModeSymlink != 0 {
		return ErrIgnoreLink
	}
	return ErrIgnoreNotFile
}

// failed calls skip for an ignore file that could not be read, so its rules have no effect. A file
// that doesn't exist is not reported. A path that begins with a slash begins at the root.
func (r *ruleFiles) failed(shown string, err error) {
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	path := joinPath(r.path, shown)
	if strings.HasPrefix(shown, "/") {
		path = shown[1:]
	}
	r.skip(path, err)
}

// IgnoreRule is the line of an ignore file that leaves a path out of walks.
type IgnoreRule struct {
	File string // relative to the root
	Line int    // from 1
	Text string
}

// WhyIgnored finds the rule by which a walk that begins at start ignores a path below it, or a
// folder on the way to it. It reads the ignore files of these folders once more, so it is for
// explanations, not for walks. Files that can't be read are left out.
func WhyIgnored(ctx context.Context, root Folder, start, path string) (rule IgnoreRule, found bool) {
	folder, at := root, ""
	var level *ruleLevel
	names := strings.Split(path, "/")
	for i, name := range names {
		level = rulesIn(ctx, folder, at, level, func(string, error) {})
		at = joinPath(at, name)
		info, err := folder.Lstat(name)
		if err != nil {
			break
		}
		file, u := level.deciding(at, name, info.Type.IsDir())
		if u != nil && !u.negate && !within(start, at) {
			line := strings.Split(file.text, "\n")[u.line-1]
			return IgnoreRule{File: file.file, Line: int(u.line), Text: strings.TrimSpace(line)}, true
		}
		if i == len(names)-1 || ctx.Err() != nil {
			break
		}
		next, err := folder.Folder(name)
		if err != nil {
			break
		}
		defer next.Close()
		folder = next
	}
	return IgnoreRule{}, false
}
