package search

import "context"

// SearchFile searches one file for its matching lines behind line skip, as Grep does with each file of a walk, and closes
// it. Of o it uses Lines, PerFile and MaxBytes. Like Grep it doesn't wait for a match that goes on when ctx has ended; the
// file is closed when that is over.
func SearchFile(ctx context.Context, m *Matcher, file File, o GrepOptions, skip int64) (GrepFile, error) {
	g := &grep{m: m, o: o}
	one := fileSearch{ctx: ctx, m: m, o: o.Lines, perFile: o.PerFile, maxBytes: o.MaxBytes, skip: skip}
	job := &grepJob{files: make([]GrepFile, 1), done: make(chan struct{})}
	go func() {
		defer close(job.done)
		defer file.Close()
		defer g.catch()
		var buf Buffers
		job.files[0].Err = one.run(file, &job.files[0], &buf)
	}()
	if !job.wait(ctx) {
		return GrepFile{}, ctx.Err()
	}
	if g.panicked != nil {
		panic(g.panicked)
	}
	return job.files[0], job.files[0].Err
}

// fileSearch is the search of one file.
type fileSearch struct {
	ctx      context.Context
	m        *Matcher
	o        LineOptions
	perFile  int
	maxBytes int64
	skip     int64       // lines up to this one have been reported already
	hold     func() bool // waits until more lines may be held; false ends the search; may be nil
}

// run adds what it finds to f. Of all lines of the file at most perFile count, those skipped included.
func (s fileSearch) run(file File, f *GrepFile, buf *Buffers) error {
	wanted, o := s.o.MaxLines, s.o
	if s.skip > 0 || (s.perFile > 0 && s.perFile < wanted) || wanted == 0 {
		o.MaxLines = s.perFile // lines to be skipped don't count as wanted
	}
	var size int64
	var err error
	f.Result, err = s.m.Search(s.ctx, file, file.Size(), o, buf, func(line LineMatch) bool {
		if line.Line <= s.skip {
			return true
		}
		f.Lines = append(f.Lines, line)
		enough := (wanted > 0 && len(f.Lines) == wanted) || (s.maxBytes > 0 && size > s.maxBytes)
		size += line.textSize()
		return !enough && (s.hold == nil || s.hold())
	})
	if err == nil {
		err = s.ctx.Err() // what there is may be a part
	}
	f.Capped = s.perFile > 0 && f.Result.Truncated && o.MaxLines == s.perFile
	return err
}

// textSize is how many bytes of text a line carries, its context included.
func (l LineMatch) textSize() int64 {
	size := len(l.Snippet)
	for _, around := range [...][]string{l.Before, l.After} {
		for _, text := range around {
			size += len(text)
		}
	}
	return int64(size)
}
