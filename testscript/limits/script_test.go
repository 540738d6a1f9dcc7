// Package limits has the scripts about the bounds of memory, output, descriptors and disk.
package limits

import (
	"testing"

	"fsbox/testscript"
)

func TestMain(m *testing.M) { testscript.Main(m, nil) }

func TestScripts(t *testing.T) { testscript.Run(t) }
