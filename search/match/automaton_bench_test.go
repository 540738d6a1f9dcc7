package match

import "testing"

func BenchmarkAutomaton(b *testing.B) {
	text := sourceText(64 << 10)
	for _, expr := range []string{`[a-z]+[0-9]{3}`, `\w{5}\s+\w{5}\s+\w{5}`, `\b[a-z]{15,}\b`, `[0-9]{4}-[0-9]{2}`, `^.{200,}$`, `\pL{3}9`} {
		b.Run(expr, func(b *testing.B) {
			a := new(automaton).prepare(newBytecode("(?m:" + expr + ")"))
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
