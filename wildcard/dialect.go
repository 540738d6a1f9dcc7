package wildcard

import (
	"slices"
	"strconv"
	"strings"
)

// Dialect writes a pattern with what other programs' globs have, and these lack, as one of these:
// "@(a|b)" and "?(a)" of ksh and bash, ranges such as "{1..3}", and classes with names such as
// "[[:upper:]]". ok is false if there is nothing of that in it, or if it can't be written so.
func Dialect(pattern string) (same string, ok bool) {
	var out strings.Builder
	for i := 0; i < len(pattern); {
		end, text := i+1, ""
		switch c := pattern[i]; {
		case c == '\\':
			end = min(i+2, len(pattern))
		case (c == '@' || c == '?') && strings.HasPrefix(pattern[i+1:], "("):
			text, end = choiceOf(pattern, i)
		case c == '{':
			text, end = rangeOf(pattern, i)
		case c == '[':
			text, end = namedClass(pattern, i)
		}
		if text == "" {
			end = max(end, i+1)
			text = pattern[i:end]
		} else {
			ok = true
		}
		out.WriteString(text)
		i = end
	}
	return out.String(), ok
}

// choiceOf gives what "@(a|b)" at p[i] is, "" if it doesn't end.
func choiceOf(p string, i int) (text string, end int) {
	var out strings.Builder
	out.WriteByte('{')
	if p[i] == '?' {
		out.WriteByte(',')
	}
	for at := i + 2; at < len(p); at++ {
		switch p[at] {
		case '|':
			out.WriteByte(',')
		case ')':
			out.WriteByte('}')
			text, _ := Dialect(out.String()) // of the classes in it
			return text, at + 1
		case '(', ',', '{', '}':
			return "", i + 1
		default:
			out.WriteByte(p[at])
		}
	}
	return "", i + 1
}

// mostInRange is how many alternatives a range is written as.
const mostInRange = 100

// rangeOf gives what "{1..3}" or "{a..c}" at p[i] is, "" if it is no range.
func rangeOf(p string, i int) (text string, end int) {
	length := strings.IndexByte(p[i:], '}')
	if length < 0 {
		return "", i + 1
	}
	end = i + length + 1
	from, to, ok := strings.Cut(p[i+1:end-1], "..")
	if !ok {
		return "", i + 1
	}
	var all []string
	low, err := strconv.Atoi(from)
	high, err2 := strconv.Atoi(to)
	switch {
	case err == nil && err2 == nil:
		width := 0
		if len(from) == len(to) && strings.HasPrefix(min(from, to), "0") {
			width = len(from)
		}
		for n := min(low, high); n <= max(low, high) && len(all) <= mostInRange; n++ {
			number := strconv.Itoa(n)
			all = append(all, strings.Repeat("0", max(0, width-len(number)))+number)
		}
	case len(from) == 1 && len(to) == 1 && isASCIILetter(from[0]) && isASCIILetter(to[0]):
		for c := min(from[0], to[0]); c <= max(from[0], to[0]); c++ {
			all = append(all, string(rune(c)))
		}
		all = slices.DeleteFunc(all, func(s string) bool { return !isASCIILetter(s[0]) })
	}
	if len(all) == 0 || len(all) > mostInRange {
		return "", i + 1
	}
	return "{" + strings.Join(all, ",") + "}", end
}

func isASCIILetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// namedClass gives what a class with names of classes at p[i] is, "" if it has none.
func namedClass(p string, i int) (text string, end int) {
	var out strings.Builder
	named := false
	at := i + 1
	for first := true; at < len(p) && (first || p[at] != ']'); first = false {
		name, next, ok := "", 0, false
		if strings.HasPrefix(p[at:], "[:") {
			name, next, ok = posixName(p, at+2)
		}
		ranges := rangesOf(name)
		if !ok || ranges == "" {
			if p[at] == '\\' && at+1 < len(p) {
				out.WriteByte(p[at])
				at++
			}
			out.WriteByte(p[at])
			at++
			continue
		}
		out.WriteString(ranges)
		at, named = next, true
	}
	if at >= len(p) || !named {
		return "", classEnd(p, i) + 1
	}
	return "[" + out.String() + "]", at + 1
}

// rangesOf gives a class with a name as the inside of a class, "" for an unknown one.
func rangesOf(name string) string {
	return map[string]string{"alnum": "0-9A-Za-z", "alpha": "A-Za-z", "blank": " \t", "space": " \t", "digit": "0-9", "lower": "a-z",
		"upper": "A-Z", "word": "0-9A-Za-z_", "xdigit": "0-9A-Fa-f"}[name]
}
