package change

import (
	"encoding/base64"
	"strings"
	"testing"
)

// The size of what is decoded is known before, however the text is broken into lines.
func TestBase64Size(t *testing.T) {
	for size := range 200 {
		text := base64.StdEncoding.EncodeToString(make([]byte, size))
		for _, width := range []int{1, 4, 64, 76, 1000} {
			var lines []string
			for rest := text; rest != ""; {
				n := min(width, len(rest))
				lines, rest = append(lines, rest[:n]), rest[n:]
			}
			broken := strings.Join(lines, "\r\n") + "\n"
			if got := base64Size(broken); got != int64(size) {
				t.Fatalf("%q: %d bytes, want %d", broken, got, size)
			}
			if width >= 64 && int64(len(broken)) > maxBase64(int64(size)) {
				t.Fatalf("%d bytes in %d characters are more than %d", size, len(broken), maxBase64(int64(size)))
			}
		}
	}
}
