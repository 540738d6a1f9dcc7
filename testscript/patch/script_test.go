// Package patch has the scripts about patch, and tests that compare it with git.
package patch

import (
	"testing"

	"fsbox/testscript"
)

func TestMain(m *testing.M) { testscript.Main(m, nil) }

func TestScripts(t *testing.T) { testscript.Run(t) }
