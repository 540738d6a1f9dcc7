package openfile

import "testing"

// TestConfirmedCopy: the system copies no file that the server doesn't have under its name.
func TestConfirmedCopy(t *testing.T) {
	for _, isOther := range []bool{false, true} {
		c := &confirmed{Handle: OfDescriptor(-1), asked: make(chan struct{}), isOther: isOther}
		c.once.Do(func() { close(c.asked) })
		if _, ok := descriptorOf(&File{Handle: c}); ok == isOther {
			t.Errorf("other %v: %v", isOther, ok)
		}
	}
}
