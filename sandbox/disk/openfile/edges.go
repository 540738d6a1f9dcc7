package openfile

import (
	"fsbox/sandbox/disk/fserr"
)

// Edges are the first and the last bytes of a file, at most EdgeBytes of each: enough to tell its
// encoding and its line ends.
type Edges struct {
	Size       int64 // of the whole file
	Head, Tail []byte
}

// EdgeBytes is the most that Edges holds of either end, in bytes.
const EdgeBytes = 64 << 10

// EdgesOf gives the edges of a content in memory.
func EdgesOf(content []byte) Edges {
	n := min(len(content), EdgeBytes)
	return Edges{Size: int64(len(content)), Head: content[:n], Tail: content[len(content)-n:]}
}

// Edges reads the first and the last bytes of a file, at most EdgeBytes of each. It treats the file
// as if it ended after size bytes.
func (f *File) Edges(size int64) (Edges, error) {
	read := func(from int64) ([]byte, error) {
		b := make([]byte, min(EdgeBytes, size-from))
		n, err := f.ReadAt(b, from)
		return b[:n], fserr.IgnoreEOF(err)
	}
	head, err := read(0)
	if err != nil {
		return Edges{}, err
	}
	tail, err := read(max(0, size-EdgeBytes))
	return Edges{Size: size, Head: head, Tail: tail}, err
}
