// Package edit has the scripts about edit, and a test that makes random edits in every encoding.
package edit

import (
	"testing"

	"fsbox/testscript"
)

func TestMain(m *testing.M) { testscript.Main(m, nil) }

func TestScripts(t *testing.T) { testscript.Run(t) }
