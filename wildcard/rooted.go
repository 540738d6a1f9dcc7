package wildcard

import "strings"

// Alternative is what Rooted makes of a pattern, or of a part of it.
type Alternative struct {
	Glob    string
	Under   bool // it was an absolute path beneath the root: Glob is relative to the root, "" for itself
	Outside bool // it is any other absolute path
}

// Rooted takes apart the braces of a pattern as far as one of its alternatives may be an absolute
// path, as in "{/root/a,b}/{c,d}", and no further: all other braces may be those of a name. A
// pattern without absolute paths is its only Alternative, whether it is valid or not. under gives
// the rest of an absolute path beneath the root.
func (b *Budget) Rooted(pattern string, isAbs func(string) bool, under func(string) (below string, ok bool)) ([]Alternative, error) {
	var done []Alternative
	isRooted := false
	for todo := []string{pattern}; len(todo) > 0; {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if strings.HasPrefix(p, `\/`) {
			p = p[1:]
		}
		a := Alternative{Glob: p, Outside: isAbs(p)}
		if a.Outside {
			if below, ok := under(p); ok {
				a = Alternative{Glob: below, Under: true}
			}
		}
		open, bounds := -1, []int(nil)
		if check(p) == nil {
			open, bounds = braces(p)
		}
		if a.Under || open != 0 && (open < 0 || !a.Outside) {
			done, isRooted = append(done, a), isRooted || a.Under || a.Outside
			continue
		}
		end := bounds[len(bounds)-1]
		for i := len(bounds) - 2; i >= 0; i-- {
			spelled := p[:open] + p[bounds[i]+1:bounds[i+1]] + p[end+1:]
			todo, b.work = append(todo, spelled), b.work-len(spelled)-1
		}
		if b.work < 0 || len(done)+len(todo) > b.alternatives {
			return nil, ErrBraces
		}
	}
	if !isRooted {
		return []Alternative{{Glob: pattern}}, nil
	}
	return done, nil
}

// Join makes one pattern of several.
func Join(patterns []string) string {
	if len(patterns) == 1 {
		return patterns[0]
	}
	parts := make([]string, len(patterns))
	for i, p := range patterns {
		parts[i] = quoteCommas(p)
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// quoteCommas escapes the commas outside of braces.
func quoteCommas(p string) string {
	var out strings.Builder
	depth := 0
	for i := 0; i < len(p); i++ {
		start := i
		switch p[i] {
		case '\\':
			i = min(i+1, len(p)-1)
		case '[':
			i = classEnd(p, i)
		case '{':
			depth++
		case '}':
			depth--
		case ',':
			if depth == 0 {
				out.WriteByte('\\')
			}
		}
		out.WriteString(p[start : i+1])
	}
	return out.String()
}
