// Package approval has the scripts about changes that a person has to approve.
package approval

import (
	"testing"

	"fsbox/testscript"
)

func TestMain(m *testing.M) { testscript.Main(m, terminals()) }

func TestScripts(t *testing.T) { testscript.Run(t) }
