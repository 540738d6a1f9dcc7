package command

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestKept(t *testing.T) { synctest.Test(t, testKept) }

func testKept(t *testing.T) {
	k := new(Kept)
	a, b := k.Put("a", 1), k.Put("b", mostKept/2)
	if a != "p1" || b != "p2" || k.Get(a) != "a" || k.Get(b) != "b" || k.Get("p3") != nil {
		t.Error(a, b, k.Get(a), k.Get(b))
	}
	if k.Put("too large", mostKept+1) != "" || k.Get(a) != "a" {
		t.Error("what is too large is kept, or drove something out")
	}
	c := k.Put("c", mostKept/2)
	if k.Get(a) != nil || k.Get(b) != "b" || k.Get(c) != "c" {
		t.Error("the oldest one doesn't make room")
	}
	k.Drop(b)
	time.Sleep(keptFor - 1)
	if d := k.Put("d", 1); k.Get(b) != nil || k.Get(c) != "c" || k.Get(d) != "d" {
		t.Error("what was dropped is there, or what wasn't is gone")
	}
	if time.Sleep(time.Nanosecond); k.Get(c) != nil || k.Get("p4") != "d" {
		t.Error("ten minutes aren't ten minutes")
	}
	var none *Kept
	none.Drop("p1")
	if none.Put("a", 1) != "" || none.Get("p1") != nil {
		t.Error("a nil one keeps something")
	}
}
