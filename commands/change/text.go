package change

import (
	"fmt"

	"fsbox/commands/answer"
	"fsbox/commands/words"
)

func (r *WriteResult) WriteText(t *answer.Text, a answer.Answer) {
	t.Change(a, countOf(r.Additions, r.Deletions), r.ShownDiff, r.DryRun)
}

func (r *AppendResult) WriteText(t *answer.Text, a answer.Answer) {
	t.Change(a, countOf(r.additions, r.deletions), r.ShownDiff, r.DryRun)
}

func (r *MkdirResult) WriteText(t *answer.Text, a answer.Answer) { t.Sentence(a) }

func (r *MoveResult) WriteText(t *answer.Text, a answer.Answer) { t.Sentence(a) }

func (r *DeleteResult) WriteText(t *answer.Text, a answer.Answer) { t.Sentence(a) }

// countOf says how many lines were added and removed, as far as they are known.
func countOf(additions, deletions int) string {
	switch {
	case additions+deletions == 0:
		return ""
	case deletions == 0:
		return ": " + words.Plural(int64(additions), "line")
	}
	return fmt.Sprintf(": +%d -%d lines", additions, deletions)
}
