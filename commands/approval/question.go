package approval

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"fsbox/commands/words"
)

// The size of a question in a client's dialog, and of the titles of its answers. Of a client that
// is known, commands/clients has how many rows it shows: most say of no more that there are any. In
// a terminal of 60 columns one cuts rows of more than 54, and titles of more than 44.
const (
	QuestionRows    = 16
	QuestionColumns = 54
	titleColumns    = 44

	leastRows = 8 // of a question that has its first row once more as its last

	maxLineRows   = 2 // of one line of a file
	maxRemarkRows = 3

	maxRemarkBytes = 400
	maxNameColumns = 96 // of a path; what is longer is cut in its middle
)

// question is a plan on its way into a dialog. Nothing that a file or a name has in it can pass for
// a row of fsbox's own, or for another row of a file, however the dialog wraps: each row begins
// with a mark that is random and doesn't occur in what is shown.
//
//	3f: of fsbox's own
//	3f| a line of a file, with its sign
//	3f\ the rest of the row above
type question struct {
	plan     *Plan
	mark     string
	spelling spelling
	all      []shownDeed // that could be shown
	deeds    []shownDeed
	remarks  [][]string // rows of each
	hidden   int        // remarks that aren't shown
	cuts     int        // lines that are shown and cut
	most     int        // rows of the question
	lineMost int        // rows of one line
	nameMost int        // columns of a path
	hasTab   bool
}

// shownDeed is a deed with as much of its lines as is shown.
type shownDeed struct {
	deed
	lines []changedLine
	shown int // of lines
}

// message is the text for a client's dialog that shows so many rows; 0 is for QuestionRows.
func (p *Plan) message(most int) string {
	return strings.Join(p.rows(most, rand.IntN), "\n")
}

// randomMark makes a mark of a letter, and others or digits, none of them hard to tell from
// others. Two digits would be taken for a number.
func randomMark(length int, intN func(int) int) string {
	const letters, digits = "abcdefghkmnpqrstuvwxyz", "3456789"
	const all = letters + digits
	mark := []byte{letters[intN(len(letters))]}
	for len(mark) < length {
		mark = append(mark, all[intN(len(all))])
	}
	return string(mark)
}

// markTries is how many marks of one length are tried: a text may have nearly all of two
// characters.
const markTries = 50

// rows are the rows of a question, under the first mark that what is shown doesn't have.
func (p *Plan) rows(most int, intN func(int) int) (rows []string) {
	q := p.question()
	q.most = cmp.Or(most, QuestionRows)
	for try := 0; ; try++ {
		q.mark = randomMark(2+try/markTries, intN)
		if q.most < leastRows {
			rows = q.brief()
		} else {
			rows = q.compose()
		}
		if !q.isTaken(rows) {
			return rows
		}
	}
}

// isTaken reports whether the mark, or what looks like it, is in a row elsewhere than at its
// beginning.
func (q *question) isTaken(rows []string) bool {
	for _, row := range rows {
		rest, isAsker := strings.CutPrefix(row, q.asker())
		if !isAsker {
			rest = strings.TrimPrefix(row, q.mark)
		}
		if !strings.HasPrefix(row, q.legend()) && strings.Contains(words.Lookalike(rest), q.mark) {
			return true
		}
	}
	return false
}

// question finds out which lines could be shown, and how they are spelled.
func (p *Plan) question() *question {
	q := &question{plan: p, lineMost: maxLineRows, nameMost: maxNameColumns}
	for _, d := range p.deeds[:min(len(p.deeds), QuestionRows)] {
		one := shownDeed{deed: d, lines: changedLines(p.raw[d.from:d.end], QuestionRows)}
		for i, line := range one.lines {
			one.lines[i] = line.near()
			q.spelling.double = q.spelling.double || needsEscapes(one.lines[i].text[1:])
		}
		q.all = append(q.all, one)
	}
	return q
}

