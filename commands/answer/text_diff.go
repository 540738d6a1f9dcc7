package answer

import (
	"strings"

	"fsbox/commands/words"
	"fsbox/textio"
)

// Change writes one sentence with the lines that changed. The caller knows what he sent, so the
// diff follows only if it tells something new, or if he or the operator asked for it, and for a dry
// run.
func (t *Text) Change(a Answer, where string, d ShownDiff, tells, dryRun bool) {
	shows := tells || dryRun || a.ShowDiff
	lack, none := "read shows the file", ": read shows the file"
	if dryRun {
		lack, none = "a dry run of a smaller part of the change shows that part", ""
	}
	if shows {
		t.First(d.Lack(lack))
	}
	t.Line(a.Message, where)
	if shows {
		t.Diff(d, none)
	}
	t.Note(a.Hint)
}

// Sentence writes one sentence, of a change that has no diff.
func (t *Text) Sentence(a Answer) { t.Change(a, "", ShownDiff{}, false, false) }

// Diff writes a diff. remedy says what to do if there is none.
func (t *Text) Diff(d ShownDiff, remedy string) {
	text, cut := textio.Brief(words.Deref(d.Diff))
	if paintedDiff(t, text); cut {
		t.Note("… is where a long line is cut")
	}
	if d.isCut() && words.Deref(d.Diff) == "" {
		t.Note("there is no diff of a directory, or of a file that is long or binary" + remedy)
	}
}

// Lack is the first line of an answer whose diff isn't whole, "" for any other. remedy says how to
// see the rest, "" for none.
func (d ShownDiff) Lack(remedy string) string {
	if !d.isCut() || words.Deref(d.Diff) == "" {
		return ""
	}
	if remedy == "" {
		return "the diff is not whole"
	}
	return "the diff is not whole: " + remedy
}

func (d ShownDiff) isCut() bool { return d.DiffTruncated != nil && *d.DiffTruncated }

// ShownDiff are the members of an answer that show what changed: nil unless the request asks for
// them.
type ShownDiff struct {
	// unified, at most 200 lines and 32 KiB; "" for binary content, and for what is appended to a
	// file over 64 KiB; omitted with diff false
	Diff          *string `json:"diff,omitzero"`
	DiffTruncated *bool   `json:"diff_truncated,omitzero"` // the diff is incomplete: it was cut, or a file is binary, too long or a directory
}

// paintedDiff writes a unified diff.
func paintedDiff(t *Text, text string) {
	if t.Style == nil {
		t.Block(text)
		return
	}
	lines := strings.SplitAfter(text, "\n")
	head := 0 // lines that are left of the head of a file
	for i, line := range lines {
		if startsFile(lines[i:]) {
			head = len("-+")
		}
		h := hueNone
		if head--; head < 0 {
			h = diffHue(line)
		}
		shown, ended := strings.CutSuffix(line, "\n")
		if t.Paint(h, shown); ended {
			t.Line()
		}
	}
	t.fresh()
}

// startsFile reports whether a file's head comes next: a removed line may begin as it does.
func startsFile(lines []string) bool {
	return len(lines) > 2 && strings.HasPrefix(lines[0], "--- ") && strings.HasPrefix(lines[1], "+++ ") && strings.HasPrefix(lines[2], "@@")
}

func diffHue(line string) hue {
	switch {
	case strings.HasPrefix(line, "@@"):
		return huePlace
	case strings.HasPrefix(line, "-"):
		return hueRemoved
	case strings.HasPrefix(line, "+"):
		return hueAdded
	}
	return hueNone
}
