package dir

import (
	"math"
	"os"
	"path/filepath"
	"testing"
)

func TestNextData(t *testing.T) {
	const dataAt, size = 1 << 20, 4 << 20
	root := t.TempDir()
	f, err := os.Create(filepath.Join(root, "sparse"))
	must(t, err)
	_, err = f.WriteAt([]byte("x"), dataAt)
	must(t, err)
	must(t, f.Truncate(size))
	must(t, f.Close())
	file, err := opened(t, root, false).Open("sparse", os.O_RDONLY)
	must(t, err)
	defer file.Close()
	if file.NextData(0) == 0 {
		t.Skip("this file system has no holes, or doesn't tell")
	}
	for from, want := range map[int64][2]int64{
		0: {1, dataAt}, dataAt: {dataAt, dataAt}, 3 << 20: {math.MaxInt64, math.MaxInt64}, size: {math.MaxInt64, math.MaxInt64},
	} {
		if at := file.NextData(from); at < want[0] || at > want[1] {
			t.Errorf("from %d: next data at %d, want one of %d", from, at, want)
		}
	}
}
