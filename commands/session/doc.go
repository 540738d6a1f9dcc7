// Package session carries out calls. Open builds a Session from the settings: the workspace, the
// log, and who agrees to changes. Session.Do takes one call from its check to its answer (do.go):
// the fields, the permissions, what killed calls left unfinished, approval, the command's Run, and
// what its failure lacks. A call that hangs is answered in time, and left behind.
//
// Confine shuts the process into the root (session.go), and crash.go makes an answer of a panic.
//
// It doesn't know where requests come from or where answers go, and no single command.
package session
