package dialog

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Question is what a person can read on a screen.
type Question struct {
	Mark    string
	Summary string   // of the first row and the last one
	Rows    []string // those between them, as the screen has them, without what is in front of them
	Whole   []string // the same with the rest of each row joined to it, and without the mark
	Answers []string // that can be chosen, if they are shown
}

var asker = regexp.MustCompile(`fsbox asks \(([a-z0-9]{2})\): (.*)$`)

// bare is a row without the frame that a host draws.
func bare(row string) string { return strings.TrimRight(strings.TrimRight(row, " │┃|▌▐"), " ") }

// IsThere reports whether a screen has the end of a question, and answers to choose from.
func IsThere(screen []string) bool {
	n := 0
	for _, row := range screen {
		if asker.MatchString(bare(row)) {
			n++
		}
	}
	return n >= 1
}

// Read reads the question of a screen.
func Read(screen []string) (q Question, err error) {
	first, last := -1, -1
	for i, row := range screen {
		if asker.MatchString(bare(row)) {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first == last {
		return q, fmt.Errorf("the first and the last row of a question aren't both there")
	}
	at := strings.Index(screen[first], "fsbox asks")
	indent := screen[first][:at]
	head := asker.FindStringSubmatch(bare(screen[first]))
	q.Mark, q.Summary = head[1], head[2]
	if other := asker.FindStringSubmatch(bare(screen[last])); other[1] != q.Mark || other[2] != q.Summary {
		return q, fmt.Errorf("the question begins with %q and ends with %q", head[0], other[0])
	}
	for _, row := range screen[first+1 : last] {
		text, is := strings.CutPrefix(row, indent)
		if !is {
			text = strings.TrimLeft(row, " │┃")
		}
		text = bare(text)
		rest, marked := strings.CutPrefix(text, q.Mark)
		if !marked || rest == "" || !strings.ContainsAny(rest[:1], `:|\`) {
			return q, fmt.Errorf("a row without the mark: %q", row)
		}
		q.Rows = append(q.Rows, text)
		if part, more := strings.CutPrefix(rest, `\`); more && len(q.Whole) > 0 {
			q.Whole[len(q.Whole)-1] += part
		} else {
			q.Whole = append(q.Whole, rest)
		}
	}
	for _, row := range screen[last+1:] {
		for _, answer := range []string{"No: change nothing", "Yes: "} {
			if at := strings.Index(row, answer); at >= 0 {
				q.Answers = append(q.Answers, bare(row[at:]))
			}
		}
	}
	return q, nil
}

// lines are the rows that have lines of files.
func (q *Question) lines() (all []string) {
	for _, row := range q.Whole {
		if line, is := strings.CutPrefix(row, "|"); is {
			all = append(all, line)
		}
	}
	return all
}

// own are the rows of fsbox's own.
func (q *Question) own() (all []string) {
	for _, row := range q.Whole {
		if text, is := strings.CutPrefix(row, ": "); is {
			all = append(all, text)
		}
	}
	return all
}

var missed = regexp.MustCompile(`(\d+) of (\d+) (path|line)`)

// missing is how many of all paths and lines aren't shown, as the question says.
func (q *Question) missing(kind string) (n, all int) {
	for _, text := range q.own() {
		if rest, is := strings.CutPrefix(text, "not shown: "); is {
			for _, found := range missed.FindAllStringSubmatch(rest, -1) {
				if found[3] == kind {
					n, _ = strconv.Atoi(found[1])
					all, _ = strconv.Atoi(found[2])
				}
			}
		}
	}
	return n, all
}

// Check compares what can be read with what a plan does. Each difference is a wrong answer of
// somebody who has only the screen.
func (q *Question) Check(p Plan) (faults []string) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	if q.Summary != p.Summary {
		fault("it says %q, and does %q", q.Summary, p.Summary)
	}
	deeds, lines := q.deeds(p, fault), q.lines()
	if missing, all := q.missing("path"); deeds+missing != len(p.Deeds) || missing > 0 && all != len(p.Deeds) {
		fault("%d paths are shown and %d of %d said to be missing, of %d", deeds, missing, all, len(p.Deeds))
	}
	if missing, all := q.missing("line"); len(lines)+missing != p.Lines || missing > 0 && all != p.Lines {
		fault("%d lines are shown and %d of %d said to be missing, of %d", len(lines), missing, all, p.Lines)
	}
	for _, line := range lines {
		if !q.isTrue(line, p) {
			fault("no line of a file: %q", line)
		}
	}
	all := strings.Join(q.Whole, "\n")
	for _, says := range p.Says {
		if !strings.Contains(all, says) {
			fault("it doesn't say %q", says)
		}
	}
	return faults
}

var verbs = []string{"delete", "replace", "change", "create", "move", "copy"}

// deeds counts the paths that are named, in the order of the verbs, each of them one of the plan's.
func (q *Question) deeds(p Plan, fault func(string, ...any)) (n int) {
	last := 0
	left := slices.Clone(p.Deeds)
	for _, text := range q.own() {
		verb, _, _ := strings.Cut(text, " ")
		at := slices.Index(verbs, verb)
		if at < 0 {
			continue
		}
		if at < last {
			fault("%q comes after what is less grave", text)
		}
		last = at
		i := slices.IndexFunc(left, func(deed string) bool { return isNamed(text, deed) })
		if i < 0 {
			fault("it says %q, which isn't done", text)
			continue
		}
		left = slices.Delete(left, i, i+1)
		n++
	}
	return n
}

// isNamed reports whether a row names a deed: all of it, but a long path is cut in its middle.
func isNamed(text, deed string) bool {
	rest, is := strings.CutPrefix(text, deed)
	if head, tail, cut := strings.Cut(text, "…"); !is && cut {
		tail, _, _ = strings.Cut(tail, " (")
		return strings.HasPrefix(deed, head) && strings.HasSuffix(deed, tail) && len(head)+len(tail) < len(deed)
	}
	return is && (rest == "" || strings.HasPrefix(rest, " ("))
}

var escape = regexp.MustCompile(`\\(\\|[abfnrtv]|x[0-9a-f]{2}|u\{[0-9a-f]+\}|u[0-9a-f]{4}|U[0-9a-f]{8})`)

// isTrue reports whether a line is one of the old files, or of the new ones, by its sign.
func (q *Question) isTrue(line string, p Plan) bool {
	isEscaped := slices.ContainsFunc(q.own(), func(text string) bool { return strings.Contains(text, `\x1b hidden`) })
	files := map[byte]map[string]string{'-': p.Files, '+': p.After}[line[0]]
	for _, text := range files {
		for old := range strings.SplitSeq(readable(text), "\n") {
			if isPart(old, strings.Split(line[1:], "…"), isEscaped) {
				return true
			}
		}
	}
	return false
}

// isPart reports whether the parts are in a line, in their order, and are all of it if there is
// only one.
func isPart(line string, parts []string, isEscaped bool) bool {
	for i, part := range parts {
		part = strings.ReplaceAll(part, "→", "\t")
		if isEscaped {
			part = escape.ReplaceAllStringFunc(part, unescape)
		}
		at := strings.Index(line, part)
		if at < 0 || i == 0 && at > 0 || len(parts) == 1 && line != part {
			return false
		}
		line = line[at+len(part):]
	}
	return true
}

func unescape(text string) string {
	if text[1] == 'u' {
		n, _ := strconv.ParseUint(strings.Trim(text[2:], "{}"), 16, 32)
		return string(rune(n))
	}
	plain, _ := strconv.Unquote(`"` + text + `"`) // the expression has found only those that can be
	return plain
}

// readable is the text of a file, which may be UTF-16.
func readable(text string) string {
	rest, is := strings.CutPrefix(text, "\xff\xfe")
	if !is {
		return text
	}
	var b strings.Builder
	for i := 0; i+1 < len(rest); i += 2 {
		b.WriteRune(rune(rest[i]) | rune(rest[i+1])<<8)
	}
	return b.String()
}
