package edit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/change"
	"fsbox/commands/command"
	"fsbox/commands/request"
	"fsbox/commands/words"
	"fsbox/textio"
	"fsbox/textio/edit"
)

// An edit may name lines that are on disk in place of the text that it puts in: source_start to
// source_end of source_path, and with cut they leave their place. Lines of the edited file itself
// are found and cut by package edit. Those of other files are taken before (move.go).

// sources are the lines that the edits of a request take.
type sources struct {
	own   map[int]*edit.Lines // of the edited file, by the index of the edit
	files []*sourceFile       // other files
}

// sourceFile is another file of which edits take lines.
type sourceFile struct {
	asked string // as the request names it
	path  string // cleaned
	parts []edit.Lines
	edits []int // those that the parts are for
	texts []textio.Taken
}

// cuts reports whether some of the lines leave the file.
func (f *sourceFile) cuts() bool {
	return slices.ContainsFunc(f.parts, func(l edit.Lines) bool { return l.Cut })
}

// hasSource reports whether an edit names lines in place of a text.
func (i *Item) hasSource() bool {
	return i.SourceStart+i.SourceEnd != "" || i.SourcePath != "" || i.Cut
}

// origin says where the new text of an edit comes from.
func (s *sources) origin(i int) edit.Origin {
	if s.own[i] != nil {
		return edit.FromSame
	}
	for _, f := range s.files {
		if slices.Contains(f.edits, i) {
			return edit.FromOther
		}
	}
	return edit.FromCaller
}

// findSources reads which lines the edits take, and from where.
func (e *Request) findSources(env *command.Env, items []Item, p *editPlan) error {
	p.own = map[int]*edit.Lines{}
	for n := range items {
		item, in := &items[n], e.namesIn(n)
		if !item.hasSource() {
			if item.ReplacementText == nil {
				return answer.Failf(answer.CodeInvalidInput, "%q is missing", in("replacement_text")).WithHint("%s", Item{}.Form(""))
			}
			continue
		}
		taken, err := e.source(item, in)
		if err != nil {
			return err
		}
		path := p.path
		if item.SourcePath != "" {
			if path, err = env.Workspace.Clean(item.SourcePath); err != nil {
				return err
			}
		}
		if path == p.path {
			p.own[n] = &taken
		} else {
			p.file(item.SourcePath, path).add(n, taken)
		}
	}
	return nil
}

// source reads which lines an edit takes. in names a field of it.
func (e *Request) source(i *Item, in func(string) string) (taken edit.Lines, err error) {
	switch {
	case hasText(i.ReplacementText):
		return taken, answer.Failf(answer.CodeInvalidInput, "%q and %q are mutually exclusive", in("replacement_text"), "source_start").
			WithHint("source_start and source_end name lines that are inserted unchanged: omit replacement_text")
	case i.SourceStart == "":
		return taken, answer.Failf(answer.CodeInvalidInput, "%q is missing", in("source_start")).
			WithHint("it is the anchor of the first line to take, source_end that of the last")
	case e.Match != "exact":
		return taken, answer.Failf(answer.CodeInvalidInput, "%q is for texts that are sent, and lines of a file are inserted unchanged", "match").
			WithHint("omit it")
	}
	taken.Cut = i.Cut
	taken.First, taken.Last, err = parseRange(i.SourceStart, i.SourceEnd, in("source_start"), in("source_end"))
	return taken, err
}

// file is the file at a cleaned path.
func (s *sources) file(asked, path string) *sourceFile {
	for _, f := range s.files {
		if f.path == path {
			return f
		}
	}
	f := &sourceFile{asked: asked, path: path}
	s.files = append(s.files, f)
	return f
}

func (f *sourceFile) add(edit int, taken edit.Lines) {
	f.parts, f.edits = append(f.parts, taken), append(f.edits, edit)
}

// take gets the lines out of the content of the file.
func (f *sourceFile) take(ctx context.Context, content []byte, limits request.Limits) (err error) {
	f.texts, err = textio.Take(ctx, content, f.parts, limits.MaxReadBytes)
	return f.failure(err)
}

