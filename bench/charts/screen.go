package main

import (
	"fmt"
	"strings"
)

const (
	cellWidth, lineHeight = 8.43, 19.0 // pixels, of the type below
	screenTop, screenLeft = 52.0, 20.0
	mono                  = `ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace`
)

// screenshot draws what a terminal shows.
func screenshot(shown string, t theme) string {
	lines := strings.Split(strings.TrimSuffix(shown, "\n"), "\n")
	d := &drawing{theme: t, width: 2*screenLeft + columns*cellWidth, height: screenTop + lineHeight*float64(len(lines)) + 8}
	d.paper = t.window
	fmt.Fprintf(&d.b, `<path d="M0 32H%.1f" stroke="%s"/>`+"\n", d.width, t.title)
	for i, colour := range []string{"#ff5f57", "#febc2e", "#28c840"} {
		fmt.Fprintf(&d.b, `<circle cx="%d" cy="16" r="5.5" fill="%s"/>`+"\n", 22+20*i, colour)
	}
	d.words(d.width/2, 21, 13, "middle", d.faint, "export FSBOX_FORMAT=pretty FSBOX_ALLOW_WRITE=1")
	fmt.Fprintf(&d.b, `<g font-family="%s" font-size="14" xml:space="preserve">`+"\n", mono)
	for i, line := range lines {
		d.terminalLine(screenTop+lineHeight*float64(i), line)
	}
	d.b.WriteString("</g>\n")
	return d.done("A session at a terminal")
}

// terminalLine writes a line with the colours that it was shown in. A cell is as wide whatever type
// the reader has: each part says where it begins and how long it is.
func (d *drawing) terminalLine(y float64, line string) {
	column := 0
	for _, part := range painted(line) {
		text := strings.ReplaceAll(part.text, "\t", "    ")
		length := len([]rune(text))
		if strings.TrimSpace(text) != "" {
			fmt.Fprintf(&d.b, `<text x="%.1f" y="%.0f" textLength="%.1f" fill="%s">%s</text>`+"\n", screenLeft+cellWidth*float64(column), y,
				cellWidth*float64(length), d.colour(part.code), escape(text))
		}
		column += length
	}
}

// part is text in one colour: the number of its escape sequence.
type part struct{ code, text string }

// painted cuts a line where its colour changes.
func painted(line string) (parts []part) {
	code := "0"
	for line != "" {
		text, rest, more := strings.Cut(line, "\x1b[")
		if text != "" {
			parts = append(parts, part{code, text})
		}
		if !more {
			break
		}
		code, line, _ = strings.Cut(rest, "m")
	}
	return parts
}

func (d *drawing) colour(code string) string {
	switch code {
	case "31":
		return d.red
	case "32":
		return d.green
	case "33":
		return d.yellow
	case "34":
		return d.blue
	case "35":
		return d.magenta
	case "36":
		return d.cyan
	}
	return d.ink
}
