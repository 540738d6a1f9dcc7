package commands

import (
	"context"
	"fmt"
	"io"
	"reflect"
	"strings"

	"fsbox/sandbox"
	"fsbox/sandbox/history"
	"fsbox/textio/diff"
)

// Plan is what a request would change, as somebody who has to approve it gets to see it.
type Plan struct {
	Tool     string
	Effect   string   // one sentence
	Paths    []string // that would change, relative to the root
	Diff     string   // unified
	DiffCut  bool     // the diff is longer than planDiffLines or planBytes, or can't be made
	Warnings []string // of the dry run

	digest  digest
	changes bool
	cut     bool                      // not all paths are in Paths
	tree    bool                      // the change is of a folder with all that is in it
	read    []string                  // paths that are only read: the source of a copy
	changed []string                  // Paths, and where their links lead
	undoes  string                    // of an undo: IDs of the calls that it takes back
	etags   map[string]string         // of files at Paths and read
	agreed  map[string]sandbox.Agreed // state of what Paths and read lead to: the change is made only there, and only in this state
	notes   int
	losses
}

// The bounds of the diff in a plan. The digest covers all of that diff. What the bounds cut off is
// determined by the request and the state of the files, which the digest covers, too.
const (
	planDiffLines = 50_000
	planBytes     = 4 << 20
)

// maxPlanTries is how often a plan is made before the call fails: it is made again if a file
// changed while it was made.
const maxPlanTries = 4

// plan finds out what a call would do.
func (e *Env) plan(ctx context.Context, c *call) (*Plan, error) {
	if err := e.loadTexts(ctx, c); err != nil {
		return nil, err
	}
	for range maxPlanTries {
		p, etags, err := e.dryRun(ctx, c)
		if err != nil {
			return nil, err
		}
		if err := e.seal(ctx, c, p); err != nil {
			return nil, err
		}
		if p.agrees(etags) {
			return p, nil
		}
	}
	return nil, failf(CodeBusy, "the files change all the time, so what %s would do can't be told", c.tool.Name)
}

// loadTexts puts a content or patch from a file or stdin into the request: stdin can be read only
// once, and what is written must be what was approved.
func (e *Env) loadTexts(ctx context.Context, c *call) (err error) {
	switch r := c.request.(type) {
	case *Write:
		return e.loadContent(ctx, r.content())
	case *Append:
		return e.loadContent(ctx, r.content())
	case *Patch:
		var text []byte
		if text, err = r.text(ctx, e); err == nil {
			r.Patch, r.PatchFile = string(text), ""
		}
	}
	return err
}

// dryRun carries out a copy of the request as a dry run. etags are the etags in its answer, by
// path.
func (e *Env) dryRun(ctx context.Context, c *call) (p *Plan, etags map[string]string, err error) {
	scratch := *e
	scratch.warnings = nil
	scratch.Limits.MaxOutputBytes, scratch.Limits.diffLines = planBytes, planDiffLines
	request := reflect.New(c.value.Type())
	request.Elem().Set(c.value)
	for _, f := range c.fields {
		if f.name == "dry_run" || f.name == "diff" {
			request.Elem().Field(f.index).SetBool(true)
		}
	}
	var result Result
	if m, ok := request.Interface().(*Mkdir); ok {
		result, err = m.preview(&scratch)
	} else {
		result, err = request.Interface().(Request).Run(ctx, &scratch)
	}
	if err != nil {
		return nil, nil, err
	}
	p = &Plan{Tool: c.tool.Name, Effect: strings.TrimSuffix(result.Summary(), dryRun(true)), Paths: []string{}, Warnings: scratch.warnings}
	return p, p.take(result), nil
}

// preview is the dry run of a mkdir, which has no field dry_run.
func (m *Mkdir) preview(env *Env) (Result, error) {
	path, err := env.Workspace.Clean(m.Path)
	if err != nil {
		return nil, err
	}
	st, err := env.Workspace.Stat(m.Path)
	return &MkdirResult{Path: path, Created: err == nil && !st.Exists}, err
}

