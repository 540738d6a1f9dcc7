package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// form is a way to spell a path. All spellings of a path have the same number of components.
type form uint8

const (
	compared   form = iota // as rules compare it
	folded                 // see FoldName
	written                // as it is
	composed               // NFC
	decomposed             // NFD
	visible                // composed, without the code points that file systems ignore
	visibleNFD             // decomposed, without them
	loose                  // decomposed and folded, with them: for wildcard.CompileSpelled
	forms
)

// spellings are the forms of a path.
type spellings struct {
	text   [forms]string
	plain  bool // it is ASCII: the forms differ in nothing except case
	folder bool // it is known to be that of a folder
}

func (p *Rules) spell(path string) *spellings {
	s := &spellings{plain: isASCII(path)}
	if s.plain {
		for f := range s.text {
			s.text[f] = path
		}
	} else {
		composedPath, decomposedPath := norm.NFC.String(path), norm.NFD.String(path)
		s.text = [forms]string{written: path, composed: composedPath, decomposed: decomposedPath,
			visible: withoutIgnorable(composedPath), visibleNFD: withoutIgnorable(decomposedPath)}
	}
	s.text[compared], s.text[folded] = p.fold(path), FoldName(path)
	if s.text[loose] = s.text[folded]; !s.plain {
		s.text[loose] = foldRunes(s.text[decomposed], true)
	}
	return s
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// withoutIgnorable keeps bytes that are not UTF-8.
func withoutIgnorable(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if !unicode.Is(ignorable, r) {
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	return b.String()
}

// part is a path of one form down to one of its components, whose name is the last one.
type part struct{ path, name string }

// walker goes down a path in all its forms.
type walker struct {
	*spellings
	at   [forms]part
	next int // the index of the component that comes next
	ends [forms]int
}

// down goes to the next component; false at the end.
func (w *walker) down() bool {
	for f, text := range w.text {
		start := w.ends[f]
		if w.next > 0 {
			start++
		}
		if start > len(text) {
			return false
		}
		name, _, _ := strings.Cut(text[start:], "/")
		w.ends[f] = start + len(name)
		w.at[f] = part{text[:w.ends[f]], name}
	}
	w.next++
	return true
}

// mayBeFile reports whether the current component is the last one, and not known to be a folder.
func (w *walker) mayBeFile() bool { return !w.folder && w.ends[written] == len(w.text[written]) }

// passes reports whether a pattern may match the current component, in any form.
func (w *walker) passes(q *quickTest) bool {
	if q.passes(w.at[compared].name) {
		return true
	}
	for f := written; f < forms && !w.plain; f++ {
		if q.passes(w.at[f].name) {
			return true
		}
	}
	return false
}
