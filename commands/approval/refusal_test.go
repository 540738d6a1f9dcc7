package approval

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"fsbox/commands/answer"
	"fsbox/commands/mcp"
)

// replies is an approver that gives one reply to each question.
type replies struct {
	yes bool
	err error
}

func (r replies) Approve(context.Context, *Plan) (bool, error) { return r.yes, r.err }

// maxRefusal is how many characters a refusal has at most, as text or as JSON: the model that gets
// it has written the request.
const maxRefusal = 300

// TestRefusals: whatever becomes of a question, what is said of it is short, and has nothing of the
// plan.
func TestRefusals(t *testing.T) {
	long := strings.Repeat("secret", 1000)
	for name, err := range map[string]error{
		"no": nil, "closed": errClosed, "late": fmt.Errorf("%w: %w", errNobody, errLate), "late itself": errLate,
		"full": fmt.Errorf("%w: %w", errNobody, mcp.ErrTooMany), "asked": fmt.Errorf("%w: %w", errNobody, mcp.ErrAsked),
		"ended": fmt.Errorf("%w: %w", errNobody, mcp.ErrEnded), "broken terminal": fmt.Errorf("%w: read %s", errNobody, long),
	} {
		for _, mute := range []string{"there is no terminal to ask at", "the client doesn't offer elicitation, and there is no terminal"} {
			for _, isMCP := range []bool{true, false} {
				d := Desk{closed: new(closings), mute: mute, isMCP: isMCP, Approver: replies{err: err}}
				plan := &Plan{Proposal: Proposal{Tool: "append", Effect: long, Paths: []string{long}, Diff: long}, Warnings: []string{long}}
				for again := range 3 {
					checkRefusal(t, fmt.Sprint(name, ", try ", again), d.ask(context.Background(), plan))
				}
				checkRefusal(t, "asked too often", d.askAgain(context.Background(), plan, MaxAsks))
			}
		}
	}
}

func checkRefusal(t *testing.T, name string, fail *answer.Failure) {
	t.Helper()
	if fail == nil {
		t.Fatalf("%s: it is a yes", name)
	}
	a := answer.Failed(nil, fail, nil)
	var line bytes.Buffer
	if err := a.Encode(&line, false); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{a.Text(), line.String()} {
		if utf8.RuneCountInString(text) > maxRefusal || strings.Contains(text, "secret") || !strings.Contains(text, "nothing was changed") {
			t.Errorf("%s: %d characters: %s", name, utf8.RuneCountInString(text), text)
		}
	}
}
