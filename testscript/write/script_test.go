// Package write has the scripts about write and append, and what all changes have: dry runs,
// diffs, durability, recovery.
package write

import (
	"testing"

	"fsbox/testscript"
)

func TestMain(m *testing.M) { testscript.Main(m, nil) }

func TestScripts(t *testing.T) { testscript.Run(t) }
