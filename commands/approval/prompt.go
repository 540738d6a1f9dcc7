package approval

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"sync"
	"unicode/utf8"

	"fsbox/commands/answer"
	"fsbox/commands/terminal"
	"fsbox/commands/verb"
	"fsbox/commands/words"
	"fsbox/textio/diff"
)

// terminalApprover asks the person at the controlling terminal.
type terminalApprover struct {
	mu       sync.Mutex // one question at a time
	terminal *terminal.Terminal
	root     string
}

// Approve shows the plan and reads one line: y or yes is a yes, anything else a no.
func (t *terminalApprover) Approve(ctx context.Context, plan *Plan) (yes bool, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	line, err := t.terminal.Ask(ctx, plan.Question(t.root, t.terminal.Width()))
	switch {
	case errors.Is(err, io.EOF):
		return false, nil // the end of input, typed by the person
	case err != nil:
		return false, fmt.Errorf("%w: %w", errNobody, err)
	}
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes":
		return true, nil
	}
	return false, nil
}

const (
	// maxQuestionLines and maxMessageLines are how many lines of a diff are shown at a terminal and
	// in a client's dialog, and MaxNames how many names of each list. A terminal keeps few lines
	// more than that, a dialog fewer.
	maxQuestionLines = 5000
	maxMessageLines  = 1000
	MaxNames         = 500
	leastWidth       = 20
	defaultWidth     = 80 // of a terminal that doesn't say

	Quoted    = "  | " // before each line that isn't fsbox's own
	Continued = "  : " // before the rest of a line that is too long
	DiffIsCut = "[the diff is not whole: it is too long, or a file is no text]"
)

// Question is the text of a prompt. What comes from the request or from files is indented, in lines
// of its own. Control characters are made visible and long lines folded. So none of it can look
// like fsbox's own lines.
func (p *Plan) Question(root string, columns int) string {
	if columns < leastWidth {
		columns = defaultWidth
	}
	var b strings.Builder
	p.describe(sheet{Builder: &b, names: MaxNames, rows: maxQuestionLines, add: func(text string, most int) (rows int) {
		parts := folded(text, columns-len(Quoted)-1)
		for i, part := range parts[:min(len(parts), most)] {
			b.WriteString([...]string{Quoted, Continued}[min(i, 1)] + part + "\n")
		}
		return len(parts)
	}}, root)
	return "\n" + b.String() + "Make this change? [y/N] "
}

// message is the text for a client's dialog, which folds lines by itself.
func (p *Plan) message(root string) string {
	var b strings.Builder
	p.describe(sheet{Builder: &b, names: MaxNames, rows: maxMessageLines, add: func(text string, _ int) (rows int) {
		b.WriteString(Quoted + text + "\n")
		return 1
	}}, root)
	return b.String()
}

// maxMessageBytes is how much of a diff is in a dialog, and kept while it is open.
const maxMessageBytes = 128 << 10

// shrink drops what neither the dialog nor an answer needs any more, so that the plans of many
// calls can wait for a person.
func (p *Plan) shrink() {
	shown := verb.CutDiff(diff.Printed{Text: p.Diff, Truncated: p.DiffTruncated}, &answer.Budget{Left: maxMessageBytes})
	p.Diff, p.DiffTruncated = strings.Clone(shown.Text), shown.Truncated
	p.agreed, p.etags = nil, nil // the plan is made once more before the change
}

// sheet is where a plan is written for somebody who has to agree to it.
type sheet struct {
	*strings.Builder
	names, rows int // that are shown of each list, and of the diff
	// add writes a line that isn't fsbox's own, all of it visible, with at most so many of the rows
	// that it takes
	add func(text string, most int) (rows int)
}

// own writes a line of fsbox's own.
func (s *sheet) own(format string, args ...any) { fmt.Fprintf(s, format+"\n", args...) }

// foreign writes a line that has text from the request or from files.
func (s *sheet) foreign(text string) { s.add(words.Visible(text), math.MaxInt) }

// describe writes what a person has to know about a plan.
func (p *Plan) describe(s sheet, root string) {
	s.own("fsbox: %s needs your approval", p.Tool)
	s.foreign("root: " + root)
	p.Proposal.writePaths(&s)
	s.foreign("outcome: " + p.Effect)
	p.Proposal.writeTaken(&s, p.unlisted, p.lossVerb)
	for _, warning := range p.Warnings {
		s.foreign("warning: " + warning)
	}
	p.DiffTruncated = p.DiffTruncated || p.cut
	p.Proposal.writeDiff(&s)
}

func (p *Proposal) writePaths(s *sheet) {
	for _, path := range p.Paths[:min(len(p.Paths), s.names)] {
		s.foreign("path: " + words.VisibleName(path))
	}
	s.tellRest(len(p.Paths)-s.names, p.PathsTruncated, "paths")
}

// writeTaken writes what the change takes away. more is how many names aren't in the list.
func (p *Proposal) writeTaken(s *sheet, more int, verb func(TakenPath) string) {
	for _, one := range p.Taken[:min(len(p.Taken), s.names)] {
		s.foreign(one.line(verb(one)))
	}
	s.tellRest(len(p.Taken)+more-s.names, p.TakenTruncated, "names go")
}

func (p *Proposal) writeDiff(s *sheet) {
	for line := range strings.Lines(p.Diff) {
		if s.rows <= 0 {
			s.rows = -1
			break
		}
		s.rows -= s.add(words.Visible(strings.TrimSuffix(line, "\n")), s.rows) // another program may have kept the plan
	}
	if s.rows < 0 || p.DiffTruncated {
		s.own(DiffIsCut)
	}
}

// tellRest writes that a list isn't whole, and how many names it lacks if that is known.
func (s *sheet) tellRest(more int, isCut bool, what string) {
	switch {
	case more > 0:
		s.own("[%s more %s]", words.Int(int64(more)), what)
	case isCut:
		s.own("[more %s than are listed]", what)
	}
}

// folded cuts a line into parts that take at most so many columns. A character that isn't ASCII
// counts as two columns, since it may take two.
func folded(line string, columns int) (parts []string) {
	from, at := 0, 0
	for i, r := range line {
		width := 1
		switch {
		case r == '\t':
			width = 8
		case r >= utf8.RuneSelf:
			width = 2
		}
		if at+width > columns {
			parts, from, at = append(parts, line[from:i]), i, 0
		}
		at += width
	}
	return append(parts, line[from:])
}
