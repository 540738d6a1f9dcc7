package results

import "testing"

func TestVerdict(t *testing.T) {
	both := func(ratio float64) Target { return Target{Wall: ratio, CPU: ratio} }
	slack := Target{Wall: 1, CPU: 1, Slack: 2}
	for _, c := range []struct {
		target    Target
		wall, cpu float64
		want      string
	}{
		{both(1), 10, 20, "met"},
		{both(1), 11, 20, "**missed**: wall"},
		{both(1), 10, 21, "**missed**: CPU"},
		{both(0.5), 6, 11, "**missed**: wall CPU"},
		{Target{Wall: 1.5}, 15, 1000, "met"},
		{slack, 12, 22, "met"},
		{slack, 13, 22, "**missed**: wall"},
		{Target{}, 1000, 1000, ""},
	} {
		w := Work{Ours: Cost{Wall: c.wall, CPU: c.cpu}, Theirs: Cost{Wall: 10, CPU: 20}, Target: c.target}
		if got := w.Verdict(); got != c.want {
			t.Errorf("%v, %v and %v ms: %q, want %q", c.target, c.wall, c.cpu, got, c.want)
		}
	}
}
