package plan

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/rights"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/disk/walk"
	"fsbox/sandbox/history"
	"fsbox/sandbox/policy"
	"fsbox/sandbox/tree"
)

// Step is one name that a plan changes. What has the name before, and what arrives, are kept under
// the step's temporary name until the whole plan is done. There are four kinds:
//
//	create    nothing has the name, and something arrives
//	replace   a file or link has the name, and something arrives
//	remove    a file or folder has the name, and nothing arrives
//	rename    a file or folder moves to the name from another target
type Step struct {
	Target   *sandbox.Target
	Creates  Created         // nil for removing and renaming
	From     *sandbox.Target // of a rename
	Replaces bool            // a rename replaces what has the name: an empty folder, or a file on a system that can't exchange names
	MayExist bool            // of creating: if somebody has taken the name by now, the call begins again, and replaces that; else it fails
	Info     stat.Info       // of what has the name, or of what is renamed
	OldTag   string          // tells it from any other: see tag.go
	NewTag   string          // the same of what arrives
	Tree     string          // of a folder that is taken away: state of all that is in it, which must be the same then; "" if it may change
	Moved    bool            // what is taken away has its new name already, so that a change of its content is no loss
	Kept     string          // name of the old content in the state folder, "" for none

	meanwhile func() error // is called while the disk writes a new file; may be nil

	Temp    string      // temporary name, first of what arrives, then of what is displaced
	HasTemp bool        // something that this plan has to remove has the temporary name
	Made    stat.Info   // of what arrives, when it is ready
	Lost    rights.Lost // what a new file lacks that the old one had
	linked  bool        // the file itself is kept, not a copy of it
	inPlace bool        // a folder that can't be renamed: it is removed at the end
	Done    bool        // it is made
}

// isTree reports whether what arrives or what is displaced may be a folder.
func (s *Step) isTree() bool {
	switch s.Creates.(type) {
	case NewFolder, *CopiedTree:
		return true
	}
	return s.Info.Mode.IsDir()
}

// kind is one of the four.
func (s *Step) kind() history.Kind {
	switch {
	case s.From != nil:
		return history.Rename
	case s.Creates == nil:
		return history.Remove
	case s.Target.Exists:
		return history.Replace
	}
	return history.Create
}

// recorded describes the step for a record, from which it can be undone.
func (s *Step) recorded() history.Item {
	f := history.Item{Path: s.Target.Path, Kind: s.kind(), Kept: s.Kept, Temp: s.Temp, FileID: s.Info.ID(), Old: s.OldTag,
		New: s.NewTag}
	switch f.Kind {
	case history.Rename:
		f.From, f.New = s.From.Path, ""
	case history.Create:
		f.FileID = s.Made.ID()
	}
	if s.isTree() {
		f.Mode = fs.ModeDir
	}
	return f
}

// stagers is how many files are written and synced at a time: enough to let the disk combine the
// syncs of many files.
const stagers = 8

// maxBeside is how many bytes of content a step may hold that is staged together with others.
const maxBeside = 1 << 20

// stageAll stages the steps, several in parallel.
func (p *Plan) stageAll() error {
	if s := p.Steps[0]; p.isSingle() {
		err := p.Stage(s)
		return s.culprit(err).Fail(err)
	}
	errs := make([]error, len(p.Steps))
	var group sync.WaitGroup
	defer group.Wait()
	running := make(chan struct{}, stagers)
	for i, s := range p.Steps {
		if err := p.Ctx.Err(); err != nil {
			return err
		}
		if n, ok := s.Creates.(*NewFile); ok && n.Size > maxBeside {
			group.Wait()
			errs[i] = p.Stage(s)
			continue
		}
		running <- struct{}{}
		group.Go(func() {
			errs[i] = p.Stage(s)
			<-running
		})
	}
	group.Wait()
	for i, err := range errs {
		if err != nil {
			return p.Steps[i].culprit(err).Fail(err)
		}
	}
	return nil
}

