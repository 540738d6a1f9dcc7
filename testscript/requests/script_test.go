// Package requests has the scripts about requests and answers of any command: JSON, batch, the
// command line, help, schemas,
// the text form, and the mistakes of models.
package requests

import (
	"testing"

	"fsbox/testscript"
)

func TestMain(m *testing.M) { testscript.Main(m, terminals()) }

func TestScripts(t *testing.T) { testscript.Run(t) }
