package transaction_test

import (
	"testing"

	"fsbox/sandbox/fixture"
)

func TestMain(m *testing.M) { fixture.Main(m) }
