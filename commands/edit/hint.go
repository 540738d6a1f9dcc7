package edit

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"fsbox/commands/change"
	"fsbox/commands/words"
	"fsbox/search/match"
	"fsbox/textio"
	"fsbox/textio/charset"
	"fsbox/textio/edit"
	"fsbox/textio/lines"
	"fsbox/textio/nearest"
)

// causeOfMiss says why an expected text isn't found, if the file as a whole or the expected text by
// itself shows the reason, and what to do about it; else it is "".
func causeOfMiss(miss *edit.MatchNotFoundError, text []byte, edits []edit.Edit) string {
	asked := edits[miss.Edit].Expected
	elision, omits := leavesOut(asked, text)
	closest := ""
	if len(miss.Closest) > 0 {
		closest = miss.Closest[0].Text
	}
	switch {
	case miss.Edit > 0 && miss.NextToWord == 0 && bytes.Contains(lines.WithLF(text), lines.WithLF(asked)):
		return fmt.Sprintf("it was in the file before this call, and %s has changed it: omit this edit, or give the text as "+
			"the edits before it leave it", changedBy(edits[:miss.Edit], asked))
	case len(bytes.TrimSpace(bytes.TrimPrefix(text, []byte(charset.BOM)))) == 0:
		return emptiness(text) + "; fill it with write and mode overwrite"
	case textio.Mixes(text, asked): // the file isn't UTF-8, and the bytes of both are compared
		return "the file isn't valid UTF-8, so text that isn't ASCII can't be compared with it: choose an expected text " +
			"in ASCII, or replace the file with write and encoding"
	case omits:
		return words.Phrase("the expected text has %q in place of omitted lines: give all lines, or use one edit for each part", elision)
	case endsInCR(text, asked),
		strings.Contains(closest, "\r") && !bytes.Contains(asked, []byte("\r")) && change.MangleOf(miss.Reason).Expected == "":
		return change.HintLoneCR + ": write it as \\r, also in the replacement, or replace the file with write and eol lf"
	case !bytes.Contains(asked, []byte("\n")) && match.LooksLikeRegex(string(asked), closest) &&
		(miss.Reason == "" || miss.Reason == nearest.Content):
		return "the expected text is literal text, not a regular expression: give it as it is in the file; " + missHint(miss)
	}
	return ""
}

// emptiness says what a text without any words has.
func emptiness(text []byte) string {
	if len(text) > 0 && string(text) != charset.BOM {
		return "the file has only blanks and line ends"
	}
	return "the file is empty"
}

// endsInCR reports whether a text has an expected text of several lines where a CR ends each.
func endsInCR(text, asked []byte) bool {
	return bytes.Contains(asked, lines.LF) && bytes.IndexByte(text, '\r') >= 0 &&
		bytes.Contains(text, bytes.ReplaceAll(lines.WithLF(asked), lines.LF, []byte("\r")))
}

// changedBy names the last of some edits whose expected text was a part of another, or had it as a
// part.
func changedBy(edits []edit.Edit, asked []byte) string {
	for i, e := range slices.Backward(edits) {
		if bytes.Contains(e.Expected, asked) || bytes.Contains(asked, e.Expected) {
			return fmt.Sprintf("edits[%d]", i)
		}
	}
	return "an earlier edit"
}

// leavesOut finds a placeholder for lines left out, such as "...", that an expected text has and
// the file doesn't have.
func leavesOut(expected, text []byte) (line string, found bool) {
	for line := range bytes.Lines(expected) {
		dots := string(bytes.TrimSpace(line))
		if (dots == "..." || dots == "…") && !hasLine(text, dots) {
			return dots, true
		}
	}
	elision, found := textio.FindElision(nil, expected, text)
	return elision.Text, found
}

// hasLine reports whether a line of a text is want, with or without blanks around it.
func hasLine(text []byte, want string) bool {
	for line := range bytes.Lines(text) {
		if string(bytes.TrimSpace(line)) == want {
			return true
		}
	}
	return false
}

// missHint says what to do, which depends on how the nearest text differs.
func missHint(miss *edit.MatchNotFoundError) string {
	mangle := change.MangleOf(miss.Reason).Expected
	switch {
	case len(miss.Closest) == 0 && mangle != "":
		return mangle
	case miss.NextToWord > 0:
		return fmt.Sprintf("it is in %s, each time with a letter, digit or _ right before or after it, as details.closest shows: omit "+
			"whole_word to change it there",
			words.Plural(int64(miss.NextToWord), "place"))
	case miss.AlreadyApplied && len(miss.Closest) == 0:
		return "nothing in the file is similar, and the replacement occurs once: the edit may have been made before"
	case miss.AlreadyApplied:
		return "the replacement is in the file once: look there, the edit may have been made before; otherwise " + closestHint(miss)
	case len(miss.Closest) == 0 && miss.Lenient != "":
		return fmt.Sprintf("it is found by match %q: set match to lenient, or read the file and copy the text from there", miss.Lenient)
	case len(miss.Closest) == 0:
		return "nothing in the file is similar: read the file and copy the text from there, or find the right file with grep"
	}
	return closestHint(miss)
}

// closestHint says how the nearest text differs, and whether a lenient edit would take it.
func closestHint(miss *edit.MatchNotFoundError) string {
	if mangle := change.MangleOf(miss.Reason).Expected; mangle != "" {
		return mangle + "; " + differenceHint(miss)
	}
	if miss.Lenient == "" {
		return differenceHint(miss)
	}
	return differenceHint(miss) + ", or set match to lenient"
}

// differenceHint says how the nearest text differs.
func differenceHint(miss *edit.MatchNotFoundError) string {
	best := miss.Closest[0]
	if miss.Reason == nearest.Content && miss.GoesOn {
		return fmt.Sprintf("line %d continues where the expected text ends it: include the whole line, also in the replacement, or omit "+
			"the line end from both",
			best.Difference.Line)
	}
	switch line := best.Difference.Line; {
	case miss.BlankSent:
		return fmt.Sprintf("the expected text has an extra blank line, where line %d is: remove it, also from the replacement", line)
	case miss.BlankFound:
		return fmt.Sprintf("line %d is blank, and the expected text lacks it: %s", line, copyFrom(best))
	}
	at, s := words.Lines(best.StartLine, best.EndLine), ""
	if best.EndLine == best.StartLine {
		s = "s"
	}
	only := map[string]string{
		nearest.Indentation:    "in indentation",
		nearest.TrailingBlanks: "in trailing blanks",
		nearest.Blanks:         "in blanks",
		nearest.Unicode:        "in quotes, dashes, special blanks or the form of accents",
		nearest.Case:           "in case",
	}[miss.Reason]
	switch {
	case only == "" && best.Truncated:
		return at + " come" + s + " closest: see details.closest, then " + copyFrom(best)
	case only == "":
		return at + " come" + s + " closest: see details.closest, then copy the text from there"
	case miss.Reason == nearest.Indentation:
		return at + " differ" + s + " only " + only + ": " + copyFrom(best) + ", tabs and blanks as they are"
	}
	return at + " differ" + s + " only " + only + ": " + copyFrom(best)
}

// copyFrom says where all of the nearest text is: in the answer or only in the file.
func copyFrom(best nearest.Match) string {
	if best.Truncated {
		return fmt.Sprintf("read the file from line %d on, and copy the text from there", best.StartLine)
	}
	return "copy details.closest[0].text"
}
