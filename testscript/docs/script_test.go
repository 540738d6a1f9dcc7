// Package docs runs what README.md and the pages of docs show, and checks these pages.
package docs

import (
	"testing"

	"fsbox/testscript"
)

func TestMain(m *testing.M) { testscript.Main(m, nil) }
