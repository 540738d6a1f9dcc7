package dialog

import (
	"fmt"
	"html"
	"strings"
)

// The size of a character in a picture, in pixels.
const (
	wide  = 8
	high  = 17
	frame = 10
)

// Picture draws the part of a screen that has a question, as SVG. columns is the width of the
// screen. It has text in it, so that it can be read out and searched.
func Picture(title string, screen []string, columns int) string {
	screen = screen[max(0, firstRow(screen)-1):]
	for len(screen) > 0 && strings.TrimSpace(screen[len(screen)-1]) == "" {
		screen = screen[:len(screen)-1]
	}
	width, height := columns*wide+2*frame, len(screen)*high+2*frame
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, "<title>%s</title>\n", html.EscapeString(title))
	fmt.Fprintf(&b, `<rect width="%d" height="%d" rx="6" fill="#1e1e1e"/>`+"\n", width, height)
	fmt.Fprintf(&b, `<g font-family="ui-monospace,Menlo,Consolas,monospace" font-size="13" fill="#d4d4d4" xml:space="preserve">`+"\n")
	for i, row := range screen {
		if row = strings.TrimRight(row, " "); row != "" {
			fmt.Fprintf(&b, `<text x="%d" y="%d" textLength="%d">%s</text>`+"\n", frame, frame+i*high+13, len([]rune(row))*wide, html.EscapeString(row))
		}
	}
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}
