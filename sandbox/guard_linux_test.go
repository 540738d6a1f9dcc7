package sandbox

import "testing"

func TestWayStart(t *testing.T) {
	if way := wayTo("/none/f"); way.base == "" {
		t.Error("a path whose first name is missing begins nowhere")
	}
}
