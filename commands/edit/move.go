package edit

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"fsbox/commands/answer"
	"fsbox/commands/change"
	"fsbox/commands/command"
	"fsbox/commands/words"
	"fsbox/sandbox/transaction"
	"fsbox/textio"
	"fsbox/textio/diff"
	"fsbox/textio/edit"
)

// moved is what an answer, and who has to agree, has to know of other files than the edited one.
type moved struct {
	read    map[string]string // etags of files that are only read, by path
	changed []string          // paths of files that lines are cut out of
}

func (m *moved) addTo(c *command.Change) {
	c.Paths = append(c.Paths, m.changed...)
	c.Read = slices.Sorted(maps.Keys(m.read))
	c.ReadEtags = m.read
}

// moveRun is an edit that takes lines of other files, under way. Files that lines are cut out of
// are changed in the same transaction, and before the edited one: so its new content is made of
// what is there under the locks. Files that are only read are read before.
type moveRun struct {
	*Request
	*editPlan
	env     *command.Env
	limits  edit.Limits
	changes []transaction.Change
	printed command.Diffs
	counts  diff.Printed   // of all files
	text    textio.Changed // of the edited file
	old     []byte         // its content, if that isn't long
	result  *Result
}

// maxOldHeld is up to how many bytes the old content is kept for warnings about new texts.
const maxOldHeld = 1 << 20

// errNoSource is for the edited file where the lines for it couldn't be taken. What is wrong is
// said of their own file.
var errNoSource = errors.New("the lines couldn't be taken")

// runMove applies edits that take lines of other files.
func (e *Request) runMove(ctx context.Context, env *command.Env, p *editPlan) (answer.Result, error) {
	m := &moveRun{Request: e, editPlan: p, env: env,
		limits: edit.Limits{MaxAdded: env.Limits.MaxWriteBytes, MaxSize: env.Limits.MaxReadBytes}}
	taken := &moved{read: map[string]string{}}
	for _, f := range p.files {
		if f.cuts() {
			m.changes = append(m.changes, m.cutting(ctx, f))
			continue
		}
		content, etag, err := env.Workspace.ReadForChange(ctx, f.asked)
		if err == nil {
			err = f.take(ctx, content, env.Limits)
		}
		if err != nil {
			return nil, err
		}
		taken.read[f.path] = etag
	}
	m.limits.MayStay = len(m.changes) > 0 // lines that are cut out of another file change that
	m.changes = append(m.changes, m.pasting(ctx))
	m.changes[0].Planned = m.first(m.changes[0].Planned)
	done, err := transaction.Commit(ctx, env.Workspace, m.changes)
	if err != nil {
		return nil, m.failure(err)
	}
	etags := maps.Clone(taken.read)
	for _, d := range done[:len(done)-1] {
		etags[d.Path] = d.ETag
		taken.changed = append(taken.changed, d.Path)
		change.WarnDone(env, d, textio.Elision{})
	}
	target := done[len(done)-1]
	target.Old = m.old
	warnEdited(env, &m.text, target, p.edits, m.DryRun)
	r := m.result
	r.Etag, r.BackupID, r.moved = target.ETag, words.OrNull(cmp.Or(target.BackupID, done[0].BackupID)), taken
	r.take(p, etags, command.WholeBudget(env.Limits))
	return r, nil
}

// cutting is the change of a file that lines are cut out of.
func (m *moveRun) cutting(ctx context.Context, f *sourceFile) transaction.Change {
	c := transaction.Change{WriteOptions: transaction.WriteOptions{Path: f.asked, Creation: transaction.MustExist, DryRun: m.DryRun,
		Tool: "edit"}}
	var text textio.Changed
	cut := func(old []byte) (textio.Changed, error) {
		text, err := textio.Cut(ctx, old, f.parts, edit.Limits{MaxSize: m.limits.MaxSize})
		return text, f.failure(err)
	}
	c.Make = func(old []byte, _ bool) (content []byte, err error) {
		if f.texts = nil; err == nil {
			err = f.take(ctx, old, m.env.Limits)
		}
		if err == nil {
			text, err = cut(old)
		}
		return text.Content, err
	}
	c.Remake = func(old []byte, _ bool) ([]byte, error) {
		text, err := cut(old)
		return text.Content, err
	}
	c.Planned = func(d *transaction.Done) {
		m.show(d, &text)
		text = textio.Changed{}
	}
	return c
}

