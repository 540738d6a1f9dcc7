package commands

import (
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"reflect"
	"slices"
	"strings"

	"fsbox/sandbox"
	"fsbox/sandbox/dir"
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
	cut     bool     // Paths lacks some
	tree    bool     // the change is about a folder with all that is in it
	read    []string // paths that only determine what the change is
	changed []string // Paths, and where links on them lead
	places  []string // where Paths and read lead, links resolved: nothing else may be changed
	pins    map[string]pin
	undoes  string // of an undo: the calls that it takes back
}

// pin is what a plan found at a path.
type pin struct {
	absent bool
	etag   string // of a file; "" for anything else
}

// What a plan shows at most of a diff. The digest covers all of what is shown, and through the
// request and the state of the files also the rest.
const (
	planDiffLines = 50_000
	planBytes     = 4 << 20
)

// maxPlanTries is how often a plan is made anew because a file changed meanwhile.
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

// loadTexts puts a content or patch from a file or stdin into the request: it can be read only
// once, and what is approved must be what is written.
func (e *Env) loadTexts(ctx context.Context, c *call) (err error) {
	switch r := c.request.(type) {
	case *Write:
		return r.loadContent(ctx, e)
	case *Append:
		w := Write{Content: r.Content, ContentFile: r.ContentFile, Encoding: r.Encoding}
		err = w.loadContent(ctx, e)
		r.Content, r.ContentFile = w.Content, w.ContentFile
	case *Patch:
		var text []byte
		if text, err = r.text(ctx, e); err == nil {
			r.Patch, r.PatchFile = string(text), ""
		}
	}
	return err
}

// dryRun carries out a copy of the request that changes nothing. etags are those that the answer
// has, by path.
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

// preview tells what a mkdir would do.
func (m *Mkdir) preview(env *Env) (Result, error) {
	path, err := env.Workspace.Clean(m.Path)
	if err != nil {
		return nil, err
	}
	st, err := env.Workspace.Stat(m.Path)
	return &MkdirResult{Path: path, PathBase64: base64Name(path), Created: err == nil && !st.Exists}, err
}

// take fills a plan from the answer of a dry run, and returns the etags in it.
func (p *Plan) take(result Result) (etags map[string]string) {
	etags = map[string]string{}
	switch r := result.(type) {
	case *WriteResult:
		p.Paths, p.changes, etags[r.Path] = []string{r.Path}, r.Changed, r.Etag
		p.takeDiff(r.Diff, r.DiffTruncated)
	case *AppendResult:
		p.Paths, p.changes, etags[r.Path] = []string{r.Path}, r.BytesAppended > 0 || !r.ExistedBefore, r.Etag
		p.takeDiff(r.Diff, r.DiffTruncated)
	case *EditResult:
		p.Paths, p.changes, etags[r.Path] = []string{r.Path}, r.Changed, r.Etag
		p.takeDiff(r.Diff, r.DiffTruncated)
	case *PatchResult:
		p.changes, p.cut = true, r.FilesTruncated
		for _, f := range r.Files {
			if f.From != "" {
				p.Paths = append(p.Paths, f.From)
			}
			p.Paths = append(p.Paths, f.Path)
		}
		p.noteModes(r)
		p.takeDiff(r.Diff, r.DiffTruncated)
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
		p.Paths = []string{r.Path}
	case *MoveResult:
		p.Paths = []string{r.From, r.To}
	case *CopyResult:
		p.Paths, p.read = []string{r.To}, []string{r.From}
	case *UndoResult:
		p.cut = r.Cut
		p.undoes = r.undoes()
		for _, one := range r.Restored {
			p.Paths = append(p.Paths, one.Path)
		}
		p.Paths = append(p.Paths, r.moved...)
		p.takeEnds(r)
		p.takeDiff(r.Diff, r.DiffTruncated)
	default:
		p.cut = true // a result that isn't known here: nobody may take it for harmless
	}
}

// takeEnds adds the other paths of the calls that an undo takes back: it locks them, too, where they
// come to nothing together.
func (p *Plan) takeEnds(r *UndoResult) {
	for _, b := range r.undid {
		for _, f := range b.Files {
			p.tree = p.tree || f.Mode.IsDir()
			for _, path := range [...]string{f.Path, f.From} {
				if path != "" && !slices.Contains(p.Paths, path) {
					p.Paths = append(p.Paths, path)
				}
			}
		}
	}
}

func (p *Plan) takeDiff(text *string, cut *bool) {
	if text != nil && cut != nil {
		p.Diff, p.DiffCut = *text, *cut
	}
}

// seal looks at every file of the plan, and computes the digest.
func (e *Env) seal(ctx context.Context, c *call, p *Plan) error {
	p.pins = map[string]pin{}
	h := sha256.New()
	root, err := e.Workspace.Lstat(".")
	if err != nil {
		return err
	}
	fmt.Fprintf(h, "fsbox request 1\n%q %s\n%q\n", e.Workspace.ResolvedRoot(), root.ID(), c.tool.Name)
	for _, f := range c.fields {
		if f.name != "approval" && f.name != "dry_run" && f.name != "diff" {
			fmt.Fprintf(h, "%q=", f.name)
			writeCanonical(h, c.value.Field(f.index))
			io.WriteString(h, "\n")
		}
	}
	p.noteFields(c)
	for _, path := range slices.Concat(p.Paths, p.read) {
		if err := e.look(ctx, h, p, path); err != nil {
			return err
		}
	}
	fmt.Fprintf(h, "%q %q %q %v %v\n", p.Effect, p.undoes, p.Diff, p.DiffCut, p.cut)
	h.Sum(p.digest[:0])
	return nil
}

