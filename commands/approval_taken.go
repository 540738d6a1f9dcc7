package commands

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"fsbox/sandbox/dir"
	"fsbox/textio"
	"fsbox/textio/diff"
)

// TakenPath is a file, link or folder that a change removes, or replaces by something else.
type TakenPath struct {
	Path string `json:"path"`
	Type string `json:"type"`          // file, directory, symlink or other
	Size int64  `json:"size,omitzero"` // of a file, in bytes
}

// losses are the files that a change removes or replaces and that the diff of the dry run doesn't
// show. Up to planBytes of their contents become a part of the plan's diff.
type losses struct {
	takes        []string // paths that go, with all that is in them
	over, source string   // the path that a move or a copy replaces, and the path of the new content; "" for none
	taken        []TakenPath
	unlisted     int   // how many names taken lacks
	bytes        int64 // bytes of contents that were read for the diff
	lines        int   // of lostText
	lostText     strings.Builder
}

// maxTaken is how many removed or replaced names a plan lists. The digest covers all of them.
const maxTaken = 10_000

// replaces notes that a move or a copy puts a file where another one is.
func (l *losses) replaces(from, to string, there bool) {
	if there {
		l.over, l.source = to, from
	}
}

// goes reports whether what is at a path is taken away or replaced.
func (l *losses) goes(path string) bool {
	return slices.Contains(l.takes, path) || l.over != "" && path == l.over
}

// lose lists one name that is removed or replaced, and adds its text to the diff.
func (e *Env) lose(ctx context.Context, p *Plan, path string, info dir.Info) {
	if len(p.taken) == maxTaken {
		p.unlisted++
		p.DiffCut = true
		return
	}
	one := TakenPath{Path: path, Type: info.Type()}
	if info.Mode.IsRegular() {
		one.Size = info.Size
		p.addDiff(e.lossOf(ctx, p, path, info))
	}
	p.taken = append(p.taken, one)
}

// lossOf is the diff for a file that is removed or replaced.
func (e *Env) lossOf(ctx context.Context, p *Plan, path string, info dir.Info) diff.Printed {
	c := textio.Contents{Path: path, Removed: path != p.over}
	var ok bool
	if c.Old, ok = e.lostContent(ctx, p, path, info.Size); ok && path == p.over {
		c.New, ok = e.arriving(ctx, p)
	}
	if !ok || p.lines >= planDiffLines {
		return diff.Printed{Truncated: true}
	}
	return c.Diff(planDiffLines - p.lines)
}

// arriving reads the new content of what is replaced.
func (e *Env) arriving(ctx context.Context, p *Plan) (content []byte, ok bool) {
	st, err := e.Workspace.Stat(inWorkspace(p.source))
	if err != nil || !st.Exists || p.Tool == "move" && st.IsLink() {
		return nil, false
	}
	size := st.Size
	if st.Target != nil {
		size = st.Target.Size
	}
	return e.lostContent(ctx, p, p.source, size)
}

// lostContent reads a file, unless the plan would then have read more than planBytes.
func (e *Env) lostContent(ctx context.Context, p *Plan, path string, size int64) (content []byte, ok bool) {
	if p.bytes += size; p.bytes > planBytes {
		p.bytes -= size
		return nil, false
	}
	f, err := e.Workspace.OpenFile(inWorkspace(path))
	if err != nil {
		return nil, false
	}
	defer f.Close()
	content, err = f.ReadAll(ctx, planBytes)
	return content, err == nil
}

// addDiff adds the diff of one more file.
func (p *Plan) addDiff(d diff.Printed) {
	p.lines += lineCount(d.Text)
	p.lostText.WriteString(d.Text)
	p.DiffCut = p.DiffCut || d.Truncated
}

// lossLine tells a person of one name that is removed or replaced.
func (p *Plan) lossLine(t TakenPath) string {
	if t.Path == p.over {
		return t.line("replaced")
	}
	return t.line("removed")
}

func (t TakenPath) line(verb string) string {
	switch t.Type {
	case "file":
		return fmt.Sprintf("%s: %s, %s", verb, t.Path, plural(t.Size, "byte"))
	case "directory":
		return verb + ": " + t.Path + "/"
	}
	return fmt.Sprintf("%s: %s, %s", verb, t.Path, kindWord(t.Type))
}
