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

// stageAll stages the steps in parallel.
func (p *plan) stageAll() error {
	errs := make([]error, len(p.steps))
	var group sync.WaitGroup
	next := make(chan int)
	for range min(stagers, len(p.steps)) {
		group.Go(func() {
			for i := range next {
				errs[i] = p.stage(p.steps[i])
			}
		})
	}
	if err := p.hand(next, &group); err != nil {
		return err
	}
	for i, err := range errs {
		if err != nil {
			return own(p.steps[i].culprit(err), err)
		}
	}
	return nil
}

// hand passes the steps to the goroutines of group until all are passed or the call is cancelled,
// and waits for the goroutines.
func (p *plan) hand(next chan<- int, group *sync.WaitGroup) error {
	defer group.Wait()
	defer close(next)
	for i := range p.steps {
		if err := p.ctx.Err(); err != nil {
			return err
		}
		next <- i
	}
	return nil
}

// stage makes what arrives.
func (p *plan) stage(s *step) error {
	if s.arrives == nil {
		return nil
	}
	_, isFile := s.arrives.(*newFile)
	if !isFile && s.temp == fixedTemp {
		s.temp = clearStaged(s.p.folder)
	}
	err := s.arrives.make(p.ctx, p.w, s)
	s.named = s.named || !isFile && (err == nil || dir.Exists(s.p.folder, s.temp))
	if errors.Is(err, fs.ErrNotExist) {
		return dir.ErrCollision // its folder is gone, or the file that it is made from
	}
	if err == nil && s.file == nil {
		s.made, err = s.p.folder.Lstat(s.temp)
		if s.newTag == "" {
			s.newTag = identity(s.made)
		}
	}
	return err
}
