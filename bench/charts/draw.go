package main

import (
	"encoding/xml"
	"fmt"
	"strings"
)

// theme is the colours of a picture.
type theme struct {
	name                         string
	paper, ink, faint, line      string
	ours, slower, peer           string
	red, green, yellow, blue     string
	magenta, cyan, window, title string
}

func light() theme {
	return theme{
		name: "light", paper: "#ffffff", ink: "#1f2328", faint: "#59636e", line: "#8c959f",
		ours: "#0969da", slower: "#bc4c00", peer: "#b6bfc9",
		red: "#cf222e", green: "#116329", yellow: "#8a5a00", blue: "#0550ae", magenta: "#8250df", cyan: "#1b7c83",
		window: "#f6f8fa", title: "#d1d9e0",
	}
}

func dark() theme {
	return theme{
		name: "dark", paper: "#0d1117", ink: "#e6edf3", faint: "#9198a1", line: "#6e7681",
		ours: "#4493f8", slower: "#db6d28", peer: "#545d68",
		red: "#ff7b72", green: "#3fb950", yellow: "#d29922", blue: "#79c0ff", magenta: "#d2a8ff", cyan: "#56d4dd",
		window: "#151b23", title: "#3d444d",
	}
}

// drawing is an SVG under way. Lengths are in pixels, y is down.
type drawing struct {
	theme
	width, height float64
	b             strings.Builder
}

const sans = `-apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif`

func (d *drawing) bar(x, y, width, height float64, colour string) {
	fmt.Fprintf(&d.b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="2" fill="%s"/>`+"\n", x, y, max(width, 1), height, colour)
}

// words writes text; anchor is start, middle or end.
func (d *drawing) words(x, y, size float64, anchor, colour, text string) {
	fmt.Fprintf(&d.b, `<text x="%.1f" y="%.1f" font-size="%.0f" text-anchor="%s" fill="%s">%s</text>`+"\n",
		x, y, size, anchor, colour, escape(text))
}

func (d *drawing) heading(title, subtitle string) {
	fmt.Fprintf(&d.b, `<text x="16" y="30" font-size="17" font-weight="600" fill="%s">%s</text>`+"\n", d.ink, escape(title))
	d.words(16, 50, 13, "start", d.faint, subtitle)
}

// done is the whole picture. Its title is read to those who don't see it.
func (d *drawing) done(title string) string {
	const form = `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]g" height="%[2]g" viewBox="0 0 %[1]g %[2]g" role="img" font-family="%[3]s">`
	head := fmt.Sprintf(form, d.width, d.height, sans)
	return head + "\n<title>" + escape(title) + "</title>\n" +
		fmt.Sprintf(`<rect width="%g" height="%g" rx="8" fill="%s"/>`, d.width, d.height, d.paper) + "\n" + d.b.String() + "</svg>\n"
}

func escape(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a Builder takes everything
	return b.String()
}
