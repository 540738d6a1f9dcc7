package commands

import (
	"fmt"
	"time"
)

// tableHead writes the heads of the columns that go before each path of a listing. The path is
// last, so that its width doesn't matter.
func (t *text) tableHead() {
	t.paint(hueKey, fmt.Sprintf("%10s  %-16s  %s", "size", "modified", "name"))
	t.line()
}

// loadZone reads the time zone, which the kernel doesn't let a confined process do.
func loadZone() { _, _ = time.Now().Zone() }

// card writes what is known of one thing: a row for each value that isn't empty.
func (t *text) card(title string, rows [][2]string) {
	t.paint(hueKey, "┌ ")
	t.line(title)
	for _, row := range rows {
		if row[1] != "" {
			t.paint(hueKey, fmt.Sprintf("│ %-9s ", row[0]))
			t.line(row[1])
		}
	}
	t.paint(hueKey, "└")
	t.line()
}
