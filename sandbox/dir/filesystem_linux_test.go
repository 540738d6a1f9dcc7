package dir

import "testing"

// TestSteadyBirth: on exFAT, whose times of creation change, none is told. No other file system is
// asked what it is, except by chance.
func TestSteadyBirth(t *testing.T) {
	const whole, fine = 1_795_000_000_120_000_000, 1_795_000_000_123_456_789
	tests := []struct {
		kind       string
		born, want int64
		asks       bool
	}{
		{"exfat", whole, 0, true},
		{"ext4", fine, fine, false},
		{"ext4", whole, whole, true},
		{"vfat", whole, whole, true},
		{"nfs", 0, 0, false},
	}
	for _, test := range tests {
		asked := false
		got := steadyBirth(test.born, func() System { asked = true; return System{Kind: test.kind} })
		if got != test.want || asked != test.asks {
			t.Errorf("%s, %d: %d, asked: %v", test.kind, test.born, got, asked)
		}
	}
}
