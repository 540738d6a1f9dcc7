package commands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode/utf8"

	"fsbox/sandbox/dir"
	"fsbox/textio/diff"
)

// terminalApprover asks the person at the controlling terminal.
type terminalApprover struct {
	mu       sync.Mutex // one question at a time
	terminal *dir.Terminal
	root     string
}

// Approve shows the plan and reads one line: y or yes is a yes, anything else a no.
func (t *terminalApprover) Approve(ctx context.Context, plan *Plan) (yes bool, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	line, err := t.terminal.Ask(ctx, plan.question(t.root, t.terminal.Width()))
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
	// in a client's dialog, and maxNames how many names of each list. A terminal keeps few lines
	// more than that, a dialog fewer.
	maxQuestionLines = 5000
	maxMessageLines  = 1000
	maxNames         = 500
	defaultWidth     = 80 // columns
	leastWidth       = 20

	quoted    = "  | " // before each line that isn't fsbox's own
	continued = "  : " // before the rest of a line that is too long
	diffIsCut = "[the diff is not whole: it is too long, or a file is no text]"
)

// question is the text of a prompt. What comes from the request or from files is indented, in lines
// of its own. Control characters are made visible and long lines folded. So none of it can look
// like fsbox's own lines.
func (p *Plan) question(root string, columns int) string {
	if columns < leastWidth {
		columns = defaultWidth
	}
	return "\n" + p.describe(root, maxQuestionLines, func(b *strings.Builder, text string) {
		margin := quoted
		for _, part := range folded(visible(text), columns-len(quoted)-1) {
			b.WriteString(margin + part + "\n")
			margin = continued
		}
	}) + "Make this change? [y/N] "
}

// message is the text for a client's dialog, which folds lines by itself.
func (p *Plan) message(root string) string {
	return p.describe(root, maxMessageLines, func(b *strings.Builder, text string) { b.WriteString(quoted + visible(text) + "\n") })
}

// maxMessageBytes is how much of a diff is in a dialog, and kept while it is open.
const maxMessageBytes = 256 << 10

// shrink drops what neither the dialog nor an answer needs any more, so that the plans of many
// calls can wait for a person.
func (p *Plan) shrink() {
	shown := cutDiff(diff.Printed{Text: p.Diff, Truncated: p.DiffCut}, newBudget(maxMessageBytes))
	p.Diff, p.DiffCut = strings.Clone(shown.Text), shown.Truncated
	p.agreed, p.etags = nil, nil // the plan is made once more before the change
	p.lostText.Reset()
}

// describe writes what a person has to know about a plan. add writes the lines that have text from
// the request or from files.
func (p *Plan) describe(root string, maxLines int, add func(b *strings.Builder, text string)) string {
	var b strings.Builder
	fmt.Fprintf(&b, "fsbox: %s needs your approval\n", p.Tool)
	add(&b, "root: "+root)
	for _, path := range p.Paths[:min(len(p.Paths), maxNames)] {
		add(&b, "path: "+path)
	}
	tellRest(&b, len(p.Paths)-maxNames, "paths")
	add(&b, "outcome: "+p.Effect)
	for _, one := range p.taken[:min(len(p.taken), maxNames)] {
		add(&b, p.lossLine(one))
	}
	tellRest(&b, len(p.taken)+p.unlisted-maxNames, "names go")
	for _, warning := range p.Warnings {
		add(&b, "warning: "+warning)
	}
	if isCut := p.addDiffLines(&b, maxLines, add); isCut || p.DiffCut || p.cut {
		b.WriteString(diffIsCut + "\n")
	}
	return b.String()
}

// addDiffLines adds the diff, at most the given number of lines.
func (p *Plan) addDiffLines(b *strings.Builder, most int, add func(b *strings.Builder, text string)) (isCut bool) {
	for line := range strings.Lines(p.Diff) {
		if most--; most < 0 {
			return true
		}
		add(b, strings.TrimSuffix(line, "\n"))
	}
	return false
}

// tellRest writes how many names are not shown, if there are any.
func tellRest(b *strings.Builder, more int, what string) {
	if more > 0 {
		fmt.Fprintf(b, "[%s more %s]\n", formatInt(int64(more)), what)
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
