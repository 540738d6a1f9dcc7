package commands

import (
	"bytes"
	"encoding/base64"
	"fsbox/commands/answer"
	"math/rand/v2"
	"strings"
	"testing"
)

// Bytes of any length are encoded as the standard library does it, in parts and with little memory.
func TestBase64Bytes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{0, 1, 2, 3, 4, base64Part - 1, base64Part, base64Part + 1, 3*base64Part + 2} {
		content := make(base64Bytes, size)
		for i := range content {
			content[i] = byte(r.Uint32())
		}
		var out bytes.Buffer
		e := answer.Encoder{W: &out}
		content.EncodeTo(&e)
		e.Flush()
		if want := `"` + base64.StdEncoding.EncodeToString(content) + `"`; out.String() != want {
			t.Errorf("%d bytes: %d characters, want %d", size, out.Len(), len(want))
		}
		if cap(e.B) > 4*answer.EncodeChunk {
			t.Errorf("%d bytes took a buffer of %d", size, cap(e.B))
		}
	}
}

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
