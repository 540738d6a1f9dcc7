package wildcard

import "strings"

// CompileIgnore compiles a pattern in the language of ignore files, from which the caller has
// removed a "!" in front and a slash at the end. ok is false if the pattern can match nothing: it
// has an unclosed or unknown class, or a backslash at the end.
func CompileIgnore(pattern string) (p Pattern, ok bool) {
	anchored := strings.IndexByte(pattern, '/') >= 0
	pattern = strings.TrimPrefix(pattern, "/")
	if name, ok := strings.CutPrefix(pattern, "**/"); ok && strings.IndexByte(name, '/') < 0 {
		pattern, anchored = name, false // "**/name" matches in every folder, and so does "name"
	}
	if !anchored {
		if p, ok = simpleName(pattern); ok {
			return p, true
		}
		return compileIgnored(Name, NameWild, "", pattern)
	}
	wild := strings.IndexAny(pattern, special)
	if wild < 0 {
		return Pattern{Kind: Path, Text: pattern}, true
	}
	return compileIgnored(Path, PathWild, pattern[:wild], pattern[wild:])
}

// compileIgnored compiles a pattern that follows the plain text front. The Kind of the result is
// literal if the pattern has no wildcards, only escapes; else it is wild. git compares the text
// before the first wildcard as it is and globs only what follows, so in "f**/x" the "**" counts as
// a whole component.
func compileIgnored(literal, wild Kind, front, pattern string) (Pattern, bool) {
	w, ok := parseIgnored(pattern)
	if text, only := w.literal(); only {
		return Pattern{Kind: literal, Text: front + text}, ok
	}
	return Pattern{Kind: wild, Text: front, wild: &w}, ok
}

// ignored is a compiled pattern of the language of ignore files:
//
//	?        one byte except a slash
//	*        any bytes except a slash
//	**       as a whole component: any bytes; "**/" also nothing at all
//	[a-z]    one byte of a set; [!…] and [^…] negate; never a slash
//	\x       the byte x
//
// Everything is bytes: "?" does not match a two-byte character. Braces are literal.
type ignored struct {
	ops  []wildOp
	sets []byteSet
	must string // the longest text among the ops: every match contains it
}

type wildKind uint8

const (
	wildText wildKind = iota // these bytes
	wildByte                 // ?
	wildSet                  // […]
	wildStar                 // *
	wildDirs                 // **/ : nothing, or anything that ends in a slash
	wildRest                 // ** before an escaped slash or at the end: anything
)

type wildOp struct {
	kind wildKind
	text string // wildText
	set  int    // wildSet: index into sets
}

// parseIgnored compiles p. ok is false if p can match nothing: it has an unclosed or unknown class,
// or a trailing backslash.
func parseIgnored(p string) (w ignored, ok bool) {
	var text []byte
	for i := 0; i >= 0; {
		if i < len(p) && !isWild(p[i]) {
			c, next := plainByte(p, i)
			text, i = append(text, c), next
			continue
		}
		if len(text) > 0 {
			w.ops = append(w.ops, wildOp{kind: wildText, text: string(text)})
			if len(text) > len(w.must) {
				w.must = string(text)
			}
			text = text[:0]
		}
		if i == len(p) {
			return w, true
		}
		i = w.addWild(p, i)
	}
	return ignored{}, false
}

func isWild(c byte) bool { return c == '*' || c == '?' || c == '[' }

// addWild adds the wildcard at p[i] and returns the index after it, -1 if it is an invalid class.
func (w *ignored) addWild(p string, i int) int {
	switch p[i] {
	case '*':
		return w.addStars(p, i)
	case '?':
		w.ops = append(w.ops, wildOp{kind: wildByte})
		return i + 1
	}
	set, next, ok := parseClass(p, i+1)
	if !ok {
		return -1
	}
	w.ops = append(w.ops, wildOp{kind: wildSet, set: len(w.sets)})
	w.sets = append(w.sets, set)
	return next
}

