package commands

// writeText writes what is known of a path.
func (r *InfoResult) writeText(t *text, a answer) {
	switch {
	case r.Exists && t.people():
		t.card(exactText(r.Path), r.rows())
	case r.Exists:
		t.facts(r)
	default:
		t.line("path: ", exactText(r.Path))
		t.line("exists: false")
	}
	t.note(a.Hint)
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
