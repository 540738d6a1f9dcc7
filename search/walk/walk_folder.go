package walk

import (
	"context"
	"io/fs"
	"slices"
	"strings"
)

// walkFolder is one folder of a walk: either on the stack, which leads from the start of the walk
// to its current folder, or read ahead. Readers and the walk share handle and the fields after it;
// ahead.mutex guards these. The other fields belong to the goroutine that reads the folder, and
// after that to the walk.
type walkFolder struct {
	path    string // "" for the root
	depth   int    // of the names in it: 1 for those in the start folder
	level   *ruleLevel
	glob    *GlobFolder
	names   []Dirent   // sorted: those that come after batch
	rest    string     // the name to list on from when names is used up, "" if there are no more
	infos   []nameInfo // of batch; known is set where a reader has called Lstat
	next    int        // batch[next:] is still to come
	landing bool       // stays open however deep the walk goes: see folderStack
	resumed bool       // the first name was visited by the earlier walk, which this one resumes
	after   string     // if resumed: the path to resume after inside that first name, "" = at its start

	skipped  []Skipped // its ignore files that could not be read
	err      error     // why it could not be read itself
	panicked *Panic

	handle  *handle // nil while closed
	batch   []walkName
	scan    int           // batch[:scan] holds no folder that could still be read ahead
	claimed []*walkFolder // folders in this one that are read ahead, or about to be, in order
	at      int           // index in the batch of the folder above
	via     *handle       // of the folder above, until this one has been opened in it
	read    bool
	dropped bool // the walk doesn't need this folder any more

	scratch *scratch // may be nil
}

// scratch is memory that one folder after the other uses. Without it, and with each path made by
// itself (see setPaths), a walk of many folders takes some 3 % more processor time (2026-11-29).
type scratch struct {
	batch []walkName
	infos []nameInfo
}

// forBatch gives memory for the names of a batch. Only the first batch of a folder gets it: readers
// may still use that batch while the next one is made.
func (f *walkFolder) forBatch(n int) []walkName {
	if f.scratch == nil || f.batch != nil {
		return make([]walkName, n)
	}
	f.scratch.batch = cleared(f.scratch.batch, n)
	return f.scratch.batch
}

// cleared gives a slice of n zero elements, in the memory of s if that is enough.
func cleared[E any](s []E, n int) []E {
	if n > cap(s) {
		return make([]E, n, max(n, 2*cap(s)))
	}
	s = s[:n]
	clear(s)
	return s
}

// walkName is one name of a folder, and what has been decided about it.
type walkName struct {
	path    string
	kind    fs.FileMode
	verdict verdict
	wanted  bool
	enters  bool // the walk goes on inside
}

// nameInfo is what Lstat said about a name.
type nameInfo struct {
	info  Info
	err   error
	known bool
}

// handle is an open folder. The last of its users closes it.
type handle struct {
	folder Folder
	users  int
	spent  *spent
}

// release ends one use, and closes the folder after the last.
func (h *handle) release() {
	if h.users--; h.users == 0 {
		*h.spent = append(*h.spent, h.folder)
	}
}

// spent are folders to be closed after ahead.mutex is unlocked: closing a folder can take as long
// as reading one.
type spent []Folder

// close closes them. Errors don't matter: nothing was written.
func (s *spent) close() {
	for _, folder := range *s {
		folder.Close()
	}
	*s = (*s)[:0]
}

// close ends the folder's own use of its handle.
func (f *walkFolder) close() {
	if f.handle != nil {
		f.handle.release()
		f.handle = nil
	}
}

// batchNames is how many names of a folder are decided about at a time: a caller that wants the
// first 200 of 300,000 names has to wait for one batch of decisions only.
const batchNames = 512

func (f *walkFolder) nameOf(n *walkName) string {
	if f.path == "" {
		return n.path
	}
	return n.path[len(f.path)+1:]
}

// child makes the walkFolder for a name in the batch.
func (f *walkFolder) child(at int) *walkFolder {
	n := &f.batch[at]
	c := &walkFolder{path: n.path, depth: f.depth + 1, level: f.level, at: at}
	if f.glob != nil {
		c.glob = f.glob.Enter(f.nameOf(n))
	}
	return c
}

// open opens the folder by its name in the one above.
func (f *walkFolder) open(above *handle) {
	folder, err := above.folder.Folder(baseName(f.path))
	if err != nil {
		f.err = err
		return
	}
	f.handle = &handle{folder: folder, users: 1, spent: above.spent}
}

// load reads the names of an open folder, and its rules. after is the part of Options.After below
// this folder, "" for none: the names before its first component are dropped.
func (f *walkFolder) load(ctx context.Context, d *decider, after string) {
	if f.err != nil {
		return
	}
	first, _, _ := strings.Cut(after, "/")
	names, bound, err := f.handle.folder.List(ctx, first)
	if err != nil {
		f.err = err
		return
	}
	f.names = sortNames(names)
	if d.rules {
		f.level = readRules(f.handle.folder, f.path, f.names, f.level, func(path string, err error) {
			f.skipped = append(f.skipped, Skipped{Path: path, Err: err})
		})
	}
	f.keepUpTo(bound)
	if after != "" {
		f.resume(after)
	}
	f.batch = f.nextNames(d)
}

// keepUpTo drops the names that come after bound, which are read later; with "" it drops none.
func (f *walkFolder) keepUpTo(bound string) {
	if f.rest = ""; bound == "" {
		return
	}
	f.rest = bound + "\x00" // the smallest name after bound
	at, _ := slices.BinarySearchFunc(f.names, f.rest, compareName)
	f.names = f.names[:at]
}