// addStars adds the run of stars that begins at p[i] and returns the index where the pattern goes
// on. Two or more stars mean "**" only if they are a whole component; else they mean "*".
func (w *ignored) addStars(p string, i int) int {
	end := i
	for end < len(p) && p[end] == '*' {
		end++
	}
	whole := end-i > 1 && (i == 0 || p[i-1] == '/')
	switch rest := p[end:]; {
	case whole && strings.HasPrefix(rest, "/"):
		w.ops = append(w.ops, wildOp{kind: wildDirs})
		return end + 1
	case whole && (rest == "" || strings.HasPrefix(rest, `\/`)):
		w.ops = append(w.ops, wildOp{kind: wildRest})
	default:
		w.ops = append(w.ops, wildOp{kind: wildStar})
	}
	return end
}

// literal returns the text of a pattern without wildcards.
func (w *ignored) literal() (text string, ok bool) {
	if len(w.ops) == 1 && w.ops[0].kind == wildText {
		return w.ops[0].text, true
	}
	return "", false
}

// needs is Pattern.Needs for these patterns; path says that the pattern is for whole paths. Then
// only the text at its end is sure to be in the name: any other may be in the name of a folder
// above.
func (w *ignored) needs(path bool) (text string, atStart, atEnd bool) {
	if n := len(w.ops); n > 0 && w.ops[n-1].kind == wildText {
		text, atEnd = w.ops[n-1].text, true
	}
	switch slash := strings.LastIndexByte(text, '/'); {
	case slash >= 0:
		return text[slash+1:], true, true
	case !path && len(text) < len(w.must) && strings.IndexByte(text, '.') < 0:
		return w.must, false, false
	}
	return text, false, atEnd
}

// match reports whether the pattern matches the whole of s.
//
// On a mismatch only the latest star, or else the latest wildDirs or wildRest, is tried again with
// more text, never an earlier one: whatever an earlier one could take in addition, the later one
// can take instead. So the work is bounded by len(s) squared however many stars there are.
func (w *ignored) match(s string) bool {
	if !strings.Contains(s, w.must) {
		return false // nearly every name ends here
	}
	star, starEnd := -1, 0   // the op after the latest *, and where its text ends
	cross, crossEnd := -1, 0 // the same for the latest wildDirs or wildRest
	for op, i := 0, 0; ; {
		if op == len(w.ops) {
			if i == len(s) {
				return true
			}
		} else if n := w.step(op, s[i:]); n >= 0 {
			switch w.ops[op].kind {
			case wildStar:
				star, starEnd = op+1, i
			case wildDirs, wildRest:
				star, cross, crossEnd = -1, op+1, i
			}
			op, i = op+1, i+n
			continue
		}
		switch {
		case star >= 0 && starEnd < len(s) && s[starEnd] != '/':
			starEnd++
			op, i = star, starEnd
		case cross >= 0:
			n := w.crossing(cross-1, s[crossEnd:])
			if n == 0 {
				return false
			}
			crossEnd += n
			op, i = cross, crossEnd // the latest star can't grow: it is at a slash or at the end
		default:
			return false
		}
	}
}

// step returns how many bytes the op takes from the start of s at its first try, -1 if it can't
// match here.
func (w *ignored) step(op int, s string) int {
	switch o := &w.ops[op]; o.kind {
	case wildText:
		if strings.HasPrefix(s, o.text) {
			return len(o.text)
		}
		return -1
	case wildByte:
		if s != "" && s[0] != '/' {
			return 1
		}
		return -1
	case wildSet:
		if s != "" && w.sets[o.set][s[0]] {
			return 1
		}
		return -1
	case wildRest:
		if op == len(w.ops)-1 {
			return len(s)
		}
	}
	return 0
}

