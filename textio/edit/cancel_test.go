package edit

import (
	"bytes"
	"context"
	"errors"
	"testing"
)

// looked is a context that counts how often it is looked at. It ends with look last, if that isn't
// 0.
type looked struct {
	context.Context
	looks, last int
}

func (l *looked) Err() error {
	if l.looks++; l.last > 0 && l.looks >= l.last {
		return context.Canceled
	}
	return nil
}

// TestCancelled ends a search after some looks at its context. A search of a long text looks often,
// and then goes no further.
func TestCancelled(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	const often, rest = 40, 12
	letters, ends, quotes := bytes.Repeat([]byte("a"), 1<<20), bytes.Repeat([]byte("\n"), 1<<20), bytes.Repeat([]byte("\"\n"), 1<<20)
	for _, tt := range []struct {
		name string
		text []byte
		edit Edit
	}{
		{"exact", letters, Edit{Expected: letters[:1<<16], Replacement: []byte("x")}},
		{"whole words", letters, Edit{Expected: letters[:1<<16], Replacement: []byte("x"), WholeWord: true, All: true}},
		{"another number", letters, Edit{Expected: letters[:1<<16], Replacement: []byte("x"), Count: 3}},
		{"lenient, line ends", ends, Edit{Expected: append(ends[:1<<16:1<<16], 'x'), Lenient: true}},
		{"lenient, quotes", quotes, Edit{Expected: bytes.Repeat([]byte("“\nx\n"), 1<<14), Lenient: true}},
		{"a miss", quotes, Edit{Expected: bytes.Repeat([]byte("\"\nx\n"), 1<<14)}},
	} {
		all := &looked{Context: context.Background()}
		if _, _, err := Apply(all, tt.text, []Edit{tt.edit}, Limits{}); err == nil || all.looks < often {
			t.Errorf("%s: %d looks, error %.80v", tt.name, all.looks, err)
		}
		lasts := []int{often / 2}
		if *sweep {
			lasts = append(lasts, 1, often/4, often)
		}
		for _, last := range lasts {
			cut := &looked{Context: context.Background(), last: last}
			_, _, err := Apply(cut, tt.text, []Edit{tt.edit}, Limits{})
			if !errors.Is(err, context.Canceled) || cut.looks > last+rest {
				t.Errorf("%s: %d looks after the %dth, error %.80v", tt.name, cut.looks-last, last, err)
			}
		}
	}
}
