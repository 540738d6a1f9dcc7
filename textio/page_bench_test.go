package textio

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

func BenchmarkSkipLines(b *testing.B) {
	data := bytes.Repeat([]byte("a line of some forty bytes, as they are.\n"), 1<<20)
	req := request()
	req.StartLine, req.CountLimit = 1<<20, 0
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := ReadPage(context.Background(), bytes.NewReader(data), int64(len(data)), req); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPage(b *testing.B) {
	data := bytes.Repeat([]byte("a line of some forty bytes, as they are.\n"), 5000)
	req := request()
	b.SetBytes(51200)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ReadPage(context.Background(), bytes.NewReader(data), int64(len(data)), req); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLongLine(b *testing.B) {
	for name, text := range map[string]string{"ascii": "x", "cjk": "漢"} {
		file := &fakeFile{line: strings.Repeat(text, 1<<16), size: int64(len(text)) << 26}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(file.size)
			for b.Loop() {
				if _, err := ReadPage(context.Background(), file, file.size, request()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
