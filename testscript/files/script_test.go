// Package files has the scripts about mkdir, copy, move and delete.
package files

import (
	"testing"

	"fsbox/testscript"
)

func TestMain(m *testing.M) { testscript.Main(m, nil) }

func TestScripts(t *testing.T) { testscript.Run(t) }
