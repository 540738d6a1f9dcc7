// Package approval makes a person agree to each change before it is made. A Desk carries a request
// out as a dry run (plan.go), reads what its paths lead to (look.go, taken.go) and puts into words
// what a diff doesn't show (note.go). The plan is shown at the terminal (prompt.go) or to the user
// of an MCP client (client.go), or it waits in the state folder for the operator's token (token.go,
// store.go, approve.go). approval.go has the whole way, and what a consent covers.
//
// It knows no single command: what a request would do is in the Change of its result.
package approval