// Stage makes what arrives.
func (p *Plan) Stage(s *Step) error {
	if s.Creates == nil {
		return nil
	}
	_, isFile := s.Creates.(*NewFile)
	switch {
	case s.Temp != FixedTemp:
	case isFile:
		s.Temp = StagedTemp // NewFile takes another name if this one isn't free
	default:
		// What a killed call left may have been too much for the time that clearFolder has. No
		// other name: nothing would remove what gets it, if this call is cut short as well.
		if err := walk.Remove(p.Ctx, s.Target.Folder, StagedTemp); fserr.IsCanceled(err) {
			return err
		}
		s.Temp = freeTemp(s.Target.Folder, tempName(s.Target.Folder, StagedTemp))
	}
	err := s.Creates.make(p.Ctx, p.Workspace, s)
	if plain, _, isLong := strings.Cut(s.Temp, newMark); isLong && errors.Is(err, syscall.ENAMETOOLONG) { // as on eCryptfs, with 143 bytes
		s.Temp = plain + newMark
		err = s.Creates.make(p.Ctx, p.Workspace, s)
	}
	s.HasTemp = s.HasTemp || !isFile && (err == nil || dir.Exists(s.Target.Folder, s.Temp))
	if errors.Is(err, fs.ErrNotExist) {
		return fserr.ErrCollision // its folder is gone, or the file that it is made from
	}
	if err == nil {
		s.Made, err = s.Target.Folder.Lstat(s.Temp)
	}
	if err == nil && s.NewTag == "" {
		s.NewTag = tree.IdentityOf(s.Target.Folder, s.Temp, s.Made)
	}
	return err
}

// NewFile is a file with a new content.
type NewFile struct {
	Content []byte
	Later   func() ([]byte, error)        // gets the content instead, when the file is made; nil if content has it
	Size    int64                         // bytes that later takes
	Copy    *Original                     // whose content it gets instead, if that is long
	From    *rights.Rights                // mode, owner and attributes; nil for the process's defaults
	Mode    func(fs.FileMode) fs.FileMode // the mode, given the one so far; nil to keep that
	Runs    bool                          // without from and mode: those who may read it may also execute it
}

