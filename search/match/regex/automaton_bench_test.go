package regex

import (
	"bytes"
	"testing"
)

func BenchmarkAutomaton(b *testing.B) {
	text := bytes.Repeat([]byte("\tif err := call(ctx, 12); err != nil {\n\t\treturn fmt.Errorf(\"%q: %w\", name, err)\n\t}\n"), 700)
	for _, expr := range []string{`[a-z]+[0-9]{3}`, `\w{5}\s+\w{5}\s+\w{5}`, `\b[a-z]{15,}\b`, `[0-9]{4}-[0-9]{2}`, `^.{200,}$`, `\pL{3}9`} {
		b.Run(expr, func(b *testing.B) {
			code, err := newBytecode("(?m:"+expr+")", false)
			if err != nil {
				b.Fatal(err)
			}
			a := new(automaton).prepare(code)
			b.SetBytes(int64(len(text)))
			var hits []int
			for b.Loop() {
				hits, _ = a.find(text, hits[:0])
			}
			b.ReportMetric(float64(len(a.states)), "states")
			b.ReportMetric(float64(len(hits)), "hits")
		})
	}
}
