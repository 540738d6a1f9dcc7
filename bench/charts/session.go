package main

import (
	_ "embed"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/creack/pty"

	"fsbox/bench/results"
)

const (
	columns               = 76         // of the terminal
	cellWidth, lineHeight = 8.43, 19.0 // pixels, of the type below
	screenTop, screenLeft = 52.0, 20.0
)

// script runs the commands of the session.
//
//go:embed session.sh
var script string

// window is a picture of a terminal, to its first line.
//
//go:embed window.svg
var window string

// session runs the script at a terminal, and gives what it shows.
func session(clone string) (shown string, err error) {
	folder, err := os.MkdirTemp("", "fsbox-picture-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(folder)
	project := filepath.Join(folder, "project")
	if err := errors.Join(os.Mkdir(project, 0o755), results.Build(clone, filepath.Join(folder, "fsbox"))); err != nil {
		return "", err
	}
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir = project
	cmd.Env = []string{"HOME=" + folder, "PATH=" + folder + ":" + os.Getenv("PATH"), "TERM=xterm", "TZ=UTC", "FSBOX_FORMAT=pretty",
		"FSBOX_ALLOW_WRITE=1"}
	keyboard, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: columns})
	if err != nil {
		return "", err
	}
	defer keyboard.Close()
	text, err := io.ReadAll(keyboard)
	if !errors.Is(err, syscall.EIO) { // which is how it ends when nobody has the terminal any more
		return "", errors.Join(err, errors.New("the terminal was closed"))
	}
	return strings.ReplaceAll(strings.TrimSpace(string(text)), "\r\n", "\n"), cmd.Wait()
}

// screenshot draws what a terminal shows.
func screenshot(shown string, c colours) string {
	lines := strings.Split(shown, "\n")
	width, height := 2*screenLeft+columns*cellWidth, screenTop+lineHeight*float64(len(lines))+8
	var b strings.Builder
	fmt.Fprintf(&b, window, width, height, c.window, width, c.title, c.faint)
	for i, line := range lines {
		c.terminalLine(&b, screenTop+lineHeight*float64(i), strings.ReplaceAll(line, "\t", "    "))
	}
	return b.String() + "</svg>\n"
}

// terminalLine writes a line with the colours that it was shown in. A cell is as wide whatever type
// the reader has: each part says where it begins and how long it is.
func (c colours) terminalLine(b *strings.Builder, y float64, line string) {
	column := 0
	for i, part := range strings.Split(line, "\x1b[") {
		colour, text := c.ink, part
		if code, rest, found := strings.Cut(part, "m"); i > 0 && found {
			if text = rest; c.codes[code] != "" {
				colour = c.codes[code]
			}
		}
		length := len([]rune(text))
		if strings.TrimSpace(text) != "" {
			fmt.Fprintf(b, `<text x="%.1f" y="%.0f" textLength="%.1f" fill="%s">`, screenLeft+cellWidth*float64(column), y,
				cellWidth*float64(length), colour)
			_ = xml.EscapeText(b, []byte(text)) // a Builder takes everything
			b.WriteString("</text>\n")
		}
		column += length
	}
}