// failure names the file in an error about its content.
func (f *sourceFile) failure(err error) error {
	if err == nil {
		return nil
	}
	if stale, is := errors.AsType[*edit.StaleError](err); is {
		return staleFailure(stale, f.path)
	}
	if twice, is := errors.AsType[*edit.NamedTwiceError](err); is {
		var cut []int
		for n, l := range f.parts {
			if l.Cut {
				cut = append(cut, f.edits[n])
			}
		}
		twice.Edits = [2]int{cut[twice.Edits[0]], cut[twice.Edits[1]]}
		return FailureOf(twice)
	}
	return change.TextFailure(f.path, err)
}

// apply makes the edits in the content of their file.
func (p *editPlan) apply(ctx context.Context, old []byte, limits edit.Limits, l request.Limits) (text textio.Changed, err error) {
	filled := *p
	if err = filled.fill(old); err != nil {
		return text, err
	}
	if filled.lines != nil {
		text, err = textio.EditLines(ctx, old, filled.lines, limits)
	} else {
		text, err = textio.Edit(ctx, old, filled.edits, limits)
	}
	if err != nil {
		err = missFailure(p.path, err, &text, filled.edits, l)
	}
	return text, err
}

// fill puts the lines of other files into the edits, in the form of the file that has the content.
func (p *editPlan) fill(content []byte) error {
	if len(p.files) == 0 {
		return nil
	}
	p.edits, p.lines = slices.Clone(p.edits), slices.Clone(p.lines)
	for _, f := range p.files {
		for n, taken := range f.texts {
			text, err := taken.Into(content)
			if foreign, is := errors.AsType[*textio.ForeignTextError](err); is {
				return answer.Failf(answer.CodeInvalidEncoding, "the lines of %q aren't UTF-8, and %q is %s", f.path, p.path, foreign.Into).
					WithHint("give the text in replacement_text")
			}
			if i := f.edits[n]; p.lines != nil {
				p.lines[i].Text = text
			} else {
				p.edits[i].Replacement = edit.Fitted(text, p.edits[i].Expected)
			}
		}
	}
	return nil
}

// Source are lines that an edit took in place of a text.
type Source struct {
	words.PathName
	StartLine int64  `json:"start_line"`
	EndLine   int64  `json:"end_line"`
	Cut       bool   `json:"cut"`  // the lines were moved, not copied
	Etag      string `json:"etag"` // of the file
}

// take notes which lines the edits took. etags are those of the other files.
func (r *Result) take(p *editPlan, etags map[string]string, budget *answer.Budget) {
	var all []Source
	for i := range p.edits {
		path, etag, lines := p.path, r.Etag, p.own[i]
		for _, f := range p.files {
			if n := slices.Index(f.edits, i); n >= 0 {
				path, etag, lines = f.path, etags[f.path], &f.parts[n]
			}
		}
		if lines != nil {
			all = append(all, Source{words.PathOf(path), lines.First.Line, lines.Last.Line, lines.Cut, etag})
		}
	}
	r.Sources = answer.Fitting(budget, all)
	r.SourcesTruncated = len(r.Sources) < len(all)
	if len(r.Sources) == 0 {
		r.Sources = nil
	}
}

// movedLines says which lines the edits moved or copied.
func (r *Result) movedLines() string {
	if len(r.Results) > 1 || r.SourcesTruncated {
		shown := r.Sources[:min(len(r.Sources), mostMoved)]
		lists := words.Mapped(shown, func(s Source) string { return s.deed() + " of " + words.Phrase("%q", s.Path) })
		if len(r.Sources) > mostMoved || r.SourcesTruncated {
			lists = append(lists, "and others")
		}
		return fmt.Sprintf("made %s in %q with %s", words.Plural(int64(r.Replacements), "replacement"), r.Path, strings.Join(lists, ", "))
	}
	s := r.Sources[0]
	command := "copied "
	if s.Cut {
		command = "moved "
	}
	if s.Path == r.Path {
		return command + words.Phrase("%s in %q", words.LineRange(s.StartLine, s.EndLine), r.Path)
	}
	return command + words.Phrase("%s of %q to %q", words.LineRange(s.StartLine, s.EndLine), s.Path, r.Path)
}

// mostMoved is how many sources a sentence names.
const mostMoved = 5

func (s *Source) deed() string {
	if s.Cut {
		return words.LineRange(s.StartLine, s.EndLine) + " cut out"
	}
	return words.LineRange(s.StartLine, s.EndLine)
}
