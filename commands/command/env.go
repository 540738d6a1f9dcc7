package command

import (
	"context"
	"io"
	"math"

	"fsbox/commands/answer"
	"fsbox/commands/attend"
	"fsbox/commands/request"
	"fsbox/commands/settings"
	"fsbox/commands/words"
	"fsbox/sandbox"
	"fsbox/sandbox/confine"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/rights"
	"fsbox/textio"

	"github.com/go-json-experiment/json/jsontext"
)

// Env is what a call runs in: the workspace, the limits and the operator's settings.
type Env struct {
	Workspace *sandbox.Workspace
	Limits    request.Limits
	Commands  []Command // all that a request can name
	Settings  *settings.Loaded
	ID        jsontext.Value    // of the call, nil for none
	Stdin     io.Reader         // for --content-file -
	Warnings  []string          // of the call
	Abandoned *attend.Abandoned // calls that hang
	Slow      *attend.Abandoned // abandoned searches that are still inside a regular expression
	Bound     answer.Bound      // of answers in the text form; none if they go out as JSON only
	BothForms bool              // they go out in both forms; JSON then leaves out what only programs want (the tag mcp)
	TextOnly  bool              // what the plain text form lacks needn't be found out
	Level     confine.Level     // how far the kernel confines the process
	Show      func(ChangedFile) // sees each file of a dry run whose result can't hold all contents; nil if nobody has to agree to the change

	// ShowsMedia tells which media types the caller shows to a model as what they are, nil for
	// none.
	ShowsMedia func(mediaType string) bool

	Kept *Kept // what earlier calls of the stream have left; nil for single calls

	// Beside tells how many calls run at once in this process, this one included; nil for one.
	Beside func() int

	Work *Work // counts what the call has done so far, nil if nobody asks
}

// Work counts what a call has done so far.
type Work = openfile.Work

// CountWork makes the call that runs in ctx count its work.
func (e *Env) CountWork(ctx context.Context) context.Context {
	e.Work = new(Work)
	return openfile.WithWork(ctx, e.Work)
}

// maxWarnings is how many warnings an answer has: a patch may have one for each of its files.
const maxWarnings = 50

// WarnIf is Warn if something is so.
func (e *Env) WarnIf(is bool, format string, args ...any) {
	if is {
		e.Warn(format, args...)
	}
}

// Warn adds a warning to the answer of the current call.
func (e *Env) Warn(format string, args ...any) {
	switch text := words.Phrase(format, args...); {
	case len(e.Warnings) < maxWarnings-1:
		e.Warnings = append(e.Warnings, text)
	case len(e.Warnings) < maxWarnings:
		e.Warnings = append(e.Warnings, "more warnings are not listed")
	}
}

// Room is what one answer in the text form has for its lists and contents. What it says of them
// besides takes the rest.
func (e *Env) Room() answer.Room {
	r := e.Bound.Room(e.Warnings)
	r.Left = min(r.Left, e.Limits.MaxOutputBytes)
	return r
}

// LongestWhole is how long an answer may be that has no pages, in characters: a program takes any,
// a host only what it passes on.
func (e *Env) LongestWhole() int64 {
	if e.Bound.Most == 0 || e.Bound.Name == "max_output_bytes" {
		return math.MaxInt64
	}
	return e.Bound.Most
}

// LongestLine is how many characters of a line one answer has, at most, whatever the request says:
// as many as max_output_bytes has bytes, or as the caller's reader takes.
func (e *Env) LongestLine() int64 {
	if room := e.TextRoom(); room.Most > 0 {
		return min(e.Limits.MaxOutputBytes, int64(room.Most))
	}
	return e.Limits.MaxOutputBytes
}

// ListBudget is that of the lists of an answer in JSON. An answer in both forms has to fit into the
// bound as JSON, too.
func (e *Env) ListBudget() *answer.Budget {
	b := &answer.Budget{Left: e.Limits.MaxOutputBytes}
	if e.BothForms && e.Bound.Most > 0 {
		b.Left = min(b.Left, e.Room().Left-EnvelopeRoom)
	}
	return b
}

// BoundWhole bounds answers in both forms that have no pages. A reader who counts both gets half of
// the bound in each.
func (e *Env) BoundWhole() (text answer.Bound) {
	text = e.Bound
	if !e.BothForms || text.Most == 0 {
		return text
	}
	if text.Both {
		text.Most /= 2
	}
	e.Limits.MaxJSON = max(text.Room(nil).Left-EnvelopeRoom, EnvelopeRoom)
	return text
}

// EnvelopeRoom is about what an answer has in JSON besides its lists, in bytes.
const EnvelopeRoom = 480

// TextRoom is Room for the content of a file. In both forms, it has to fit as JSON, too.
func (e *Env) TextRoom() textio.TextRoom {
	room := e.Room()
	r := textio.TextRoom{Most: int(room.Left), Lines: int(room.Lines), Unit: room.Unit, Name: room.Name}
	switch {
	case room.Most == 0:
		return textio.TextRoom{}
	case e.BothForms:
		r.Unit, r.Most = room.Unit.InJSON(), r.Most-EnvelopeRoom
	}
	if e.BothForms && room.Both {
		r.Most /= 2
	}
	return r
}

// WarnLost warns that something of a file besides its content was not kept.
func (e *Env) WarnLost(lost rights.Lost) {
	e.WarnIf(lost&rights.LostOwner != 0, "the owner or the group could not be kept: the new file has those of the user that fsbox runs as")
	e.WarnIf(lost&rights.LostSetID != 0, "the setuid and setgid bits were not kept: new content never has them")
	e.WarnIf(lost&rights.LostAttributes != 0, "extended attributes, capabilities or an access control list could not be kept")
	e.WarnIf(lost&rights.LostWriter != 0,
		"a program has the file open for writing: what it writes from now on goes to the old file, and is lost")
}
