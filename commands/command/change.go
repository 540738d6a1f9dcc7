package command

import (
	"fmt"
	"io/fs"

	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/history"
	"fsbox/sandbox/transaction"
	"fsbox/textio"
)

// Changer is the result of a command that changes something.
type Changer interface{ Change() Change }

// Change is what a call would change, as its dry run found it: all from which the plan of an
// approval is made.
type Change struct {
	Paths     []string          // that change
	Read      []string          // that are only read: the source of a copy
	ReadEtags map[string]string // of the files among Read whose content the dry run has read, by path
	Etag      string            // of the file at the first path, "" if the result has none
	Files     []ChangedFile     // files with other contents, or at other places
	NewMode   fs.FileMode       // of a new file at the first path, if its content isn't shown; 0 for the usual one
	Nothing   bool              // all is as the request wants it
	Whole     bool              // files get other places as they are, and no diff shows them
	IsTree    bool              // it is about a folder with all that is in it
	Folder    bool              // what is new at a path is a folder
	Undoes    string            // of an undo: IDs of the calls that it undoes

	Takes        []string // paths that go, with all that is in them
	Over, Source string   // the path that a move or a copy replaces, and the path of the new content; "" for none
}

// ChangedFile is one file of a change. Only an undo is about others than regular files.
type ChangedFile struct {
	textio.Contents
	Encoding      string      // as the request names it
	Mode, NewMode fs.FileMode // permission bits; mode is 0 if nothing was there, NewMode if it is the usual one
	Runs          bool        // a new file with the usual mode may be executed, too
	Kind          fs.FileMode // type of what comes back or goes; 0 for a regular file
	Link          string      // where a link leads that comes back
	Entries       int         // names in a folder that comes back
	Stamp         string      // of that folder and all that is in it, where it is now
	Before        int64       // bytes of the file before what Contents has
}

// ChangedBy is the file that a dry run has written.
func ChangedBy(done *transaction.Done, encoding string) ChangedFile {
	return ChangedFile{Encoding: encoding, Mode: done.Mode, NewMode: done.NewMode, Contents: textio.Contents{Path: done.Path,
		Old: done.Old, New: done.New, Created: !done.Existed, Partial: done.Partial}}
}

// AddEnds adds the other paths of the calls that an undo undoes. The undo locks them as well,
// even where the calls together change nothing there.
func (c *Change) AddEnds(undid []*history.Entry) {
	known := map[string]bool{"": true}
	for _, path := range c.Paths {
		known[path] = true
	}
	for _, b := range undid {
		for _, f := range b.Items {
			c.IsTree = c.IsTree || f.Mode.IsDir()
			for _, path := range [...]string{f.Path, f.From} {
				if !known[path] {
					c.Paths, known[path] = append(c.Paths, path), true
				}
			}
		}
	}
}

// Consent says how a change was allowed, for the log.
type Consent string

const (
	ConsentPath   Consent = "path"   // approve_allow lets it through
	ConsentPerson Consent = "person" // somebody said yes
	ConsentToken  Consent = "token"
)

// Octal gives permission bits the way chmod takes them.
func Octal(mode fs.FileMode) string { return fmt.Sprintf("%04o", stat.UnixBits(mode)) }
