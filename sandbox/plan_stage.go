package sandbox

import (
	"errors"
	"io/fs"
	"sync"

	"fsbox/sandbox/dir"
)

// stagers is how many files are written and synced at a time: enough to let the disk combine the
// syncs of many files.
const stagers = 8

// maxBeside is how many bytes of content a step may hold that is staged together with others.
const maxBeside = 1 << 20

// stageAll stages the steps, several in parallel.
func (p *plan) stageAll() error {
	if s := p.steps[0]; len(p.steps) == 1 {
		err := p.stage(s)
		return s.culprit(err).Fail(err)
	}
	errs := make([]error, len(p.steps))
	var group sync.WaitGroup
	defer group.Wait()
	running := make(chan struct{}, stagers)
	for i, s := range p.steps {
		if err := p.ctx.Err(); err != nil {
			return err
		}
		if n, ok := s.creates.(*newFile); ok && n.size > maxBeside {
			group.Wait()
			errs[i] = p.stage(s)
			continue
		}
		running <- struct{}{}
		group.Go(func() {
			errs[i] = p.stage(s)
			<-running
		})
	}
	group.Wait()
	for i, err := range errs {
		if err != nil {
			return p.steps[i].culprit(err).Fail(err)
		}
	}
	return nil
}

// stage makes what arrives.
func (p *plan) stage(s *step) error {
	if s.creates == nil {
		return nil
	}
	_, isFile := s.creates.(*newFile)
	switch {
	case s.temp != fixedTemp:
	case isFile:
		s.temp = stagedTemp // newFile takes another name if this one isn't free
	default:
		// What a killed call left may have been too much for the time that clearFolder has. No
		// other name: nothing would remove what gets it, if this call is cut short as well.
		if err := dir.RemoveTree(p.ctx, s.p.Folder, stagedTemp); dir.IsCanceled(err) {
			return err
		}
		s.temp = freeTemp(s.p.Folder, stagedTemp)
	}
	err := s.creates.make(p.ctx, p.w, s)
	s.hasTemp = s.hasTemp || !isFile && (err == nil || dir.Exists(s.p.Folder, s.temp))
	if errors.Is(err, fs.ErrNotExist) {
		return dir.ErrCollision // its folder is gone, or the file that it is made from
	}
	if err == nil {
		s.made, err = s.p.Folder.Lstat(s.temp)
	}
	if err == nil && s.newTag == "" {
		s.newTag = identity(s.made)
	}
	return err
}
