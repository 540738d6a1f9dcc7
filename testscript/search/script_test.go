// Package search has the scripts about ls, glob and grep, and tests that compare them with other
// programs.
package search

import (
	"testing"

	"fsbox/testscript"
)

func TestMain(m *testing.M) { testscript.Main(m, nil) }

func TestScripts(t *testing.T) { testscript.Run(t) }
