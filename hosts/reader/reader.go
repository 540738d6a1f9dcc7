// Package reader is the model of a harness: a script that knows what it is asked to read and, of
// what it has read, only what is in the answers that it gets.
package reader

import (
	"maps"
	"regexp"
	"strings"
)

// Call is a tool, by the name that its server gives it, and its arguments.
type Call struct {
	Tool      string
	Arguments map[string]any
	Besides   []Call // further calls that are made at the same time
}

// Answer is what a call has brought, as the model sees it.
type Answer struct {
	Text  string
	Items []string // whole lines, matches or names of the work, in order
	Marks []string // words by which hosts say that something is missing
	First bool     // a note how to continue is before the items
	Note  string   // that note
}

// task is one part of the work, which takes as many calls as answers say.
type task struct {
	call    Call
	item    *regexp.Regexp
	want    func(n int) string
	total   int
	answers []Answer
}

// Reader does one task after the other.
type Reader struct {
	tasks   []*task
	at      int
	Edits   []Answer // the refused edit and the repaired one
	stopped string   // why it gave up
}

// most is how many calls a task may take: more means that it goes in a circle.
const most = 200

// New returns a reader that has done nothing yet.
func New() *Reader {
	of := func(kind string) *regexp.Regexp { return regexp.MustCompile(kind + ` \d{4} [^\n]*? end \d{4}`) }
	return &Reader{tasks: []*task{
		{call: Call{Tool: "read", Arguments: map[string]any{"path": "lines.txt"}}, item: of("line"), want: line, total: Lines},
		{call: Call{Tool: "grep", Arguments: map[string]any{"query": "needle", "path": "matches", "max_matches": Matches}},
			item: of("match"), want: match, total: Matches},
		{call: Call{Tool: "ls", Arguments: map[string]any{"path": "names", "max_entries": Names}},
			item: regexp.MustCompile(`name-\d{4}\.txt`), want: name, total: Names},
	}}
}

// First is the call before there is any answer.
func (r *Reader) First() Call { return r.tasks[0].call }

// Next is the call that an answer leads to, and false if there is none.
func (r *Reader) Next(text string) (Call, bool) {
	if r.at == len(r.tasks) {
		return r.edit(text)
	}
	t := r.tasks[r.at]
	answer := look(text, t.item)
	t.answers = append(t.answers, answer)
	if field, value, more := Continues(answer.Note); more && len(t.answers) < most {
		call := Call{Tool: t.call.Tool, Arguments: map[string]any{field: value}}
		maps.Copy(call.Arguments, t.call.Arguments)
		return call, true
	}
	if r.at++; r.at < len(r.tasks) {
		return r.tasks[r.at].call, true
	}
	return edit("\t" + strings.Replace(line(mistaken), "go(", "gone(", 1)), true
}

func edit(expected string) Call {
	return Call{Tool: "edit", Arguments: map[string]any{"path": "lines.txt", "expected_text": expected, "replacement_text": "\t" + Edited()}}
}

// edit looks at what an edit has come to. After a refusal it copies the line from there.
func (r *Reader) edit(text string) (Call, bool) {
	r.Edits = append(r.Edits, Answer{Text: text, Marks: Marks(text)})
	if len(r.Edits) > 1 {
		return Call{}, false
	}
	shown := regexp.MustCompile(`(?m)^\t?(line 1234 .* end 1234)$`)
	for _, view := range Views(text) {
		if found := shown.FindString(view); found != "" {
			return edit(found), true
		}
	}
	r.stopped = "the refusal doesn't show the line that was meant"
	return Call{}, false
}
