package commands

import (
	"fmt"

	"fsbox/sandbox"
)

// note adds to the outcome what neither it nor the diff shows.
func (p *Plan) note(format string, args ...any) { p.Effect += "; " + fmt.Sprintf(format, args...) }

// noteFields notes the mode that a request sets.
func (p *Plan) noteFields(c *call) {
	for _, f := range c.fields {
		if f.name == "file_mode" && isGiven(c, f.name) {
			p.note("the mode of the file becomes %s", c.value.Field(f.index).String())
		}
	}
}

// noteModes notes files whose mode a patch changes.
func (p *Plan) noteModes(r *PatchResult) {
	for _, f := range r.Files {
		if f.Action == "mode" {
			p.note("the mode of %q changes", f.Path)
		}
	}
}

// notePath notes where a path leads, and how much is there that has no diff.
func (p *Plan) notePath(path string, st *sandbox.Stat) {
	switch {
	case st.LinkTarget != "":
		p.note("%q is a link to %q", path, st.LinkTarget)
	case st.Path != path:
		p.note("%q leads to %q", path, st.Path)
	}
	switch p.Tool {
	case "delete", "move", "copy":
		if st.Mode.IsRegular() && st.Exists {
			p.note("%q has %s now", path, plural(st.Size, "byte"))
		}
	}
}
