// Package hostile has the scripts about paths, policies and links that try to get out of the
// workspace.
package hostile

import (
	"testing"

	"fsbox/testscript"
)

func TestMain(m *testing.M) { testscript.Main(m, nil) }

func TestScripts(t *testing.T) { testscript.Run(t) }
