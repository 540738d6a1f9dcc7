package approval

import (
	"context"
	"fmt"

	"fsbox/commands/command"
	"fsbox/commands/mcp"
	"fsbox/commands/settings"
)

// clientApprover asks the person who uses an MCP client, by elicitation. In the protocol without
// sessions (see mcp/doc.go) the question goes out as the answer to the call, and the person's
// answer comes when the client sends the same call again, for which it counts once (mcp/state.go).
type clientApprover struct {
	client *mcp.Client
	rows   int // that its dialog shows of a question; 0 for QuestionRows
}

// Approve shows the plan. The key of the question names the plan, so an answer counts for that plan
// only.
func (a clientApprover) Approve(ctx context.Context, plan *Plan) (yes bool, err error) {
	q := mcp.Question{Key: "approval-" + plan.digest.String(), Message: plan.message(a.rows), No: noTitle, Yes: plan.yesTitle()}
	plan.shrink()
	reply, err := a.client.Ask(ctx, q)
	switch {
	case err != nil:
		return false, fmt.Errorf("%w: %w", errNobody, err)
	case reply == mcp.Cancel:
		return false, errClosed
	}
	return reply == mcp.Accept, nil
}

// AskBy gives the desk for a call of a client: the client is the approver, if approval is "prompt"
// and the client can ask a person. Its dialog shows so many rows of a question, or QuestionRows if
// that is 0.
func (d Desk) AskBy(client *mcp.Client, env *command.Env, rows int) *Desk {
	d.isMCP = true
	if env.Settings.Approval == settings.ApprovalPrompt && client.CanAsk() {
		d.Approver = clientApprover{client, rows}
	} else if d.Approver == nil {
		d.mute = "the client doesn't offer elicitation, and there is no terminal"
	}
	return &d
}
