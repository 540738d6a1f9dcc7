package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"fsbox/wildcard"

	"golang.org/x/text/unicode/norm"
)

// Folding a pattern may change what its signs mean: "[A-z]" becomes "[a-z]", a decomposed "é" no
// longer begins with "e", and "?" isn't "ß", of which folding makes two characters. So a pattern
// with signs has several readings. What closes holds by any of them, what opens only by all.

// reading is a pattern in one form, with the forms of a path that it is compared with.
type reading struct {
	forms         []form
	shallow, deep []wildcard.Pattern // the alternatives, and without their "/**" those that end in it
}

// matches reports whether the reading matches the current component of a path. entered is set once
// it matches a folder together with everything in it.
func (r *reading) matches(w *walker, entered *bool) bool {
	if *entered {
		return true
	}
	for _, f := range r.forms {
		if matches(r.deep, w.at[f].path, w.at[f].name) {
			*entered = true
			return true
		}
		if matches(r.shallow, w.at[f].path, w.at[f].name) {
			return true
		}
		if w.plain && f >= written {
			return false // the others of the reading are the same
		}
	}
	return false
}

// hasSigns reports whether a pattern has signs whose meaning may change when it is folded.
func hasSigns(glob string) bool { return strings.ContainsAny(glob, "?*[") }

// source is a text of a pattern, and how it is compiled.
type source struct {
	text    string
	reading int // among those of the rule
	compile func(string) wildcard.Pattern
}

// sources gives the texts of a pattern, and the forms of a path for each of its readings.
func sources(glob string, fold func(string) string, opens, exact bool) (all []source, of [][]form) {
	glob = bareIgnorable(glob)
	all, of = []source{{fold(glob), 0, wildcard.CompilePath}}, [][]form{{compared}}
	if !hasSigns(glob) {
		return all, of
	}
	asWritten := func(glob string) wildcard.Pattern { return wildcard.CompileAnyCase(glob, !opens) }
	texts := []string{glob}
	if !isASCII(glob) {
		texts = append(texts, norm.NFC.String(glob), norm.NFD.String(glob))
	}
	if visible := withoutIgnorable(glob); !opens && visible != glob {
		texts = append(texts, norm.NFC.String(visible), norm.NFD.String(visible))
	}
	for _, text := range texts {
		all = append(all, source{text, 1, asWritten})
	}
	if !opens {
		asSpelled := func(glob string) wildcard.Pattern { return wildcard.CompileSpelled(glob, spelling{}) }
		all = append(all, source{glob, 2, asSpelled})
		return all, append(of, []form{written, composed, decomposed, visible, visibleNFD}, []form{loose})
	}
	of = append(of, []form{written}, []form{composed}, []form{decomposed})
	all = append(all, source{texts[min(1, len(texts)-1)], 2, asWritten}, source{texts[len(texts)-1], 3, asWritten})
	if exact {
		all, of = append(all, source{FoldName(glob), 4, wildcard.CompilePath}), append(of, []form{folded})
	}
	return all, of
}

// bareIgnorable removes backslashes before code points that folding removes: they would escape what
// follows.
func bareIgnorable(glob string) string {
	if isASCII(glob) {
		return glob
	}
	var b strings.Builder
	for i := 0; i < len(glob); i++ {
		if glob[i] == '\\' && i+1 < len(glob) {
			if r, _ := utf8.DecodeRuneInString(glob[i+1:]); unicode.Is(ignorable, r) {
				continue
			}
			b.WriteByte(glob[i])
			i++
		}
		b.WriteByte(glob[i])
	}
	return b.String()
}
