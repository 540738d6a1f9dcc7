package dir

// Edges are the first and the last bytes of a file, at most edgeBytes of each: enough to tell its encoding and its line ends.
type Edges struct {
	Existed    bool
	Size       int64 // of the whole file
	Head, Tail []byte
}

const EdgeBytes = 64 << 10

func EdgesOf(content []byte, existed bool) Edges {
	n := min(len(content), EdgeBytes)
	return Edges{Existed: existed, Size: int64(len(content)), Head: content[:n], Tail: content[len(content)-n:]}
}

func (f *File) Edges() (Edges, error) { return f.edgesTo(f.Info.Size) }

// edgesTo are the edges of the first size bytes.
func (f *File) edgesTo(size int64) (Edges, error) {
	read := func(from int64) ([]byte, error) {
		b := make([]byte, min(EdgeBytes, size-from))
		n, err := f.ReadAt(b, from)
		return b[:n], IgnoreEOF(err)
	}
	head, err := read(0)
	if err != nil {
		return Edges{}, err
	}
	tail, err := read(max(0, size-EdgeBytes))
	return Edges{Existed: true, Size: size, Head: head, Tail: tail}, err
}
