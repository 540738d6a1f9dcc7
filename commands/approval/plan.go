package approval

import (
	"context"
	"fmt"
	"io"
	"reflect"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/verb"
	"fsbox/commands/words"
	"fsbox/sandbox"
	"fsbox/textio/diff"
)

// Plan is what a request would change, as somebody who has to approve it gets to see it.
type Plan struct {
	Proposal          // whole, as far as maxTaken, planDiffLines and planBytes go
	Warnings []string // of the dry run

	verb.Change
	digest  Digest
	changes bool
	cut     bool                      // not all paths are in Paths
	changed []string                  // Paths, and where their links lead
	etags   map[string]string         // of files at Paths and read
	agreed  map[string]sandbox.Agreed // state of what Paths and read lead to: the change is made only there, and only in this state
	notes   []note
	noted   map[string]int // places in notes, by their words
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
func (d Desk) plan(ctx context.Context, c *verb.Call) (*Plan, error) {
	// Stdin can be read only once, and what is written must be what was approved.
	if r, ok := c.Request.(verb.TextLoader); ok {
		if err := r.LoadText(ctx, d.env); err != nil {
			return nil, err
		}
	}
	for range maxPlanTries {
		p, etags, err := d.dryRun(ctx, c)
		if err != nil {
			return nil, err
		}
		if err := d.seal(ctx, c, p); err != nil {
			return nil, err
		}
		if p.agrees(etags) {
			return p, nil
		}
	}
	return nil, answer.Failf(answer.CodeBusy, "the files change all the time, so what %s would do can't be told", c.Verb.Name)
}

// dryRun carries out a copy of the request as a dry run. etags are the etags in its answer, by
// path.
func (d Desk) dryRun(ctx context.Context, c *verb.Call) (p *Plan, etags map[string]string, err error) {
	scratch := *d.env
	scratch.Warnings = nil
	scratch.Limits.MaxOutputBytes = planBytes
	request := reflect.New(c.Value.Type())
	request.Elem().Set(c.Value)
	for _, f := range c.Fields {
		if f.Name == "dry_run" || f.Name == "diff" {
			request.Elem().Field(f.Index).SetBool(f.Name == "dry_run")
		}
	}
	var result answer.Result
	if m, ok := request.Interface().(verb.Previewer); ok {
		result, err = m.Preview(&scratch)
	} else {
		result, err = request.Interface().(verb.Request).Run(ctx, &scratch)
	}
	if err != nil {
		return nil, nil, err
	}
	p = &Plan{Warnings: scratch.Warnings, Proposal: Proposal{Tool: c.Verb.Name, Paths: []string{},
		Effect: strings.TrimSuffix(result.Summary(), words.DryRun(true))}}
	return p, p.take(result), nil
}

// take fills a plan from the change that a dry run found, and returns the etags in its answer.
func (p *Plan) take(result answer.Result) (etags map[string]string) {
	r, known := result.(verb.Changer)
	if p.changes = true; !known {
		p.cut = true // an unknown type of result: approve_allow must not let it through
		return nil
	}
	c := r.Change()
	p.Change, p.changes, p.Proposal.Paths = c, !c.Nothing, append(p.Proposal.Paths, c.Paths...)
	p.show(c.Files)
	p.noteModes(c.Modes)
	p.Change.Files = nil // their contents are no longer needed
	return c.Etags()
}

// show adds what becomes of files to the diff and, where no diff shows it, to Effect.
func (p *Plan) show(files []verb.ChangedFile) {
	printed := verb.Diffs{Lines: planDiffLines, Budget: answer.NewBudget(planBytes)}
	var modes []verb.ModeChange
	for _, f := range files {
		printed.Add(func(maxLines int) diff.Printed {
			d, words := f.Show(verb.EncodingName(f.Encoding), maxLines)
			p.noteWords(f.Path, words)
			return d
		})
		p.noteKind(f)
		if f.NewMode != 0 || f.Mode == 0 {
			modes = verb.AddMode(modes, f.Path, f.Mode, f.NewMode, f.Runs)
		}
	}
	p.noteModes(modes)
	all := printed.All()
	p.Diff, p.DiffTruncated = all.Text, all.Truncated
}

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

// fitting is as much of a plan as fits into maxBytes of an answer.
func (p Proposal) fitting(maxBytes int64) Proposal {
	budget, paths, taken := answer.NewBudget(maxBytes), len(p.Paths), len(p.Taken)
	p.Paths, p.Taken = answer.Fitting(budget, p.Paths), answer.Fitting(budget, p.Taken)
	p.PathsTruncated, p.TakenTruncated = len(p.Paths) < paths, p.TakenTruncated || len(p.Taken) < taken
	shown := verb.CutDiff(diff.Printed{Text: p.Diff, Truncated: p.DiffTruncated}, budget)
	p.Diff, p.DiffTruncated = shown.Text, shown.Truncated
	return p
}
