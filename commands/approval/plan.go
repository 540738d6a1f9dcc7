package approval

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"reflect"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/sandbox"
	"fsbox/sandbox/disk/openfile"
	"fsbox/textio/diff"
)

// Plan is what a request would change, as somebody who has to approve it gets to see it.
type Plan struct {
	Proposal          // not yet cut to what an answer has room for; maxTaken, planDiffLines and planBytes bound it
	Warnings []string // of the dry run

	command.Change
	digest  Digest
	changes bool
	cut     bool                      // not all paths are in Paths
	changed []place                   // Paths, and where their links lead
	etags   map[string]string         // of files at Paths and read
	agreed  map[string]sandbox.Agreed // state of what Paths and read lead to: the change is made only there, and only in this state
	notes   []note
	noted   map[string]int    // places in notes, by their words
	stamps  map[string]string // of folders that come back, by path
	remarks []string          // notes in words
	printed command.Diffs     // of which Diff is made: of the dry run, then of what is lost
	raw     string            // Diff before what doesn't show is made visible
	deeds   []deed
	deedAt  map[deed]int         // places in deeds, by kind and paths
	found   map[string]TakenPath // what is at Paths and read
	entries map[string]int       // names in folders among them
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
func (d Desk) plan(ctx context.Context, c *command.Call) (*Plan, error) {
	// Stdin can be read only once, and what is written must be what was approved.
	if r, ok := c.Request.(command.TextLoader); ok {
		if err := r.LoadText(ctx, d.env); err != nil {
			return nil, err
		}
	}
	for range maxPlanTries {
		p, etags, err := d.dryRun(ctx, c)
		if err != nil || !p.changes {
			return p, err
		}
		if err := d.seal(ctx, c, p); err != nil {
			return nil, err
		}
		if p.agrees(etags) {
			return p, nil
		}
	}
	return nil, answer.Failf(answer.CodeBusy, "the files change all the time, so what %s would do can't be told", c.Command.Name)
}

// dryRun carries out a copy of the request as a dry run. etags are the etags in its answer, by
// path.
func (d Desk) dryRun(ctx context.Context, c *command.Call) (p *Plan, etags map[string]string, err error) {
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
	p = newPlan(&answer.Budget{Left: planBytes})
	shown := &showing{plan: p, etags: map[string]string{}}
	scratch.Show = shown.add
	var result answer.Result
	if m, ok := request.Interface().(command.Previewer); ok {
		result, err = m.Preview(&scratch)
	} else {
		result, err = request.Interface().(command.Request).Run(ctx, &scratch)
	}
	if err != nil {
		return nil, nil, err
	}
	p.Warnings, p.Proposal = scratch.Warnings, Proposal{Tool: c.Command.Name, Paths: []string{}}
	shown.take(result)
	return p, shown.etags, nil
}

func newPlan(budget *answer.Budget) *Plan {
	return &Plan{noted: map[string]int{}, deedAt: map[deed]int{}, stamps: map[string]string{},
		printed: command.Diffs{Lines: planDiffLines, Budget: budget}}
}

// showing fills a plan from a dry run: from its result, and before that from each file of which
// the result holds no contents.
type showing struct {
	plan  *Plan
	etags map[string]string // by path: of each file that was shown whole, and of the result's first path
}

// take adds the change that the dry run found.
func (s *showing) take(result answer.Result) {
	p := s.plan
	r, known := result.(command.Changer)
	if p.changes = true; !known {
		p.cut = true // an unknown type of result: approve_allow must not let it through
		return
	}
	c := r.Change()
	p.Change, p.changes, p.Proposal.Paths = c, !c.Nothing, append(p.Proposal.Paths, c.Paths...)
	for _, f := range c.Files {
		s.add(f)
	}
	if c.NewMode != 0 {
		p.noteMode(c.Paths[0], 0, c.NewMode, false)
	}
	p.Change.Files = nil // their contents are no longer needed
	if c.Etag != "" {
		s.etags[c.Paths[0]] = c.Etag
	}
	maps.Copy(s.etags, c.ReadEtags)
}

// add adds what becomes of a file to the diff and, where no diff shows it, to Effect.
func (s *showing) add(f command.ChangedFile) {
	p := s.plan
	p.print(deedOf(f), func(maxLines int) diff.Printed {
		d, words := f.Show(command.EncodingName(f.Encoding), maxLines)
		p.noteWords(f.Path, words)
		return d
	})
	p.noteKind(f)
	if f.Stamp != "" {
		p.stamps[f.Path] = f.Stamp
	}
	if f.NewMode != 0 || f.Mode == 0 {
		p.noteMode(f.Path, f.Mode, f.NewMode, f.Runs)
	}
	if len(f.Old) > 0 && f.Head == nil && !f.Partial {
		s.etags[cmp.Or(f.From, f.Path)] = openfile.ContentETag(f.Old)
	}
}

// print adds a deed with its diff.
func (p *Plan) print(d deed, print func(maxLines int) diff.Printed) {
	d.from = len(p.printed.All().Text)
	shown := p.printed.Add(print)
	d.end, d.plus, d.minus = len(p.printed.All().Text), shown.Additions, shown.Deletions
	d.unseen = shown.Truncated && d.plus+d.minus == 0
	p.addDeed(d)
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
	budget, paths, taken := &answer.Budget{Left: maxBytes}, len(p.Paths), len(p.Taken)
	p.Paths, p.Taken = answer.Fitting(budget, p.Paths), answer.Fitting(budget, p.Taken)
	p.PathsTruncated, p.TakenTruncated = len(p.Paths) < paths, p.TakenTruncated || len(p.Taken) < taken
	shown := command.CutDiff(diff.Printed{Text: p.Diff, Truncated: p.DiffTruncated}, budget)
	p.Diff, p.DiffTruncated = shown.Text, shown.Truncated
	return p
}