// look adds the state of a path to the digest, and pins it.
func (e *Env) look(ctx context.Context, h hash.Hash, p *Plan, path string) error {
	st, err := e.Workspace.Stat(inWorkspace(path))
	if st == nil {
		return err
	}
	fmt.Fprintf(h, "%q %q %q %v ", path, st.Path, st.LinkTarget, err != nil) // a link that leads outside may be moved or removed
	places := []string{st.Path}
	if st.LinkTarget != "" {
		places = append(places, st.LinkTarget)
	}
	p.places = append(p.places, places...)
	if !slices.Contains(p.read, path) {
		p.changed = append(append(p.changed, path), places...)
	}
	p.notePath(path, st)
	what := st
	if st.IsLink() && st.Target != nil {
		what = st.Target
	}
	isTree := st.Mode.IsDir() || what.Mode.IsDir() && slices.Contains(p.read, path) // a copy of a link is one of the folder
	p.tree = p.tree || isTree
	switch {
	case !st.Exists:
		p.pins[path] = pin{absent: true}
		io.WriteString(h, "absent\n")
	case isTree:
		return e.lookInto(ctx, h, path)
	case what.Mode.IsRegular():
		etag, state := e.etagOf(ctx, path, what.Info)
		p.pins[path] = pin{etag: etag}
		fmt.Fprintf(h, "file %s %s %v %s\n", st.ID(), what.ID(), what.Mode, state)
	default:
		fmt.Fprintf(h, "other %s %v\n", st.ChangeStamp(), st.Mode)
	}
	return nil
}

// etagOf is the etag of a file, and what tells its state from others: the etag, or of a file that
// can't be read the time of its last change.
func (e *Env) etagOf(ctx context.Context, path string, info dir.Info) (etag, state string) {
	f, err := e.Workspace.OpenFile(inWorkspace(path))
	if err != nil {
		return "", "unreadable " + info.ChangeStamp()
	}
	defer f.Close()
	if etag, err = e.Workspace.ETag(ctx, f, nil); err != nil {
		return "", "unreadable " + info.ChangeStamp()
	}
	return etag, etag
}

// inWorkspace turns a path of an answer into one for a request, whatever it begins with.
func inWorkspace(path string) string { return "./" + path }

// lookInto adds all that is in a folder to the digest.
func (e *Env) lookInto(ctx context.Context, h hash.Hash, path string) error {
	folder, err := e.Workspace.OpenFolder(inWorkspace(path))
	if err != nil {
		return err
	}
	defer folder.Close()
	return lookThrough(ctx, h, folder)
}

// lookThrough is lookInto for an open folder.
func lookThrough(ctx context.Context, h hash.Hash, folder *sandbox.Folder) error {
	io.WriteString(h, "folder {\n")
	for from, more := "", true; more; {
		if err := ctx.Err(); err != nil {
			return err
		}
		names, bound, err := folder.List(ctx, from)
		if err != nil {
			return err
		}
		slices.SortFunc(names, func(a, b dir.Dirent) int { return strings.Compare(a.Name, b.Name) })
		for _, name := range names {
			if err := lookAt(ctx, h, folder, name.Name); err != nil {
				return err
			}
		}
		from, more = bound, bound != ""
	}
	io.WriteString(h, "}\n")
	return nil
}

// lookAt is lookThrough for one name.
func lookAt(ctx context.Context, h hash.Hash, folder *sandbox.Folder, name string) error {
	info, err := folder.Lstat(name)
	if err != nil {
		return err
	}
	if !info.Mode.IsDir() {
		fmt.Fprintf(h, "%q %v %s\n", name, info.Mode, info.ChangeStamp())
		return nil
	}
	fmt.Fprintf(h, "%q %v %s ", name, info.Mode, info.ID())
	sub, err := folder.Folder(name)
	if err != nil {
		return err
	}
	defer sub.Close()
	return lookThrough(ctx, h, sub)
}

// agrees reports that the files are those that the dry run saw: their etags are the ones of its
// answer.
func (p *Plan) agrees(etags map[string]string) bool {
	for path, etag := range etags {
		if found := p.pins[path]; found.etag != etag && found != (pin{}) {
			return false
		}
	}
	return true
}

// settle makes the request name what the plan says it means: an undo of the newest call is one of
// the call that was the newest then.
func (p *Plan) settle(c *call) {
	if u, ok := c.request.(*Undo); ok && u.BackupID == "" && !isGiven(c, "since") {
		u.BackupID = p.undoes
	}
}

// isGiven reports a text field that isn't empty.
func isGiven(c *call, name string) bool {
	return slices.ContainsFunc(c.fields, func(f field) bool {
		return f.name == name && f.kind == reflect.String && c.value.Field(f.index).String() != ""
	})
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

// details are what an answer says about a plan, its diff cut to a number of bytes.
func (p *Plan) details(maxBytes int64) ApprovalDetails {
	budget := newBudget(maxBytes)
	d := ApprovalDetails{RequestDigest: p.digest.String(), Tool: p.Tool, Effect: p.Effect, Paths: []string{}}
	for _, path := range p.Paths {
		if !budget.text(path) {
			break
		}
		d.Paths = append(d.Paths, path)
	}
	shown := cutDiff(diff.Printed{Text: p.Diff, Truncated: p.DiffCut}, budget)
	d.Diff, d.DiffTruncated = shown.Text, shown.Truncated
	return d
}
