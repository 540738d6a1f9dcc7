package commands

import (
	"fmt"
	"strings"
	"time"
)

// tableHead writes the heads of the columns that go before each path of a listing. The path is
// last, so that its width doesn't matter.
func (t *text) tableHead() {
	t.paint(hueKey, fmt.Sprintf("%10s  %-16s  %s", "size", "modified", "name"))
	t.line()
}

func (t *text) columns(e LsEntry) {
	size := sizeText(e.Size)
	if e.Type != "file" {
		size = "-"
	}
	t.add(fmt.Sprintf("%10s  %s  ", size, localTime(e.Modified, "2006-01-02 15:04")))
}

// sizeText is a size for people to read: to three or four digits.
func sizeText(bytes int64) string {
	if bytes < 1<<10 {
		return formatInt(bytes) + " B"
	}
	const units = "KMGTPE"
	size, unit := float64(bytes)/(1<<10), 0
	for ; size >= 999.95 && unit+1 < len(units); unit++ {
		size /= 1 << 10
	}
	return fmt.Sprintf("%.1f %ciB", size, units[unit])
}

// localTime is a time in seconds since 1970 as a person's clock shows it.
func localTime(seconds float64, layout string) string {
	return time.UnixMicro(int64(seconds * 1e6)).Format(layout)
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

// rows are the rows of the card.
func (r *InfoResult) rows() [][2]string {
	kind := list(*r.Type, deref(r.MediaType))
	if r.Target != nil {
		kind += r.leadsTo()
	}
	size, names := sizeText(*r.Size), ""
	if *r.Size >= 1<<10 {
		size += " (" + plural(*r.Size, "byte") + ")"
	}
	if *r.Type == "directory" {
		size = ""
	}
	if r.HardLinks != nil && *r.HardLinks > 1 {
		names = plural(int64(*r.HardLinks), "hard link")
	}
	rows := [][2]string{
		{"type", kind}, {"size", size}, {"modified", localTime(*r.Modified, "2006-01-02 15:04:05 -07:00")}, {"mode", r.access()},
		{"links", names},
	}
	if r.Text != nil {
		rows = append(rows, [2]string{"text", r.Text.sentence()})
	}
	return append(rows, [2]string{"etag", deref(r.Etag)}, [2]string{"sha256", deref(r.SHA256)}, [2]string{"on disk", deref(r.AbsolutePath)})
}

// leadsTo tells of the target of a symbolic link.
func (r *InfoResult) leadsTo() string {
	suffix := linkSuffix(deref(r.LinkTarget))
	if *r.Target == nil {
		return suffix + " (nothing there)"
	}
	return suffix + " (" + (*r.Target).Type + ")"
}

// access tells who may do what.
func (r *InfoResult) access() string {
	parts := []string{*r.Mode}
	if r.IsReadable {
		parts = append(parts, "readable")
	}
	if r.IsWritable {
		parts = append(parts, "writable")
	}
	return list(parts...)
}

// sentence describes a text.
func (f *TextFacts) sentence() string {
	parts := []string{plural(f.Lines, "line"), f.Encoding}
	if f.BOM {
		parts = append(parts, "byte order mark")
	}
	if f.EOL != "none" {
		parts = append(parts, "line ends "+f.EOL)
	}
	if f.Indent != "none" {
		parts = append(parts, "indent "+f.Indent)
	}
	if !f.FinalNewline && f.Lines > 0 {
		parts = append(parts, "no line end at its end")
	}
	return list(parts...)
}

// list joins what isn't empty.
func list(parts ...string) string {
	var some []string
	for _, p := range parts {
		if p != "" {
			some = append(some, p)
		}
	}
	return strings.Join(some, ", ")
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