// pasting is the change of the edited file.
func (m *moveRun) pasting(ctx context.Context) transaction.Change {
	c := transaction.Change{WriteOptions: transaction.WriteOptions{Path: m.Path, Creation: transaction.MustExist, IfMatch: m.IfMatch,
		DryRun: m.DryRun,
		Tool:   "edit"}}
	c.Make = func(old []byte, _ bool) (content []byte, err error) {
		m.text, err = m.apply(ctx, old, m.limits, m.env.Limits)
		for _, f := range m.files {
			if f.texts == nil && !isStale(err) {
				return nil, errNoSource
			}
		}
		return m.text.Content, err
	}
	c.Remake = func(old []byte, _ bool) ([]byte, error) {
		text, err := m.apply(ctx, old, m.limits, m.env.Limits)
		return text.Content, err
	}
	c.Planned = func(d *transaction.Done) {
		m.show(d, &m.text)
		all := m.printed.All()
		all.Additions, all.Deletions = m.counts.Additions, m.counts.Deletions
		m.result = m.Request.result(d, &m.text, all, command.WholeBudget(m.env.Limits))
		m.result.Changed = m.result.Changed || m.limits.MayStay
		m.result.changed = nil // who has to agree has seen it
		if m.old = nil; len(d.Old) <= maxOldHeld {
			m.old = d.Old
		}
		m.text = m.text.WithoutTexts()
	}
	return c
}

func isStale(err error) bool {
	f, is := errors.AsType[*answer.Failure](err)
	return is && f.Code == answer.CodeStale
}

// first lets the planning of the first change begin anew: all is planned again if a file changes
// meanwhile.
func (m *moveRun) first(planned func(*transaction.Done)) func(*transaction.Done) {
	return func(d *transaction.Done) {
		m.printed = command.Diffs{Lines: command.LinesOfDiff(m.Diff), Budget: command.DiffBudget(m.env.Limits)}
		m.counts = diff.Printed{}
		planned(d)
	}
}

// show adds a file to the diff, and shows it to who has to agree.
func (m *moveRun) show(d *transaction.Done, text *textio.Changed) {
	own := m.printed.Add(func(maxLines int) diff.Printed { return text.Diff(textio.Contents{Path: d.Path}, maxLines) })
	m.counts.Additions += own.Additions
	m.counts.Deletions += own.Deletions
	if m.env.Show != nil {
		m.env.Show(command.ChangedBy(d, ""))
	}
}

// failure is the error of the transaction: of the file that fails, or of the first of several.
func (m *moveRun) failure(err error) error {
	path := m.Path
	several, ok := errors.AsType[*transaction.ChangesError](err)
	if ok {
		first := several.Failed[0]
		err = first.Err
		if first.Index < len(m.changes)-1 {
			path = m.changes[first.Index].Path
		}
	}
	f := change.HintTarget(m.env, err, path)
	if ok {
		f = m.alsoStale(several.Failed[1:], f)
	}
	if path != m.Path {
		return f
	}
	return hintEmpty(f, m.Path, m.edits)
}

// alsoStale adds to a failure that anchors of other files are stale as well.
func (m *moveRun) alsoStale(others []transaction.FailedChange, err error) error {
	for _, one := range others {
		if isStale(one.Err) && isStale(err) {
			f := *command.FailureOf(err)
			f.Message += "; " + command.FailureOf(one.Err).Message
			return &f
		}
	}
	return err
}
