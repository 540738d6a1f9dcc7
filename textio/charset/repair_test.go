package charset

import "testing"

// An ASCII byte after a lead byte that makes no character with it is a character of its own, as the
// WHATWG Encoding Standard has it.
func TestLegacyRepairs(t *testing.T) {
	for _, tt := range []struct{ encoding, bytes, text string }{
		{"shift_jis", "a\x82@b\x82", "a\ufffd@b\ufffd"},
		{"shift_jis", "\x82\xa0\x82@\x83\x41", "あ\ufffd@ア"},
		{"big5", "\x82@x", "\ufffd@x"},
		{"big5", "\xa4\xa4\x82@\x88\x62", "中\ufffd@\u00ca\u0304"},
		{"euc-jp", "\xa4\xa2\xa1 \x8f\xa1 x", "あ\ufffd \ufffd x"},
		{"euc-kr", "\xb0\xa1\xc7A", "가\ufffdA"},
		{"gbk", "\xa1 \xb0\xa1", "\ufffd 啊"},
		{"gb18030", "\xb0\xa1\x81\x30\x81\x30\xff<", "啊\u0080\ufffd<"},
	} {
		e, ok := Lookup(tt.encoding)
		if !ok {
			t.Fatal(tt.encoding)
		}
		text, invalid := e.Decode([]byte(tt.bytes))
		if string(text) != tt.text || invalid != containsReplacement(tt.text) {
			t.Errorf("%s %x: %q, invalid %v, want %q", tt.encoding, tt.bytes, text, invalid, tt.text)
		}
		if invalid {
			continue
		}
		if back, err := e.Encode(text); err != nil || string(back) != tt.bytes {
			t.Errorf("%s %q: %x, %v", tt.encoding, text, back, err)
		}
	}
}

func containsReplacement(text string) bool {
	for _, r := range text {
		if r == '\ufffd' {
			return true
		}
	}
	return false
}