// compose makes the rows: first what will be done, then what isn't shown, then each deed with its
// lines, then the remarks, then once more what will be done.
func (q *question) compose() []string {
	for reserved := 0; ; reserved++ { // for what isn't shown, and for what the marks mean
		q.fill(q.most - 2 - reserved)
		var rows []string
		own := func(text string) { rows = append(rows, q.wrap(ownSign, split(text))...) }
		head := q.asker() + q.plan.summary(QuestionColumns-words.Columns(q.asker()))
		rows = append(rows, head)
		if text := q.notShown(); text != "" {
			own("not shown: " + text)
		}
		if q.shownLines() > 0 && (q.isSpelled() || q.most == QuestionRows) {
			own(q.legendText())
		}
		for _, d := range q.deeds {
			rows = append(rows, q.headRows(d)...)
			for _, line := range d.lines[:d.shown] {
				lineRows, _ := q.lineRows(line)
				rows = append(rows, lineRows...)
			}
		}
		rows = append(rows, slices.Concat(q.remarks...)...)
		if rows = append(rows, head); len(rows) <= q.most {
			return rows
		}
	}
}

// fill chooses what is shown in so many rows: the deeds, which are sorted by what can't be undone
// by looking at the file afterwards; remarks in a part of the rows; a line of each deed in turn;
// and the other remarks where there is space left.
func (q *question) fill(left int) {
	q.deeds, q.remarks, q.hidden, q.cuts, q.hasTab = nil, nil, 0, 0, false
	remarks, heads := q.remarkRows(), 0
	for _, d := range q.all {
		heads += len(q.headRows(d))
	}
	share := max(0, min(len(slices.Concat(remarks...)), max(left/4, left-heads-left/3)))
	left -= share
	for _, d := range q.all {
		rows := len(q.headRows(d))
		if rows > left {
			break
		}
		left -= rows
		q.deeds = append(q.deeds, d)
	}
	remarks = q.fillRemarks(remarks, &share)
	left += share
	q.fillLines(&left)
	q.hidden += len(q.fillRemarks(remarks, &left))
}

// fillRemarks shows remarks as far as there are rows for them, and gives the others.
func (q *question) fillRemarks(remarks [][]string, left *int) (others [][]string) {
	for i, rows := range remarks {
		if len(rows) > *left {
			return remarks[i:]
		}
		*left -= len(rows)
		q.remarks = append(q.remarks, rows)
	}
	return nil
}

// fillLines shows lines of each deed in turn as far as there are rows for them.
func (q *question) fillLines(left *int) {
	for more := true; more; {
		more = false
		for i := range q.deeds {
			d := &q.deeds[i]
			if d.shown == len(d.lines) {
				continue
			}
			line := d.lines[d.shown]
			rows, isCut := q.lineRows(line)
			if len(rows) > *left {
				continue
			}
			*left -= len(rows)
			d.shown++
			q.hasTab = q.hasTab || strings.Contains(line.text, "\t")
			q.cuts += number(isCut)
			more = true
		}
	}
}