// crossing returns by how many bytes of s a wildDirs or wildRest grows at its next try, 0 if it
// can't. It grows to just after the next slash. A wildRest that a slash must follow grows to the
// next slash that is not the first byte.
func (w *ignored) crossing(op int, s string) int {
	if w.ops[op].kind == wildDirs || s == "" {
		return strings.IndexByte(s, '/') + 1
	}
	return strings.IndexByte(s[1:], '/') + 1
}

// byteSet is a set of bytes.
type byteSet [256]bool

func (b *byteSet) addRange(lo, hi byte) {
	for c := int(lo); c <= int(hi); c++ {
		b[c] = true
	}
}

// parseClass parses the class whose first byte after the bracket is p[i] and returns its set and
// the index after it. A "]" right at the start is literal; no class matches a slash.
func parseClass(p string, i int) (set byteSet, next int, ok bool) {
	negate := i < len(p) && (p[i] == '!' || p[i] == '^')
	if negate {
		i++
	}
	low := -1 // the byte that a range begins with if "-" follows, -1 for none
	for first := true; i < len(p) && (first || p[i] != ']'); first = false {
		low, i = set.addItem(p, i, low)
		if i < 0 {
			return set, 0, false
		}
	}
	if i >= len(p) {
		return set, 0, false
	}
	if negate {
		for n := range set {
			set[n] = !set[n]
		}
	}
	set['/'] = false
	return set, i + 1, true
}

// addItem adds the class item at p[i], and returns the byte that a range may start from (-1 = none)
// and the index after the item, -1 if the class is broken.
func (b *byteSet) addItem(p string, i, low int) (newLow, next int) {
	switch c := p[i]; {
	case c == '-' && low >= 0 && i+1 < len(p) && p[i+1] != ']':
		hi, next := plainByte(p, i+1)
		if next > 0 {
			b.addRange(byte(low), hi)
		}
		return -1, next
	case c == '[' && strings.HasPrefix(p[i+1:], ":"):
		if name, next, ok := posixName(p, i+2); ok {
			if !b.addPosix(name) {
				return -1, -1
			}
			return -1, next
		}
	}
	c, next := plainByte(p, i)
	if next > 0 {
		b[c] = true
	}
	return int(c), next
}

// plainByte returns the byte at p[i], or the one escaped there, and the index after it, -1 if the
// pattern ends in a backslash.
func plainByte(p string, i int) (c byte, next int) {
	if p[i] != '\\' {
		return p[i], i + 1
	}
	if i+1 == len(p) {
		return 0, -1
	}
	return p[i+1], i + 2
}

// posixName reads the name of a class at p[i], such as "alpha:]" of "[:alpha:]". ok is false if
// there is no ":" right before the next "]".
func posixName(p string, i int) (name string, next int, ok bool) {
	end := strings.IndexByte(p[i:], ']')
	if end < 1 || p[i+end-1] != ':' {
		return "", 0, false
	}
	return p[i : i+end-1], i + end + 1, true
}

// posixClasses are the named classes, ASCII only. ranges has the first and the last byte of each
// range. In git, "space" doesn't include \v and \f.
var posixClasses = [...]struct{ name, ranges string }{
	{"alnum", "09AZaz"}, {"alpha", "AZaz"}, {"blank", "  \t\t"}, {"cntrl", "\x00\x1f\x7f\x7f"}, {"digit", "09"}, {"graph", "!~"},
	{"lower", "az"},
	{"print", " ~"}, {"punct", "!/:@[`{~"}, {"space", "\t\n\r\r  "}, {"upper", "AZ"}, {"xdigit", "09afAF"},
}

// addPosix adds a named class; it returns false if no class has that name.
func (b *byteSet) addPosix(name string) bool {
	for _, class := range posixClasses {
		if class.name != name {
			continue
		}
		for i := 0; i < len(class.ranges); i += 2 {
			b.addRange(class.ranges[i], class.ranges[i+1])
		}
		return true
	}
	return false
}