// readOn reads the names that were left for later.
func (f *walkFolder) readOn(ctx context.Context) error {
	from := f.rest
	names, bound, err := f.handle.folder.List(ctx, from)
	if err != nil {
		f.rest = ""
		return err
	}
	f.names = sortNames(names)
	f.keepUpTo(bound)
	at, _ := slices.BinarySearchFunc(f.names, from, compareName)
	f.names = f.names[at:]
	return nil
}

func (f *walkFolder) resume(after string) {
	first, rest, _ := strings.Cut(after, "/")
	at, found := slices.BinarySearchFunc(f.names, first, compareName)
	f.names = f.names[at:]
	if found { // else the name is gone, and nothing is left to resume in
		f.resumed, f.after, f.scan = true, rest, 1 // scan: no reader takes this folder, the walk resumes in it
	}
}

// nextNames decides about the names of the next batch.
func (f *walkFolder) nextNames(d *decider) []walkName {
	n := min(len(f.names), batchNames)
	if n == 0 {
		return nil
	}
	batch := f.forBatch(n)
	f.setPaths(batch)
	for i := range batch {
		batch[i].kind = f.names[i].Type
		d.decide(f, &batch[i])
	}
	if f.names = f.names[n:]; len(f.names) == 0 {
		f.names = nil
	}
	return batch
}

// setPaths gives each name of a batch its path. They are parts of one string, which is faster: see
// scratch. A caller that lists the folder keeps all paths anyway.
func (f *walkFolder) setPaths(batch []walkName) {
	if f.path == "" {
		for i := range batch {
			batch[i].path = f.names[i].Name
		}
		return
	}
	size := len(batch) * (len(f.path) + 1)
	for i := range batch {
		size += len(f.names[i].Name)
	}
	var text strings.Builder
	text.Grow(size)
	for i := range batch {
		text.WriteString(f.path)
		text.WriteByte('/')
		text.WriteString(f.names[i].Name)
	}
	all := text.String()
	for i := range batch {
		n := len(f.path) + 1 + len(f.names[i].Name)
		batch[i].path, all = all[:n], all[n:]
	}
}

// inform asks the system for what Entry.Info will need.
func (f *walkFolder) inform(ctx context.Context) {
	f.scratch.infos = cleared(f.scratch.infos, len(f.batch))
	f.infos = f.scratch.infos
	for i := range f.batch {
		n := &f.batch[i]
		if !n.wanted {
			continue
		}
		if i%contextEvery == contextEvery-1 && ctx.Err() != nil {
			return
		}
		info, err := f.handle.folder.Lstat(f.nameOf(n))
		f.infos[i] = nameInfo{info, err, true}
	}
}

// leadsOn reports whether a folder that has been read has to stay open: to open folders in it, or
// to list its next names.
func (f *walkFolder) leadsOn() bool {
	return f.err == nil && (len(f.names) > 0 || f.rest != "" || slices.ContainsFunc(f.batch, func(n walkName) bool { return n.enters }))
}

func compareName(d Dirent, name string) int { return strings.Compare(d.Name, name) }

// decider decides about names. It never changes, so several goroutines share it.
type decider struct {
	o        Options
	from     string // o.From, or o.Path if that is empty
	limit    int    // deepest level visited, 0 = no limit
	rules    bool   // ignore files are read
	enterGit bool   // .git is a folder like any other
}

func newDecider(o Options) decider {
	d := decider{o: o, from: o.From, limit: o.Depth, rules: o.Recursive && !o.NoIgnore}
	if !o.Recursive {
		d.limit = 1
	}
	if d.from == "" {
		d.from = o.Path
	}
	d.enterGit = slices.Contains(strings.Split(d.from, "/"), ".git") || o.IncludeHidden && o.NoIgnore
	return d
}

type verdict uint8

const (
	verdictVisit verdict = iota
	verdictHidden
	verdictIgnored
	verdictBlocked
)

// decide decides whether one name of a folder is visited, counted and entered.
func (d *decider) decide(f *walkFolder, n *walkName) {
	name, dir := f.nameOf(n), n.kind.IsDir()
	switch {
	case !d.o.IncludeHidden && strings.HasPrefix(name, ".") && (f.glob == nil || !f.glob.Reveal(name)):
		n.verdict, n.wanted = verdictHidden, d.counts(f, n.path, name, n.kind)
		return
	case n.path != d.o.Always && f.level.ignores(n.path, name, dir):
		n.verdict, n.wanted = verdictIgnored, d.counts(f, n.path, name, n.kind)
		return
	case d.o.Blocked != nil && d.o.Blocked(n.path, dir):
		n.verdict = verdictBlocked
	default:
		n.enters = dir && d.enters(f, n.path, name)
	}
	n.wanted = (f.glob == nil || f.glob.Match(name, dir)) && (d.o.Want == nil || d.o.Want(n.path, n.kind))
}

// counts decides whether a name that is hidden or ignored counts as left out: nobody misses what
// the walk would not have found, nor entered.
func (d *decider) counts(f *walkFolder, path, name string, kind fs.FileMode) bool {
	return d.o.Count == nil || d.o.Count(path) || kind.IsDir() && d.enters(f, path, name)
}

// enters decides whether the walk goes on inside a folder.
func (d *decider) enters(f *walkFolder, path, name string) bool {
	switch {
	case d.limit > 0 && f.depth >= d.limit:
		return false
	case name == ".git" && !d.enterGit:
		return false
	case f.glob != nil && !f.glob.LeadsInto(name):
		return false
	}
	return d.o.Enter == nil || d.o.Enter(path)
}
