package commands

import "reflect"

// room is what is left of max_output_bytes for the lists and texts of one answer. Each is measured
// as JSON before it is added. The members that every answer has are not counted.
type room struct {
	left int64
	enc  encoder // measures values
}

func newRoom(limit int64) *room { return &room{left: limit} }

// size is how many bytes a value takes as an item of a list.
func (r *room) size(v any) int64 {
	var flushed byteCount
	r.enc.w, r.enc.b = &flushed, r.enc.b[:0]
	r.enc.value(reflect.ValueOf(v))
	return int64(flushed) + int64(len(r.enc.b)) + int64(len(","))
}

// take reserves size bytes; false if so many aren't left.
func (r *room) take(size int64) bool {
	if size > r.left {
		return false
	}
	r.left -= size
	return true
}

// add reserves what a value takes; false if it doesn't fit.
func (r *room) add(v any) bool { return r.take(r.size(v)) }

// text reserves what a part of a text takes; false if it doesn't fit.
func (r *room) text(s string) bool {
	if int64(len(s)) > r.left {
		return false
	}
	return r.take(r.size(s) - int64(len(`"",`)))
}

// byteCount counts what is written.
type byteCount int64

func (n *byteCount) Write(p []byte) (int, error) {
	*n += byteCount(len(p))
	return len(p), nil
}

// fitting gives as many of a list's first items as fit.
func fitting[E any](r *room, list []E) []E {
	for i, item := range list {
		if !r.add(item) {
			return list[:i]
		}
	}
	return list
}
