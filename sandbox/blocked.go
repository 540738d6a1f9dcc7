package sandbox

import (
	"errors"
	"fmt"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/policy"
)

// BlockedError says which rule, or which Guard, blocks a path. Write means that reading it would be
// allowed.
type BlockedError struct {
	Pattern string
	Guard   string
	Write   bool
}

func (e *BlockedError) Error() string {
	switch {
	case e.Guard != "" && e.Write:
		return "it is on the way to " + e.Guard
	case e.Guard != "":
		return "access is blocked: " + e.Guard + " is there"
	case e.Write:
		return fmt.Sprintf("changes are blocked by policy (pattern %q)", e.Pattern)
	}
	return fmt.Sprintf("access is blocked by policy (pattern %q)", e.Pattern)
}

func (e *BlockedError) Is(target error) bool { return target == dir.ErrBlocked }

// blockedBy is the error for a path that a rule blocks, else nil.
func blockedBy(path string, v policy.Verdict) error {
	if !v.Blocks() {
		return nil
	}
	return &dir.PathError{Path: path, Err: &BlockedError{Pattern: v.Pattern, Write: v.Write}}
}

// blockedAs puts the requested path into an error of the policy.
func blockedAs(asked string, err error) error {
	if blocked, ok := errors.AsType[*dir.PathError](err); ok {
		return &dir.PathError{Path: asked, Err: blocked.Err}
	}
	return err
}
