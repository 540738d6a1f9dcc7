package lines

import "context"

// Stopper tells a loop with many rounds that the call has been cancelled.
type Stopper struct {
	Ctx     context.Context
	rounds  int
	stopped bool
}

// Now begins a round. It looks at the context in the first and in every 4096th.
func (s *Stopper) Now() bool {
	if s.rounds%4096 == 0 && s.Ctx.Err() != nil {
		s.stopped = true
	}
	s.rounds++
	return s.stopped
}