// take fills a plan from the answer of a dry run, and returns the etags in it.
func (p *Plan) take(result Result) (etags map[string]string) {
	etags = map[string]string{}
	switch r := result.(type) {
	case *WriteResult:
		p.Paths, p.changes, etags[r.Path] = []string{r.Path}, r.Changed, r.Etag
		p.noteModes(r.modes)
		p.takeDiff(r.ShownDiff)
	case *AppendResult:
		p.Paths, p.changes, etags[r.Path] = []string{r.Path}, r.BytesAppended > 0 || !r.ExistedBefore, r.Etag
		p.takeDiff(r.ShownDiff)
	case *EditResult:
		p.Paths, p.changes, etags[r.Path] = []string{r.Path}, r.Changed, r.Etag
		p.takeDiff(r.ShownDiff)
	case *PatchResult:
		p.Paths, p.changes = r.paths, true
		p.noteModes(r.modes)
		p.takeDiff(r.ShownDiff)
	default:
		p.takeNames(result)
	}
	return etags
}

// takeNames is take for the verbs that change names.
func (p *Plan) takeNames(result Result) {
	p.changes = true
	switch r := result.(type) {
	case *MkdirResult:
		p.Paths, p.changes = []string{r.Path}, r.Created
	case *DeleteResult:
		p.Paths, p.takes = []string{r.Path}, []string{r.Path}
	case *MoveResult:
		p.Paths = []string{r.From, r.To}
		p.replaces(r.From, r.To, r.Replaced)
	case *CopyResult:
		p.Paths, p.read = []string{r.To}, []string{r.From}
		p.replaces(r.From, r.To, r.Replaced)
	case *UndoResult:
		p.undoes = strings.Join(mapped(r.undid, func(e *history.Entry) string { return e.ID }), " ")
		p.Paths, p.takes = r.paths, r.removed
		p.noteModes(r.modes)
		p.takeEnds(r)
		p.takeDiff(r.ShownDiff)
	default:
		p.cut = true // an unknown type of result: approve_allow must not let it through
	}
}

// takeEnds adds the other paths of the calls that an undo takes back. The undo locks them as well,
// even where the calls together change nothing there.
func (p *Plan) takeEnds(r *UndoResult) {
	known := map[string]bool{"": true}
	for _, path := range p.Paths {
		known[path] = true
	}
	for _, b := range r.undid {
		for _, f := range b.Files {
			p.tree = p.tree || f.Mode.IsDir()
			for _, path := range [...]string{f.Path, f.From} {
				if !known[path] {
					p.Paths, known[path] = append(p.Paths, path), true
				}
			}
		}
	}
}

// takeDiff takes the diff of a dry run, which is always asked for one.
func (p *Plan) takeDiff(d ShownDiff) { p.Diff, p.DiffCut = *d.Diff, *d.DiffTruncated }

// agrees reports whether the files are those that the dry run saw: their etags are the ones of its
// answer.
func (p *Plan) agrees(etags map[string]string) bool {
	for path, etag := range etags {
		if found, ok := p.etags[path]; ok && found != etag {
			return false
		}
	}
	return true
}

// pin makes a request name what its plan was made for: an undo of the newest call becomes an
// undo of the call that was the newest when the plan was made.
func (p *Plan) pin(c *call) {
	if u, ok := c.request.(*Undo); ok && u.BackupID == "" && c.text("since") == "" {
		u.BackupID = p.undoes
	}
}

// writeCanonical writes a value of a request so that different values are different text.
func writeCanonical(w io.Writer, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			io.WriteString(w, "nil")
			return
		}
		io.WriteString(w, "&")
		writeCanonical(w, v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			fmt.Fprintf(w, "%q:", v.Type().Field(i).Name)
			writeCanonical(w, v.Field(i))
		}
	case reflect.Slice:
		fmt.Fprintf(w, "[%d]", v.Len())
		for i := range v.Len() {
			writeCanonical(w, v.Index(i))
			io.WriteString(w, ",")
		}
	case reflect.String:
		fmt.Fprintf(w, "%q", v.String())
	default:
		fmt.Fprintf(w, "%v", v.Interface())
	}
}

// proposal is what an answer says about a plan, as far as it fits into maxBytes.
func (p *Plan) proposal(maxBytes int64) Proposal {
	budget := newBudget(maxBytes)
	paths := append([]string{}, fitting(budget, p.Paths)...)
	taken := fitting(budget, p.taken)
	shown := cutDiff(diff.Printed{Text: p.Diff, Truncated: p.DiffCut}, budget)
	return Proposal{Tool: p.Tool, Effect: p.Effect, Paths: paths, PathsTruncated: len(paths) < len(p.Paths), Taken: taken,
		TakenTruncated: p.unlisted > 0 || len(taken) < len(p.taken), Diff: shown.Text, DiffTruncated: shown.Truncated}
}
