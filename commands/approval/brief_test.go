package approval

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"fsbox/commands/words"
)

// TestBrief holds many plans to what a question of few rows promises: all is named or said to be
// missing.
func TestBrief(t *testing.T) {
	r := rand.New(rand.NewPCG(38, 2))
	for n := range countOfPlans() {
		p := randomPlan(r)
		most := 4 + n%3
		rows := p.rows(most, r.IntN)
		checkBrief(t, fmt.Sprintf("plan %d in %d rows", n, most), p, rows, most)
		if t.Failed() {
			t.FailNow()
		}
	}
}

func checkBrief(t *testing.T, name string, p *Plan, rows []string, most int) {
	t.Helper()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Errorf(name+": "+format+"\n%s", append(args, strings.Join(rows, "\n"))...)
	}
	head := askerRow.FindStringSubmatch(rows[0])
	if head == nil || len(rows) > most {
		fail("%d rows", len(rows))
		return
	}
	mark, lines, missing := head[1], 0, map[string]int{}
	var joined []string
	for i, row := range rows {
		if words.Columns(row) > QuestionColumns || strings.ContainsFunc(row, func(r rune) bool { return !unicode.IsPrint(r) }) {
			fail("row %d is %q", i, row)
		}
		rest, marked := strings.CutPrefix(row, mark)
		switch {
		case i == 0:
		case !marked || !strings.ContainsAny(rest[:1], `:|\`) || strings.HasPrefix(rest, `\`) && len(joined) == 0:
			fail("row %d is %q", i, row)
		case rest[0] == '\\':
			joined[len(joined)-1] += rest[1:]
		case rest[0] == '|':
			lines++
			fallthrough
		default:
			joined = append(joined, rest)
		}
	}
	checkWrapped(fail, mark, rows)
	for _, row := range joined {
		if strings.HasPrefix(row, ": not shown: ") {
			for _, found := range missedRow.FindAllStringSubmatch(row, -1) {
				missing[found[3][:4]], _ = strconv.Atoi(found[1])
			}
		}
	}
	all := 0
	for _, d := range p.deeds {
		all += d.plus + d.minus
	}
	if lines+missing["line"] != all {
		fail("%d lines, of which %d are shown and %d missing", all, lines, missing["line"])
	}
	if shown := namedIn(p, head[2], joined); shown+missing["path"] != len(p.deeds) {
		fail("%d deeds, of which %d are named and %d missing", len(p.deeds), shown, missing["path"])
	}
}

// namedIn counts the deeds that are named.
func namedIn(p *Plan, head string, rows []string) (n int) {
	if len(p.deeds) == 1 && strings.HasPrefix(head, p.deeds[0].sentence(maxNameColumns)) {
		return 1
	}
	for _, columns := range []int{maxNameColumns, briefNameColumns} {
		if n = namedUpTo(p, columns, rows); n > 0 {
			return n
		}
	}
	return 0
}

func namedUpTo(p *Plan, columns int, rows []string) (n int) {
	for _, row := range rows {
		text, _ := strings.CutPrefix(row, ": ")
		for i, d := range p.deeds {
			one := d.sentence(columns)
			rest, isNext := strings.CutPrefix(text, one)
			if !isNext && i > 0 {
				rest, isNext = strings.CutPrefix(text, strings.TrimPrefix(one, d.command()))
			}
			if !isNext {
				break
			}
			n, text = n+1, strings.TrimLeft(rest, ",; ")
		}
		if n > 0 {
			return n
		}
	}
	return 0
}

// TestBriefRows has the rows of some plans.
func TestBriefRows(t *testing.T) {
	diff := "@@ -1,1 +1,1 @@\n-old\n+new\n"
	one := deed{kind: deedChange, noun: nounFile, path: "src/a.txt", plus: 1, minus: 1, end: len(diff)}
	long := one
	long.path = strings.Repeat("folder/", 8) + "a.txt"
	for name, tt := range map[string]struct {
		plan Plan
		want string
	}{
		"one file": {Plan{raw: diff, deeds: []deed{one}}, "fsbox asks (k7): change src/a.txt (+1 -1)\nk7|-old\nk7|+new"},
		"a long path": {Plan{raw: diff, deeds: []deed{long}},
			"fsbox asks (k7): change 1 file (+1 -1)\nk7: not shown: 2 of 2 lines\n" +
				"k7: change folder/folder/folder/folder/folder/folder/f\nk7\\older/folder/a.txt (+1 -1)"},
		"a remark": {Plan{raw: diff, deeds: []deed{one}, remarks: []string{`the mode of "src/a.txt" changes from 0644 to 0777`}},
			"fsbox asks (k7): change src/a.txt (+1 -1)\nk7: the mode of \"src/a.txt\" changes from 0644 to 0777\nk7|-old\nk7|+new"},
		"a very long path": {Plan{deeds: []deed{{kind: deedMove, noun: nounFile, path: strings.Repeat("folder/", 40),
			to: strings.Repeat("x/", 99)}}},
			"fsbox asks (k7): move 1 file\nk7: not shown: parts of 1 name\nk7: move folder/folder/f…/folder/folder/ to\n" +
				"k7\\ x/x/x/x/x/x/x/x…/x/x/x/x/x/x/x/"},
		"several": {Plan{raw: diff, deeds: []deed{{noun: nounFile, path: "old.txt", minus: 3}, one, {kind: deedChange, noun: nounFile,
			path: "b, c"},
			{kind: deedCreate, noun: nounFolder, path: "d"}}}, "fsbox asks (k7): delete 1 file, 3 more (+1 -4)\nk7: not shown: 5 of 5 lines\n" +
			"k7: delete old.txt; change src/a.txt, \"b, c\"; create\nk7\\ folder \"d\""},
	} {
		if got := strings.Join(tt.plan.rows(4, k7()), "\n"); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, tt.want)
		}
	}
}

// k7 makes randomMark give that mark.
func k7() func(int) int {
	at := 0
	return func(int) int {
		at++
		return []int{strings.Index("abcdefghkmnpqrstuvwxyz", "k"), strings.Index("abcdefghkmnpqrstuvwxyz3456789", "7")}[(at-1)%2]
	}
}
