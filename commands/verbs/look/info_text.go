package look

import (
	"fsbox/commands/answer"
	"fsbox/commands/words"
)

// WriteText writes what is known of a path.
func (r *InfoResult) WriteText(t *answer.Text, a answer.Answer) {
	switch {
	case r.Exists && t.People():
		t.Card(words.Exact(r.Path), r.rows())
	case r.Exists:
		t.Facts(r)
	default:
		t.Line("path: ", words.Exact(r.Path))
		t.Line("exists: false")
	}
	t.Note(a.Hint)
}

// rows are the rows of the card.
func (r *InfoResult) rows() [][2]string {
	kind := words.List(*r.Type, words.Deref(r.MediaType))
	if r.Target != nil {
		kind += r.leadsTo()
	}
	size, names := words.Size(*r.Size), ""
	if *r.Size >= 1<<10 {
		size += " (" + words.Plural(*r.Size, "byte") + ")"
	}
	if *r.Type == "directory" {
		size = ""
	}
	if r.HardLinks != nil && *r.HardLinks > 1 {
		names = words.Plural(int64(*r.HardLinks), "hard link")
	}
	rows := [][2]string{
		{"type", kind}, {"size", size}, {"modified", words.LocalTime(*r.Modified, "2006-01-02 15:04:05 -07:00")}, {"mode", r.access()},
		{"links", names},
	}
	if r.Text != nil {
		rows = append(rows, [2]string{"text", r.Text.sentence()})
	}
	return append(rows, [2]string{"etag", words.Deref(r.Etag)},
		[2]string{"sha256", words.Deref(r.SHA256)}, [2]string{"on disk", words.Deref(r.AbsolutePath)})
}

// leadsTo tells of the target of a symbolic link.
func (r *InfoResult) leadsTo() string {
	suffix := answer.LinkSuffix(words.Deref(r.LinkTarget))
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
	return words.List(parts...)
}

// sentence describes a text.
func (f *TextFacts) sentence() string {
	parts := []string{words.Plural(f.Lines, "line"), f.Encoding}
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
	return words.List(parts...)
}
