// Package limits has the scripts about the bounds of memory, output, descriptors and disk.
package limits

import (
	"os"
	"testing"

	"fsbox/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"fsbox-peaks": func() { os.Exit(peaks(os.Args[1:])) }})
}

func TestScripts(t *testing.T) { testscript.Run(t) }
