package charset

import "testing"

// An ASCII byte after a lead byte that makes no character with it is a character of its own, and
// the characters that GB 18030 has moved in 2022 are read and written where they are now, as the
// WHATWG Encoding Standard has it.
func TestLegacyRepairs(t *testing.T) {
	for _, tt := range []struct{ encoding, bytes, text string }{
		{"shift_jis", "a\x82@b\x82", "a\ufffd@b\ufffd"},
		{"shift_jis", "\x82\xa0\x82@\x83\x41", "あ\ufffd@ア"},
		{"big5", "\x82@x", "\ufffd@x"},
		{"big5", "\xa4\xa4\x82@\x88\x62", "中\ufffd@\u00ca\u0304"},
		{"euc-jp", "\xa4\xa2\xa1 \x8f\xa1 x", "あ\ufffd \ufffd x"},
		{"euc-kr", "\xb0\xa1\xc7A", "가\ufffdA"},
		{"gbk", "\xa1 \xa6\xd9", "\ufffd \ufe10"},
		{"gb18030", "\xa6\xd9\xfe\x59\xa8\xbc\xff<", "\ufe10\u9fb4\u1e3f\ufffd<"},
		{"gb18030", "\x81\x35\xf4\x37\xa8\xbc", "\ue7c7\u1e3f"},
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
