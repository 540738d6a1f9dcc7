package undo

import (
	"testing"

	"fsbox/sandbox/fixture"
)

func TestMain(m *testing.M) { fixture.Main(m) }
