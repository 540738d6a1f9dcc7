package answer

import (
	"fmt"
	"time"
)

// TableHead writes the heads of the columns that go before each path of a listing. The path is
// last, so that its width doesn't matter.
func (t *Text) TableHead() {
	t.Paint(HueKey, fmt.Sprintf("%10s  %-16s  %s", "size", "modified", "name"))
	t.Line()
}

// LoadZone reads the time zone, which the kernel doesn't let a confined process do.
func LoadZone() { _, _ = time.Now().Zone() }

// Card writes what is known of one thing: a row for each value that isn't empty.
func (t *Text) Card(title string, rows [][2]string) {
	t.Paint(HueKey, "┌ ")
	t.Line(title)
	for _, row := range rows {
		if row[1] != "" {
			t.Paint(HueKey, fmt.Sprintf("│ %-9s ", row[0]))
			t.Line(row[1])
		}
	}
	t.Paint(HueKey, "└")
	t.Line()
}
