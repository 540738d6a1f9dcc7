package approval

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/terminal"
	"fsbox/commands/words"
	"fsbox/textio/diff"
)

// terminalApprover asks the person at the controlling terminal.
type terminalApprover struct {
	mu       sync.Mutex // one question at a time
	terminal *terminal.Terminal
	root     string
	colours  bool
}

// Approve shows the plan and reads one line: y or yes is a yes, anything else a no.
func (t *terminalApprover) Approve(ctx context.Context, plan *Plan) (yes bool, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	line, err := t.terminal.Ask(ctx, plan.Question(t.root, t.terminal.Width(), t.colours))
	switch {
	case errors.Is(err, io.EOF):
		return false, nil // the end of input, typed by the person
	case err != nil:
		return false, fmt.Errorf("%w: %w", errNobody, err)
	}
	return slices.Contains([]string{"y", "yes"}, strings.ToLower(strings.TrimSpace(line))), nil
}

const (
	// maxPromptRows is how many rows of a diff are shown at a terminal, and MaxNames how many names
	// of each list. A terminal keeps few rows more than that.
	maxPromptRows = 5000
	MaxNames      = 500
	leastWidth    = 20
	defaultWidth  = 80 // of a terminal that doesn't say

	Quoted    = "  | " // before each line that isn't fsbox's own
	Continued = "  : " // before the rest of a line that is too long
	DiffIsCut = "[the diff is not whole: it is too long, or a file is no text]"
)

// Question is the text of a prompt. What comes from the request or from files is indented, in lines
// of its own. Control characters are made visible and long lines folded. So none of it can look
// like fsbox's own lines. The first line, and the last one before the prompt, say alike what will
// be done.
func (p *Plan) Question(root string, columns int, colours bool) string {
	if columns < leastWidth {
		columns = defaultWidth
	}
	var b strings.Builder
	p.describe(&sheet{names: MaxNames, rows: maxPromptRows, own: func(text string) { b.WriteString(text + "\n") },
		add: func(text string, isChange bool, most int) (rows int) {
			code, reset := "", ""
			if isChange && colours {
				code, reset = map[byte]string{'+': green, '-': red}[text[0]], plain
			}
			parts := folded(text, columns-len(Quoted)-1)
			for i, part := range parts[:min(len(parts), most)] {
				b.WriteString([...]string{Quoted, Continued}[min(i, 1)] + code + part + reset + "\n")
			}
			return len(parts)
		}}, root)
	return "\n" + b.String() + "Make this change? [y/N] "
}

// The colours of lines that come and go.
const green, red, plain = "\x1b[32m", "\x1b[31m", "\x1b[0m"

// maxMessageBytes is how much of a diff is kept while a client's dialog is open.
const maxMessageBytes = 128 << 10

// shrink drops what nothing needs any more once there is a question, so that the plans of many
// calls can wait for a person.
func (p *Plan) shrink() {
	shown := command.CutDiff(diff.Printed{Text: p.Diff, Truncated: p.DiffTruncated}, &answer.Budget{Left: maxMessageBytes})
	p.Diff, p.DiffTruncated = strings.Clone(shown.Text), shown.Truncated
	p.agreed, p.etags, p.raw, p.deeds = nil, nil, "", nil // the plan is made once more before the change
}

// sheet is where a plan is written for somebody who has to agree to it.
type sheet struct {
	names, rows int               // that are shown of each list, and of the diff
	own         func(text string) // writes a line of fsbox's own
	// add writes a line that isn't fsbox's own, all of it visible, with at most so many of the rows
	// that it takes. isChange is for a line of a file that goes or comes
	add func(text string, isChange bool, most int) (rows int)
}

// foreign writes a line that has text from the request or from files.
func (s *sheet) foreign(text string) { s.add(words.Visible(text), false, math.MaxInt) }

// describe writes what a person has to know about a plan, in the order of a client's dialog, and
// whole.
func (p *Plan) describe(s *sheet, root string) {
	asks := "fsbox asks: " + p.summary(math.MaxInt)
	s.own(asks)
	s.foreign("root: " + root)
	for _, d := range p.deeds[:min(len(p.deeds), s.names)] {
		s.foreign(d.sentence(math.MaxInt) + d.facts(math.MaxInt))
	}
	s.tellRest(len(p.deeds)+p.unlisted-s.names, p.cut, "paths")
	for _, remark := range p.remarks {
		s.foreign(remark)
	}
	isEscaped := words.VisibleDiff(p.raw) != p.raw
	if isEscaped {
		s.foreign(strings.TrimPrefix(EscapesNote, "; "))
	}
	for _, warning := range p.Warnings {
		s.foreign("warning: " + warning)
	}
	for _, d := range p.deeds {
		text := p.raw[d.from:d.end]
		if isEscaped {
			text = words.EscapedDiff(text)
		}
		s.writeDiff(text)
	}
	s.endDiff(p.DiffTruncated || p.cut)
	s.own(asks)
}

func (s *sheet) writeDiff(text string) {
	var hunk hunkReader
	for line := range strings.Lines(text) {
		if s.rows <= 0 {
			s.rows = -1
			break
		}
		line = strings.TrimSuffix(line, "\n")
		sign := hunk.read(line)
		s.rows -= s.add(words.Visible(line), sign == '+' || sign == '-', s.rows) // another program may have kept the plan
	}
}

// endDiff says so if the diff isn't whole.
func (s *sheet) endDiff(isCut bool) {
	if s.rows < 0 || isCut {
		s.own(DiffIsCut)
	}
}

// tellRest writes that a list isn't whole, and how many names it lacks if that is known.
func (s *sheet) tellRest(more int, isCut bool, what string) {
	switch {
	case more > 0:
		s.own(fmt.Sprintf("[%s more %s]", words.Int(int64(more)), what))
	case isCut:
		s.own(fmt.Sprintf("[more %s than are listed]", what))
	}
}

// folded cuts a line into parts that take at most so many columns.
func folded(line string, columns int) (parts []string) {
	from, at := 0, 0
	for i, r := range line {
		width := words.Columns(string(r))
		if r == '\t' {
			width = 8
		}
		if at+width > columns {
			parts, from, at = append(parts, line[from:i]), i, 0
		}
		at += width
	}
	return append(parts, line[from:])
}
