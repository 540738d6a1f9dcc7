package approval

import (
	"math"
	"slices"
	"strings"

	"fsbox/commands/words"
)

// briefNameColumns are those of a path that is too long to be shown as long as others.
const briefNameColumns = 32

// brief makes the rows of a question for a client that shows so few that the usual order would
// leave the names to chance. The first row says what will be done, by its name if it is one deed.
// Then comes what isn't shown, then the names of several deeds, remarks, and lines, each in one
// row. There is no last row: the title of the yes takes its place.
func (q *question) brief() []string {
	q.lineMost = 1
	for reserved := 0; ; reserved++ { // for what isn't shown
		head, isNamed := q.briefHead()
		names := q.fillBrief(q.most-1-reserved, isNamed)
		rows := []string{head}
		if text := q.notShown(); text != "" {
			rows = append(rows, q.wrap(ownSign, split("not shown: "+text))...)
		}
		rows = append(rows, names...)
		rows = append(rows, slices.Concat(q.remarks...)...)
		for _, d := range q.deeds {
			for _, line := range d.lines[:d.shown] {
				lineRows, _ := q.lineRows(line)
				rows = append(rows, lineRows...)
			}
		}
		if legend := q.wrap(ownSign, split(q.legendText())); q.isSpelled() && q.shownLines() > 0 && len(rows)+len(legend) <= q.most {
			rows = append(rows, legend...)
		}
		if len(rows) <= q.most || reserved == q.most {
			return rows[:min(len(rows), q.most)]
		}
	}
}

// isOne reports whether a plan has one deed and no more.
func (p *Plan) isOne() bool { return len(p.deeds) == 1 && p.unlisted == 0 && !p.cut }

// briefHead is the first row. isNamed says that it names the only deed.
func (q *question) briefHead() (row string, isNamed bool) {
	if q.plan.isOne() {
		row = q.asker() + q.plan.deeds[0].sentence(maxNameColumns) + q.plan.deeds[0].facts(math.MaxInt)
		if words.Columns(row) <= QuestionColumns {
			return row, true
		}
	}
	return q.asker() + q.plan.summary(QuestionColumns-words.Columns(q.asker())), false
}

// fillBrief chooses what is shown in so many rows: names, which are the rows that it gives,
// remarks, and lines if it is clear of which file they are.
func (q *question) fillBrief(left int, isNamed bool) (names []string) {
	q.deeds, q.remarks, q.hidden, q.cuts, q.hasTab, q.nameMost = nil, nil, 0, 0, false, maxNameColumns
	if isNamed {
		q.deeds = append(q.deeds, q.all...)
	} else if names = q.nameRows(left); names == nil {
		q.nameMost = briefNameColumns
		names = q.nameRows(left)
	}
	left -= len(names)
	remarks := q.fillRemarks(q.remarkRows(), &left)
	if q.plan.isOne() && len(q.deeds) == 1 {
		q.fillLines(&left)
	}
	q.hidden += len(remarks)
	return names
}

// nameRows are the rows that name as many deeds as have space.
func (q *question) nameRows(most int) (rows []string) {
	text := ""
	for i, d := range q.all {
		one := d.sentence(q.nameMost)
		switch {
		case i == 0:
		case d.kind == q.all[i-1].kind && d.noun == q.all[i-1].noun:
			one = ", " + strings.TrimPrefix(one, d.command())
		default:
			one = "; " + one
		}
		if q.plan.isOne() {
			one += d.facts(math.MaxInt)
		}
		next := q.wrap(ownSign, split(text+one))
		if len(next) > most {
			break
		}
		text, rows = text+one, next
		q.deeds = append(q.deeds, d)
	}
	return rows
}
