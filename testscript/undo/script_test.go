// Package undo has the scripts about undo, and the backups that it reads.
package undo

import (
	"testing"

	"fsbox/testscript"
)

func TestMain(m *testing.M) { testscript.Main(m, nil) }

func TestScripts(t *testing.T) { testscript.Run(t) }
