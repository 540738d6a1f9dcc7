package openfile

import (
	"context"
	"sync/atomic"
)

// Work counts what a call has done so far, for whoever shows how far it is. A nil Work counts
// nothing.
type Work struct {
	Files atomic.Int64 // files and folders that were opened or changed
	Bytes atomic.Int64 // of content that was read
}

func (w *Work) AddFile() {
	if w != nil {
		w.Files.Add(1)
	}
}

func (w *Work) AddBytes(n int) {
	if w != nil {
		w.Bytes.Add(int64(n))
	}
}

type workKey struct{}

// WithWork gives a context in which reads and changes are counted.
func WithWork(ctx context.Context, w *Work) context.Context {
	return context.WithValue(ctx, workKey{}, w)
}

// WorkOf is what a context counts in, nil for nothing.
func WorkOf(ctx context.Context) *Work {
	w, _ := ctx.Value(workKey{}).(*Work)
	return w
}
