package approval

import (
	"context"
	"errors"
	"fmt"

	"fsbox/commands/mcp"
	"fsbox/commands/settings"
	"fsbox/commands/verb"
)

// clientApprover asks the person who uses an MCP client, by elicitation. In the protocol without
// sessions (see mcp/doc.go) the question goes out as the answer to the call, and the person's
// answer comes when the client sends the same call again.
type clientApprover struct {
	client *mcp.Client
	root   string
}

// Approve shows the plan. The key of the question names the plan, so an answer counts for that plan
// only.
func (a clientApprover) Approve(ctx context.Context, plan *Plan) (yes bool, err error) {
	plan.shrink()
	reply, err := a.client.Ask(ctx, mcp.Question{Key: "approval-" + plan.digest.String(), Message: plan.message(a.root)})
	switch {
	case err != nil:
		return false, fmt.Errorf("%w: %w", errNobody, err)
	case reply == mcp.Accept, reply == mcp.Decline:
		return reply == mcp.Accept, nil
	}
	return false, errors.New("the question was closed without an answer")
}

// AskBy gives the desk for a call of a client: the client is the approver, if approval is "prompt"
// and the client can ask a person.
func (d Desk) AskBy(client *mcp.Client, env *verb.Env) *Desk {
	if env.Settings.Approval == settings.ApprovalPrompt && client.CanAsk() {
		d.Approver = clientApprover{client: client, root: env.Workspace.Root()}
	}
	return &d
}
