// Package settings has the scripts about the config file, check and the log.
package settings

import (
	"testing"

	"fsbox/testscript"
)

func TestMain(m *testing.M) { testscript.Main(m, nil) }

func TestScripts(t *testing.T) { testscript.Run(t) }