func (n *NewFile) make(ctx context.Context, w *sandbox.Workspace, s *Step) error {
	folder := s.Target.Folder
	remote := folder.System().Remote
	perm := n.perm(remote)
	if s.Temp == StagedTemp {
		s.Temp = tempName(folder, StagedTemp)
	}
	f, err := folder.Create(s.Temp, perm)
	if errors.Is(err, fs.ErrExist) && strings.HasPrefix(s.Temp, policy.TransPrefix) { // it is this step's: an answer was lost
		_ = folder.Remove(s.Temp)
		f, err = folder.Create(s.Temp, perm)
	}
	if errors.Is(err, fs.ErrExist) { // a file that can't be removed has the name
		s.Temp = randomTemp()
		f, err = folder.Create(s.Temp, perm)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	s.HasTemp = true
	if err := n.write(ctx, f, s); err != nil {
		return err
	}
	if n.From != nil || n.Mode != nil {
		lost, err := tree.TakeOver(f, n.From, n.Mode)
		if s.Lost |= lost; err != nil {
			return err
		}
	}
	if s.meanwhile != nil {
		if !w.NoSync() && !remote { // over the wire, that would take a call more
			f.StartSync()
		}
		err = s.meanwhile()
	}
	if err != nil || w.NoSync() {
		return err
	}
	return f.Sync()
}

func (n *NewFile) write(ctx context.Context, f *openfile.File, s *Step) (err error) {
	if n.Copy != nil {
		return n.writeLong(ctx, f, s)
	}
	content := n.Content
	if n.Later != nil {
		if content, err = n.Later(); err != nil {
			return err
		}
	}
	if s.NewTag == "" || n.Later != nil {
		s.NewTag = openfile.ContentETag(content)
	}
	_, err = f.Write(content)
	return err
}

// writeLong copies a long file.
func (n *NewFile) writeLong(ctx context.Context, f *openfile.File, s *Step) error {
	s.NewTag = cmp.Or(s.NewTag, n.Copy.Tag)
	if err := n.Copy.copyTo(ctx, f); err != nil || s.NewTag != "" {
		return err
	}
	made, err := f.Stat()
	s.NewTag = tree.LongTag(made)
	return err
}

// perm is the mode with which the file is created, before the process's umask. Over the wire, to
// change it later takes a call. So it is the final one there, if that gives the same rights to all
// but the owner, whatever the group, and there is no access control list.
func (n *NewFile) perm(remote bool) fs.FileMode {
	if n.From != nil && n.Mode != nil && remote && len(n.From.Attributes) == 0 {
		if mode := n.Mode(n.From.Of.Mode.Perm()); mode>>3&7 == mode&7 && mode&0o600 == 0o600 {
			return mode.Perm()
		}
	}
	switch {
	case n.From != nil || n.Mode != nil:
		return 0o600 // until its final mode is set
	case n.Runs:
		return 0o777
	}
	return 0o666
}

// onlyRenames reports whether what arrives is a file that is made under a name of its own and then
// renamed over what it replaces, so that nothing else needs a temporary name.
func (s *Step) onlyRenames() bool {
	_, isFile := s.Creates.(*NewFile)
	return isFile && s.Target.Folder.System().NoExchange
}

// culprit is the target that an error of the system is about.
func (s *Step) culprit(err error) *sandbox.Target {
	if s.From == nil || IsAboutNew(err, s.Target.Folder) {
		return s.Target
	}
	return s.From
}

// apply makes one step.
func (p *Plan) apply(s *Step) (err error) {
	switch s.kind() {
	case history.Rename:
		err = p.rename(s)
	case history.Remove:
		err = p.remove(s)
	case history.Replace:
		err = p.replace(s)
	case history.Create:
		err = p.create(s)
	}
	s.Done = s.Done || err == nil
	if s.From != nil {
		err = s.From.TellMount(err)
	}
	return s.Target.TellMount(err)
}

// create gives what arrives its name, unless the name is taken.
func (p *Plan) create(s *Step) error {
	err := moveFree(s.Target.Folder, s.Temp, s.Target.Name, p.isMade(s))
	s.HasTemp = err != nil
	switch {
	case errors.Is(err, fs.ErrExist) && s.MayExist, errors.Is(err, fs.ErrNotExist): // or its folder is gone
		return fserr.ErrCollision
	case fserr.IsOfSystem(err):
		s.Done = true // it may be made: see replaceInTwo
	}
	return err
}

// remove moves what has the name to the temporary name, where it stays until the plan is done.
func (p *Plan) remove(s *Step) error {
	folder := s.Target.Folder
	if err := p.unchanged(s); err != nil {
		return err
	}
	switch {
	case p.isSingle() && s.Temp == FixedTemp:
		s.Temp = tempName(folder, FixedTemp)
	case folder.System().NoExchange && !p.isSingle():
		s.Temp = AsideOf(s.Temp)
	}
	s.Done = !p.isSingle() // as in replaceInTwo
	err := moveFree(folder, s.Target.Name, s.Temp, s.Info.HasID)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fserr.ErrCollision
	case errors.Is(err, fs.ErrExist): // something that can't be removed has the temporary name
		return fserr.ErrBusy
	case errors.Is(err, syscall.EXDEV) && s.Tree != "": // overlayfs can't rename a folder of a lower layer
		if s.inPlace = tree.IsUnchanged(folder, s.Target.Name, s.Tree); !s.inPlace {
			return fserr.ErrCollision
		}
		return nil
	case err != nil:
		return err
	}
	if p.isDisplaced(s) {
		s.HasTemp = true
		return nil
	}
	return p.putBack(s, dir.IfFree)
}

