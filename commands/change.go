package commands

import (
	"cmp"
	"io/fs"

	"fsbox/sandbox"
	"fsbox/sandbox/dir"
	"fsbox/sandbox/history"
	"fsbox/textio"
)

// changer is the result of a verb that changes something.
type changer interface{ Change() change }

// change is what a call would change, as its dry run found it: all from which the plan of an
// approval is made.
type change struct {
	paths   []string      // that change
	read    []string      // that are only read: the source of a copy
	etag    string        // of the file at the first path, "" if the result has none
	files   []changedFile // files with other contents, or at other places
	modes   []modeChange  // of files whose content isn't shown
	nothing bool          // all is as the request wants it
	isTree  bool          // it is about a folder with all that is in it
	undoes  string        // of an undo: IDs of the calls that it takes back

	takes        []string // paths that go, with all that is in them
	over, source string   // the path that a move or a copy replaces, and the path of the new content; "" for none
}

// changedFile is one file of a change. Only an undo is about others than regular files.
type changedFile struct {
	textio.Contents
	encoding      string      // as the request names it
	mode, newMode fs.FileMode // permission bits; mode is 0 if nothing was there, newMode if it is the usual one
	runs          bool        // a new file with the usual mode may be executed, too
	kind          fs.FileMode // type of what comes back or goes; 0 for a regular file
	link          string      // where a link leads that comes back
	entries       int         // names in a folder that comes back
	before        int64       // bytes of the file before what Contents has
}

// changedBy is the file that a dry run has written.
func changedBy(done *sandbox.Done, encoding string) changedFile {
	return changedFile{encoding: encoding, mode: done.Mode, newMode: done.NewMode, Contents: textio.Contents{Path: done.Path,
		Old: done.Old, New: done.New, Created: !done.Existed, Partial: done.Partial}}
}

// etags are those of the files from whose contents a change was made, by path.
func (c *change) etags() map[string]string {
	all := map[string]string{}
	if c.etag != "" {
		all[c.paths[0]] = c.etag
	}
	for _, f := range c.files {
		if len(f.Old) > 0 && f.Head == nil && !f.Partial {
			all[cmp.Or(f.From, f.Path)] = dir.ContentETag(f.Old)
		}
	}
	return all
}

// addEnds adds the other paths of the calls that an undo takes back. The undo locks them as well,
// even where the calls together change nothing there.
func (c *change) addEnds(undid []*history.Entry) {
	known := map[string]bool{"": true}
	for _, path := range c.paths {
		known[path] = true
	}
	for _, b := range undid {
		for _, f := range b.Items {
			c.isTree = c.isTree || f.Mode.IsDir()
			for _, path := range [...]string{f.Path, f.From} {
				if !known[path] {
					c.paths, known[path] = append(c.paths, path), true
				}
			}
		}
	}
}

// modeChange is a change of permission bits. The diff of an approval doesn't show it.
type modeChange struct {
	path     string
	existed  bool
	old, new fs.FileMode // new is 0 for a new file that has the usual mode plus the right to be executed
}

// addMode adds the change of a file's mode, if there is one. runs says that a new file may be
// executed.
func addMode(all []modeChange, path string, old, now fs.FileMode, runs bool) []modeChange {
	if old &^= fs.ModeType; old == now && (old != 0 || !runs) {
		return all
	}
	return append(all, modeChange{path: path, existed: old != 0, old: old, new: now})
}
