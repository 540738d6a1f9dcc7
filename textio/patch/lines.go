package patch

import (
	"bytes"
	"slices"

	"fsbox/textio/charset"
	"fsbox/textio/lines"
)

// patchLines is the text of a patch cut into lines, without their line feeds. Indexes are from 0,
// line numbers in errors from 1.
type patchLines [][]byte

// splitPatch cuts text into lines. If the patch has gone through a program that writes CRLF
// everywhere, its own lines too, the carriage returns say nothing about the file and are dropped.
func splitPatch(text []byte) patchLines {
	text = bytes.TrimPrefix(text, []byte(charset.BOM))
	list := make(patchLines, 0, bytes.Count(text, lines.LF)+1)
	for line := range bytes.Lines(text) {
		list = append(list, bytes.TrimSuffix(line, lines.LF))
	}
	if list.wereConverted() {
		for i, line := range list {
			list[i] = bytes.TrimSuffix(line, []byte("\r"))
		}
	}
	return list
}

// wereConverted reports whether the patch's own lines end with a carriage return, by the first of
// them, a marker or header.
func (l patchLines) wereConverted() bool {
	for _, line := range l {
		if isPatchMarker(line) || hasAnyPrefix(line, "diff --git ", "--- ", "+++ ", "@@") {
			return bytes.HasSuffix(line, []byte("\r"))
		}
	}
	return false
}

// at returns line i, or an empty one after the end.
func (l patchLines) at(i int) []byte {
	if i >= len(l) {
		return nil
	}
	return l[i]
}

func (l patchLines) has(i int, prefix string) bool { return hasPrefix(l.at(i), prefix) }

func (l patchLines) isBlank(i int) bool { return len(bytes.TrimSpace(l.at(i))) == 0 }

// nextText returns the next line from i on that isn't blank, or the end.
func (l patchLines) nextText(i int) int {
	for i < len(l) && l.isBlank(i) {
		i++
	}
	return i
}

// isWrapping reports whether line i closes what was put around a patch: a fence, the last line of
// the Begin Patch form, or, near the end, of a here document.
func (l patchLines) isWrapping(i int) bool {
	if l.has(i, "```") || l.has(i, "~~~") || isEndMarker(l.at(i)) {
		return true
	}
	word := bytes.TrimRight(l.at(i), " \t\r\"')")
	if len(word) == 0 || len(l)-i > 4 {
		return false
	}
	return len(bytes.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_")) == 0 // EOF, PATCH, END_PATCH
}

func hasPrefix(line []byte, prefix string) bool {
	return len(line) >= len(prefix) && string(line[:len(prefix)]) == prefix
}

func hasAnyPrefix(line []byte, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return hasPrefix(line, prefix) })
}

// isNoNewlineMark reports whether line says that the one before it has no line
// feed. The words vary with the language of the program that wrote it.
func isNoNewlineMark(line []byte) bool { return hasPrefix(line, `\ `) }