// remarkRows are the rows of each remark. One that is very long is cut, and counts as hidden.
func (q *question) remarkRows() (all [][]string) {
	texts := slices.Concat(q.plan.remarks, words.Mapped(q.plan.Warnings, func(w string) string { return "warning: " + w }))
	if q.plan.cut {
		texts = append(texts, "more paths than fsbox can list")
	}
	for _, text := range texts {
		if text = words.Visible(strings.ReplaceAll(text, "\t", `\t`)); len(text) > maxRemarkBytes {
			text = text[:maxRemarkBytes] // of bytes that take a row each or less
		}
		rows := q.wrap(ownSign, split(strings.ToValidUTF8(text, "")))
		if len(rows) > maxRemarkRows {
			rows = append(rows[:maxRemarkRows-1:maxRemarkRows-1], q.mark+`\`+cutMark)
			q.hidden++
		}
		all = append(all, rows)
	}
	return all
}

// asker begins the first row and the last one.
func (q *question) asker() string { return "fsbox asks (" + q.mark + "): " }

// legend begins the row that explains the marks.
func (q *question) legend() string { return q.mark + ": " + q.mark + "| " }

// isSpelled reports whether lines aren't shown as they are.
func (q *question) isSpelled() bool { return q.hasTab || q.cuts > 0 || q.spelling.double }

func (q *question) legendText() string {
	text := q.mark + "| is text of files"
	if q.hasTab {
		text += ", " + tabMark + " tab"
	}
	if q.cuts > 0 {
		text += ", " + cutMark + " cut"
	}
	if q.spelling.double {
		text += `, \x1b hidden, \\ one \`
	}
	return text
}

func (q *question) shownLines() (n int) {
	for _, d := range q.deeds {
		n += d.shown
	}
	return n
}

// notShown says what the question leaves out.
func (q *question) notShown() string {
	var parts []string
	if all := len(q.plan.deeds) + q.plan.unlisted; len(q.deeds) < all {
		parts = append(parts, fmt.Sprintf("%d of %s", all-len(q.deeds), words.Plural(int64(all), "path")))
	}
	lines := 0
	for _, d := range q.plan.deeds {
		lines += d.plus + d.minus
	}
	if missing := lines - q.shownLines(); missing > 0 {
		parts = append(parts, fmt.Sprintf("%s of %s", amount(missing), words.Plural(int64(lines), "line")))
	}
	if q.hidden > 0 {
		parts = append(parts, words.Plural(int64(q.hidden), "remark"))
	}
	if q.cuts > 0 {
		parts = append(parts, "parts of "+words.Plural(int64(q.cuts), "line"))
	}
	names := 0
	for _, d := range q.deeds {
		names += number(d.isCut(q.nameMost))
	}
	if names > 0 {
		parts = append(parts, "parts of "+words.Plural(int64(names), "name"))
	}
	return strings.Join(parts, ", ")
}

// wrap makes rows of a text in pieces. One of fsbox's own is broken before a blank if that leaves
// most of the row filled. No row ends with a blank, which nobody would see, unless it has nothing
// else.
func (q *question) wrap(sign string, pieces []string) (rows []string) {
	begin, from, blank := q.mark+sign, 0, 0 // of the row; the place of its last blank
	left := QuestionColumns - len(begin)
	for i := 0; i < len(pieces); i++ {
		width := words.Columns(pieces[i])
		if width > left {
			if sign == ownSign && pieces[i] != " " && blank > from && columnsOf(pieces[blank:i]) < QuestionColumns/3 {
				i = blank
			}
			last := i
			for last > from && pieces[last-1] == " " {
				last--
			}
			if last > from {
				i = last
			}
			width = words.Columns(pieces[i])
			rows = append(rows, begin+strings.Join(pieces[from:i], ""))
			begin, from = q.mark+`\`, i
			left = QuestionColumns - len(begin)
		}
		if pieces[i] == " " {
			blank = i
		}
		left -= width
	}
	return append(rows, begin+strings.Join(pieces[from:], ""))
}

// ownSign is after the mark of a row of fsbox's own.
const ownSign = ": "

// headRows are the rows that name a deed.
func (q *question) headRows(d shownDeed) []string {
	return q.wrap(ownSign, split(d.sentence(q.nameMost)+d.facts(d.shown)))
}

// lineRows are the rows of a line.
func (q *question) lineRows(line changedLine) (rows []string, isCut bool) {
	columns := q.lineMost * (QuestionColumns - len(q.mark) - len("|"))
	columns -= q.lineMost - 1 // where a wide character goes to the next row whole
	pieces, isCut := q.spelling.around(line, columns)
	return q.wrap("|", pieces), isCut
}

const noTitle = "No: change nothing"

// yesTitle names the deed: if there are several, how many of each kind.
func (p *Plan) yesTitle() string {
	const yes = "Yes: "
	if len(p.deeds) > 0 && p.unlisted == 0 && !p.cut {
		if others := p.deeds[1:]; len(others) == 0 || others[0].below && len(others) == p.deeds[0].names {
			text := yes + p.deeds[0].sentence(maxNameColumns)
			if words.Columns(text) <= titleColumns {
				return text
			}
		}
	}
	return yes + p.summary(titleColumns-len(yes))
}