// unchanged is the function of the same name for a step. If an earlier step has renamed the same
// file under another name, the time of the last change may differ.
func (p *Plan) unchanged(s *Step) error {
	err := sandbox.CheckUnchanged(s.Target, s.Info)
	renamed := func(o *Step) bool {
		return o.Done && s.Info.Ino != 0 && (o.Info.ID() == s.Info.ID() || o.Made.ID() == s.Info.ID())
	}
	if err == nil || !s.Moved && !slices.ContainsFunc(p.Steps, renamed) {
		return err
	}
	if now, err := s.Target.Folder.Lstat(s.Target.Name); err == nil && s.isState(now) {
		return nil
	}
	return err
}

// isState reports whether a description fits what has the name of a step.
func (s *Step) isState(now stat.Info) bool {
	return s.Moved && now.ID() == s.Info.ID() || sandbox.SameState(now, s.Info)
}

// CompareLimit is the size, in bytes, up to which the content of a displaced file is compared with
// what was read, not only its times: a change within one tick of the file system's clock leaves the
// times as they were.
const CompareLimit = 1 << 20

// isDisplaced reports whether what has the temporary name is what was read, unchanged. If the file
// itself is kept as the backup, nobody may be able to change it any more.
func (p *Plan) isDisplaced(s *Step) bool {
	now, err := s.Target.Folder.Lstat(s.Temp)
	switch {
	case err != nil || !s.isState(now):
		return false
	case s.Moved:
		return true
	case s.Tree != "":
		return tree.IsUnchanged(s.Target.Folder, s.Temp, s.Tree)
	case !s.linked:
		isOld, _ := s.hasContent(p.Ctx, s.OldTag)
		return isOld
	}
	f := p.openSettled(s) // the same file by its other name
	if f == nil {
		return false
	}
	defer f.Close()
	return isContent(p.Ctx, f, s.OldTag)
}

// isAsStaged reports whether what has the temporary name is what arrived, as it was made.
func (p *Plan) isAsStaged(s *Step) bool {
	now, err := s.Target.Folder.Lstat(s.Temp)
	if err != nil || now.ID() != s.Made.ID() {
		return false
	}
	if now.Mode.IsRegular() && (now.Size != s.Made.Size || !now.Modified.Equal(s.Made.Modified)) {
		return false
	}
	isNew, err := s.hasContent(p.Ctx, s.NewTag)
	return isNew || fserr.IsOfSystem(err) // then its ID, size and time must do
}

// hasContent compares the file with the temporary name with the tag of a content, unless it is
// long.
func (s *Step) hasContent(ctx context.Context, tag string) (bool, error) {
	if !tree.IsContentTag(tag) || !s.Info.Mode.IsRegular() {
		return true, nil
	}
	f, err := s.Target.Folder.Open(s.Temp, os.O_RDONLY)
	if err != nil {
		return false, err
	}
	defer f.Close()
	return isContent(ctx, f, tag), nil
}

// isContent compares a file with the tag of a content, unless it is long.
func isContent(ctx context.Context, f *openfile.File, tag string) bool {
	if !tree.IsContentTag(tag) || f.Info.Size > CompareLimit {
		return true
	}
	found, err := f.ReadAll(context.WithoutCancel(ctx), CompareLimit)
	return err == nil && openfile.ContentETag(found) == tag
}

// endStaging gives what arrives the temporary name of what is whole: what is displaced gets it
// next.
func (s *Step) endStaging() error {
	if !strings.HasPrefix(s.Temp, StagedTemp) {
		return nil
	}
	folder, whole := s.Target.Folder, tempName(s.Target.Folder, FixedTemp)
	err := folder.Move(s.Temp, folder, whole, dir.Over)
	err = dir.Arrived(err, folder, s.Temp, folder, whole, s.Made.HasID)
	if err == nil {
		s.Temp = whole
	}
	return err
}
