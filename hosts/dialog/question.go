package dialog

import (
	"encoding/binary"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

// Question is what a person can read on a screen.
type Question struct {
	Mark    string
	Summary string   // of the first row
	Ends    bool     // the last row is there, and like the first
	Rows    []string // as the screen has them, without what is in front of them
	Whole   []string // those between the first and the last, with the rest of each joined to it, without the mark
	Answers []string // that can be chosen, if they are shown
}

var asker = regexp.MustCompile(`^fsbox asks \(([a-z0-9]{2})\): (.*)$`)

// bare is a row without the frame that a host draws, and without blanks in front of it.
func bare(row string) string { return strings.TrimLeft(unframed(row), " │┃") }

func unframed(row string) string { return strings.TrimRight(row, " │┃|▌▐") }

// firstRow is where the question of a screen begins, -1 if there is none.
func firstRow(screen []string) int {
	return slices.IndexFunc(screen, func(row string) bool { return asker.MatchString(bare(row)) })
}

// IsThere reports whether a screen has a question.
func IsThere(screen []string) bool { return firstRow(screen) >= 0 }

// Read reads the question of a screen.
func Read(screen []string) (q Question, err error) {
	first := firstRow(screen)
	if first < 0 {
		return q, fmt.Errorf("the first row of a question isn't there")
	}
	indent, _, _ := strings.Cut(screen[first], "fsbox asks")
	head := asker.FindStringSubmatch(bare(screen[first]))
	q.Mark, q.Summary, q.Rows = head[1], head[2], []string{strings.TrimPrefix(head[0], indent)}
	last := first + 1
	for ; last < len(screen) && !q.Ends; last++ {
		text := strings.TrimPrefix(screen[last], indent)
		if text == screen[last] && indent != "" {
			text = strings.TrimLeft(text, " │┃")
		}
		text = unframed(text)
		rest, marked := strings.CutPrefix(text, q.Mark)
		switch other := asker.FindStringSubmatch(text); {
		case other != nil && (other[1] != q.Mark || other[2] != q.Summary):
			return q, fmt.Errorf("the question begins with %q and ends with %q", head[0], other[0])
		case other != nil:
			q.Ends = true
		case !marked || rest == "" || !strings.ContainsAny(rest[:1], `:|\`):
			q.addAnswers(screen[last:])
			return q, nil
		case rest[0] == '\\' && len(q.Whole) > 0:
			q.Whole[len(q.Whole)-1] += rest[1:]
		default:
			q.Whole = append(q.Whole, rest)
		}
		q.Rows = append(q.Rows, text)
	}
	q.addAnswers(screen[last:])
	return q, nil
}

// answer is a row with an answer: what hosts draw in front of it has one quotation mark at most.
var answer = regexp.MustCompile(`^[^"]*?"?((?:No|Yes): .*)$`)

// addAnswers adds the answers that a screen offers below the question.
func (q *Question) addAnswers(rows []string) {
	for _, row := range rows {
		if found := answer.FindStringSubmatch(unframed(row)); found != nil {
			q.Answers = append(q.Answers, found[1])
		}
	}
}

// A row begins with one of these: it has a line of a file, or is fsbox's own.
const ofFile, own = "|", ": "

// after are the rows that begin with a sign, without it.
func (q *Question) after(sign string) (all []string) {
	for _, row := range q.Whole {
		if text, is := strings.CutPrefix(row, sign); is {
			all = append(all, text)
		}
	}
	return all
}

var missed = regexp.MustCompile(`(\d+) of (\d+) (path|line)`)

// missing is how many of all paths and lines aren't shown, as the question says.
func (q *Question) missing(kind string) (n, all int) {
	for _, text := range q.after(own) {
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
	named := q.namesOne(p)
	if q.Summary != p.Summary && !named {
		fault("it says %q, and does %q", q.Summary, p.Summary)
	}
	deeds, lines := q.deeds(p, fault), q.after(ofFile)
	if named {
		deeds++
	}
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
	all := q.Summary + "\n" + strings.Join(q.Whole, "\n")
	notAll, _ := q.missing("line")
	for _, says := range p.Says {
		isLine := strings.ContainsAny(says[:1], "+-") // which needn't be among those that are shown
		if !strings.Contains(all, says) && (!isLine || notAll == 0) {
			fault("it doesn't say %q", says)
		}
	}
	return faults
}

// namesOne reports whether the first row has the only deed in place of the summary.
func (q *Question) namesOne(p Plan) bool {
	_, facts, _ := strings.Cut(p.Summary, "(")
	return len(p.Deeds) == 1 && q.Summary != p.Summary && isNamed(q.Summary,
		p.Deeds[0]) && (facts == "" || strings.HasSuffix(q.Summary, facts) ||
		strings.HasSuffix("+0 "+q.Summary, strings.TrimPrefix(facts, "+0 ")) || strings.HasSuffix(q.Summary, strings.TrimSuffix(facts,
		" -0)")+")"))
}

var verbs = []string{"delete", "replace", "change", "create", "move", "copy"}

// deeds counts the paths that are named, in the order of the verbs, each of them one of the plan's.
func (q *Question) deeds(p Plan, fault func(string, ...any)) (n int) {
	last := 0
	left := slices.Clone(p.Deeds)
	for _, text := range q.after(own) {
		for _, one := range sentences(text) {
			verb, _, _ := strings.Cut(one, " ")
			at := slices.Index(verbs, verb)
			if at < 0 {
				break
			}
			if at < last {
				fault("%q comes after what is less grave", one)
			}
			last = at
			i := slices.IndexFunc(left, func(deed string) bool { return isNamed(one, deed) })
			if i < 0 {
				fault("it says %q, which isn't done", one)
				continue
			}
			left = slices.Delete(left, i, i+1)
			n++
		}
	}
	return n
}

// sentences are those of a row that names several deeds: "delete a, b; change c".
func sentences(text string) (all []string) {
	verb, quoted, from, depth := "", false, 0, 0
	end := func(to int) {
		one := text[from:to]
		if first, _, _ := strings.Cut(one, " "); slices.Contains(verbs, first) {
			verb = first + " "
			if strings.HasPrefix(one, verb+"folder ") {
				verb += "folder "
			}
		} else {
			one = verb + one
		}
		all = append(all, one)
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '(':
			depth++
		case c == ')':
			depth--
		case depth == 0 && (strings.HasPrefix(text[i:], ", ") || strings.HasPrefix(text[i:], "; ")):
			end(i)
			from = i + 2
		}
	}
	end(len(text))
	return all
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
	files := map[byte]map[string]string{'-': p.Files, '+': p.After}[line[0]]
	for _, text := range files {
		for old := range strings.SplitSeq(readable(text), "\n") {
			parts := strings.Split(line[1:], "…")
			if isPart(old, parts, false) || isPart(old, parts, true) {
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
	units := make([]uint16, len(rest)/2)
	_, _ = binary.Decode([]byte(rest), binary.LittleEndian, units) // there are so many
	return string(utf16.Decode(units))
}
