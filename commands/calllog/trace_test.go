package calllog

import (
	"strings"
	"testing"
)

const (
	goodTrace = "4bf92f3577b34da6a3ce929d0e0e4736"
	goodSpan  = "00f067aa0ba902b7"
)

func TestParseTraceparent(t *testing.T) {
	for _, tt := range []struct {
		text string
		ok   bool
	}{
		{"00-" + goodTrace + "-" + goodSpan + "-01", true},
		{"00-" + goodTrace + "-" + goodSpan + "-00", true},
		{"01-" + goodTrace + "-" + goodSpan + "-01", true},
		{"cc-" + goodTrace + "-" + goodSpan + "-01-what-a-later-version-adds", true},
		{"00-" + goodTrace + "-" + goodSpan + "-01-more", false},
		{"00-" + goodTrace + "-" + goodSpan + "-01-", false},
		{"ff-" + goodTrace + "-" + goodSpan + "-01", false},
		{"00-" + strings.Repeat("0", 32) + "-" + goodSpan + "-01", false},
		{"00-" + goodTrace + "-" + strings.Repeat("0", 16) + "-01", false},
		{"00-" + strings.ToUpper(goodTrace) + "-" + goodSpan + "-01", false},
		{"00-" + goodTrace[1:] + "-" + goodSpan + "-01", false},
		{"00-" + goodTrace + "-" + goodSpan + "-1", false},
		{"00-" + goodTrace + "-" + goodSpan, false},
		{"0-" + goodTrace + "-" + goodSpan + "-01", false},
		{" 00-" + goodTrace + "-" + goodSpan + "-01", false},
		{"", false},
	} {
		got, ok := parseTraceparent(tt.text)
		if ok != tt.ok || ok && (got.Trace != goodTrace || got.Span != goodSpan) || !ok && got != (traceContext{}) {
			t.Errorf("%q: %+v, %v", tt.text, got, ok)
		}
	}
}

func FuzzParseTraceparent(f *testing.F) {
	f.Add("00-" + goodTrace + "-" + goodSpan + "-01")
	f.Add("cc-" + goodTrace + "-" + goodSpan + "-01-x")
	f.Add("----")
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := parseTraceparent(text)
		if !ok {
			return
		}
		if whole := text[:2] + "-" + got.Trace + "-" + got.Span + "-" + got.Flags; !strings.HasPrefix(text, whole) || len(whole) != 55 {
			t.Errorf("%q: %+v", text, got)
		}
		if strings.Trim(got.Trace+got.Span+got.Flags, "0123456789abcdef") != "" {
			t.Errorf("%q: %+v", text, got)
		}
	})
}
