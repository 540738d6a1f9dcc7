package wildcard

// expandBraces spells out every {a,b} of a valid pattern, nested ones too, in the order they are
// written. It uses no recursion, since the input decides how deep braces are nested. With opens, an
// empty alternative that is all of a component is left out: "!s/{a,}/**" must not open all of s.
func (b *Budget) expandBraces(p string, opens bool) ([]string, error) {
	if open, _ := braces(p); open < 0 {
		return []string{p}, nil
	}
	var done []string
	for todo := []string{p}; len(todo) > 0; {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		open, bounds := braces(s)
		if open < 0 {
			done = append(done, s)
			b.bytes -= len(s)
			continue
		}
		end := bounds[len(bounds)-1]
		isComponent := (open == 0 || s[open-1] == '/') && (end == len(s)-1 || s[end+1] == '/')
		for i := len(bounds) - 2; i >= 0; i-- {
			if opens && isComponent && bounds[i]+1 == bounds[i+1] {
				continue
			}
			spelled := s[:open] + s[bounds[i]+1:bounds[i+1]] + s[end+1:]
			b.work -= len(spelled) + 1
			todo = append(todo, spelled)
			if b.work < 0 || b.bytes < 0 || len(done)+len(todo) > b.alternatives {
				return nil, ErrBraces
			}
		}
	}
	if b.alternatives -= len(done); b.alternatives < 0 || b.bytes < 0 {
		return nil, ErrBraces
	}
	return done, nil
}

// braces finds the first {...} of a valid pattern. open is the index of its "{", -1 if there is
// none. bounds has the indexes of its "{", of the commas between its alternatives, and of its "}".
func braces(p string) (open int, bounds []int) {
	open = -1
	depth := 0
	for i, sign := range signs(p) {
		switch sign {
		case '{':
			if depth++; depth == 1 {
				open = i
				bounds = append(bounds, i)
			}
		case ',':
			if depth == 1 {
				bounds = append(bounds, i)
			}
		case '}':
			if depth--; depth == 0 {
				return open, append(bounds, i)
			}
		}
	}
	return -1, nil
}
