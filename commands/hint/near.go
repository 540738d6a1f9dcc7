package hint

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"fsbox/commands/words"
	"fsbox/textio"
	"fsbox/textio/charset"

	"golang.org/x/text/unicode/norm"
)

// A name may be meant by another one that is the same in another form: see look and fold. Globs are
// compared in these forms, too.

// look gives paths that look alike the same text: with accents as one character where they can be,
// typographic signs and blanks as on a typewriter, and without characters that have no width and
// blanks at the ends of names.
func look(name string) string {
	if isPlain(name) {
		return name
	}
	var out strings.Builder
	for _, r := range norm.NFC.String(name) {
		switch {
		case unicode.In(r, unicode.Cf, unicode.Variation_Selector):
			continue
		case unicode.IsSpace(r):
			r = ' '
		}
		r, times := charset.Typewritten(r)
		for range times {
			out.WriteRune(r)
		}
	}
	return strings.Join(words.Mapped(strings.Split(out.String(), "/"), strings.TrimSpace), "/")
}

// isPlain reports whether a path has nothing that look would change.
func isPlain(name string) bool {
	for i := range len(name) {
		if c := name[i]; c >= utf8.RuneSelf || c == ' ' && (i == 0 || i == len(name)-1 || name[i-1] == '/' || name[i+1] == '/') || c < ' ' {
			return false
		}
	}
	return true
}

// fold gives paths the same text that look alike, or differ in case.
func fold(name string) string { return strings.ToLower(look(name)) }

// formCount is how many forms there are.
const formCount = 3

// Quoted quotes a path that was meant by another one. One that looks like what was asked for, or
// has accents as characters of their own, is written with escapes, since it would be taken for
// another one.
func Quoted(meant, asked string) string {
	if IsAlike(meant, asked) || !norm.NFC.IsNormalString(meant) {
		return strconv.QuoteToASCII(meant)
	}
	return strconv.Quote(meant)
}

// IsAlike reports whether another path looks like the one that was asked for. Blanks around that
// are seen by the quotes.
func IsAlike(meant, asked string) bool {
	return words.Shown(meant) != strings.TrimSpace(words.Shown(asked)) && look(meant) == look(asked)
}

// NearGlob is one of several globs that may have been meant, and the form in which it matches.
type NearGlob struct {
	Index   int
	IsExact bool // it matches as it is
	IsAlike bool // it matches what looks so
}

// stepsApart is how many distances there are within one form of one glob.
const stepsApart = 64

// NearGlobs gives for each path how far it is from what one of several globs finds, the likeliest
// first: by the glob, then by the form of the names, then by the bytes that it has otherwise than
// the first glob. It is -1 for a path that none of them matches.
func NearGlobs(globs []string, compile func(glob string) (match func(path string, folder bool) bool)) func(path string, folder bool) int {
	forms := [formCount]func(string) string{func(s string) string { return s }, look, fold} // of a name, the nearest first
	var all []func(string, bool) bool                                                       // nil for a glob that isn't valid
	for _, glob := range globs {
		for _, form := range forms {
			all = append(all, compile(form(glob)))
		}
	}
	return func(path string, folder bool) int {
		var names [len(forms)]string
		for i, form := range forms {
			names[i] = form(path)
		}
		for i, match := range all {
			if match != nil && match(names[i%len(forms)], folder) {
				return i*stepsApart + textio.Distance(globs[0], path, stepsApart-1)
			}
		}
		return -1
	}
}

// NearGlobAt is the glob at a distance that NearGlobs gave.
func NearGlobAt(distance int) NearGlob {
	form := distance / stepsApart % formCount
	return NearGlob{Index: distance / stepsApart / formCount, IsExact: form == 0, IsAlike: form == 1}
}
