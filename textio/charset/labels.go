package charset

import (
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// labelled lists the encodings with their labels, the first of which is the name. The first rows
// are those of unicodeEncodings. The tables are given by their addresses, so that the array costs
// no time at the start of the program.
var labelled = [...]struct {
	labels string
	single **charmap.Charmap
	legacy *encoding.Encoding
	runs   []run
}{
	{labels: "utf-8 utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8"},
	{labels: "utf-16le utf-16 csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff"},
	{labels: "utf-16be unicodefffe"},
	{labels: "utf-32le utf-32"},
	{labels: "utf-32be"},
	{labels: "windows-874 dos-874 iso-8859-11 iso8859-11 iso885911 tis-620", single: &charmap.Windows874},
	{labels: "windows-1250 cp1250 x-cp1250", single: &charmap.Windows1250},
	{labels: "windows-1251 cp1251 x-cp1251", single: &charmap.Windows1251},
	{labels: "windows-1252 cp1252 x-cp1252 ansi_x3.4-1968 ascii us-ascii cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 " +
		"iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1", single: &charmap.Windows1252},
	{labels: "windows-1253 cp1253 x-cp1253", single: &charmap.Windows1253},
	{labels: "windows-1254 cp1254 x-cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 " +
		"latin5", single: &charmap.Windows1254},
	{labels: "windows-1255 cp1255 x-cp1255", single: &charmap.Windows1255},
	{labels: "windows-1256 cp1256 x-cp1256", single: &charmap.Windows1256},
	{labels: "windows-1257 cp1257 x-cp1257", single: &charmap.Windows1257},
	{labels: "windows-1258 cp1258 x-cp1258", single: &charmap.Windows1258},
	{labels: "gbk chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 iso-ir-58 x-gbk", legacy: &simplifiedchinese.GBK,
		runs: gbRuns[:]},
	{labels: "gb18030", legacy: &simplifiedchinese.GB18030, runs: gbRuns[:]},
	{labels: "big5 big5-hkscs cn-big5 csbig5 x-x-big5", legacy: &traditionalchinese.Big5},
	{labels: "euc-jp cseucpkdfmtjapanese x-euc-jp", legacy: &japanese.EUCJP},
	{labels: "shift_jis shift-jis sjis csshiftjis ms932 ms_kanji windows-31j x-sjis", legacy: &japanese.ShiftJIS,
		runs: shiftJISRuns[:]},
	{labels: "euc-kr cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949",
		legacy: &korean.EUCKR},
	{labels: "iso-8859-2 csisolatin2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2", single: &charmap.ISO8859_2},
	{labels: "iso-8859-3 csisolatin3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3", single: &charmap.ISO8859_3},
	{labels: "iso-8859-4 csisolatin4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4", single: &charmap.ISO8859_4},
	{labels: "iso-8859-5 csisolatincyrillic cyrillic iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988", single: &charmap.ISO8859_5},
	{labels: "iso-8859-6 arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6-e iso-8859-6-i iso-ir-127 " +
		"iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987", single: &charmap.ISO8859_6},
	{labels: "iso-8859-7 csisolatingreek ecma-118 elot_928 greek greek8 iso-ir-126 iso8859-7 iso88597 iso_8859-7 iso_8859-7:1987 " +
		"sun_eu_greek", single: &charmap.ISO8859_7},
	{labels: "iso-8859-8 csiso88598e csisolatinhebrew hebrew iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 iso_8859-8:1988 " +
		"visual", single: &charmap.ISO8859_8},
	{labels: "iso-8859-8-i csiso88598i logical", single: &charmap.ISO8859_8},
	{labels: "iso-8859-10 csisolatin6 iso-ir-157 iso8859-10 iso885910 l6 latin6", single: &charmap.ISO8859_10},
	{labels: "iso-8859-13 iso8859-13 iso885913", single: &charmap.ISO8859_13},
	{labels: "iso-8859-14 iso8859-14 iso885914", single: &charmap.ISO8859_14},
	{labels: "iso-8859-15 csisolatin9 iso8859-15 iso885915 iso_8859-15 l9", single: &charmap.ISO8859_15},
	{labels: "iso-8859-16", single: &charmap.ISO8859_16},
	{labels: "ibm866 866 cp866 csibm866", single: &charmap.CodePage866},
	{labels: "koi8-r cskoi8r koi koi8 koi8_r", single: &charmap.KOI8R},
	{labels: "koi8-u koi8-ru", single: &charmap.KOI8U},
	{labels: "macintosh csmacintosh mac x-mac-roman", single: &charmap.Macintosh},
	{labels: "x-mac-cyrillic x-mac-ukrainian", single: &charmap.MacintoshCyrillic},
	{labels: "x-user-defined", single: &charmap.XUserDefined},
}

// Lookup finds an encoding by a label of the WHATWG Encoding Standard, in any case and with blanks
// around it, or by "utf-32", "utf-32le", "utf-32be". As in the standard, latin1 and ascii mean
// windows-1252, and utf-16 little endian; it is for the caller to look for a byte order mark. The
// labels that the standard maps to "replacement" are not found. A label that differs from a known
// one only in "-" and "_", such as latin-1 or utf16le, is found as well.
func Lookup(label string) (*Encoding, bool) {
	label = strings.ToLower(strings.Trim(label, "\t\n\f\r "))
	exact := func(known string) bool { return known == label }
	bare := unjoined(label)
	loose := func(known string) bool { return unjoined(known) == bare }
	for _, same := range [...]func(known string) bool{exact, loose} {
		for i := range labelled {
			for known := range strings.SplitSeq(labelled[i].labels, " ") {
				if same(known) {
					return encodingAt(i), true
				}
			}
		}
	}
	return nil, false
}

// unjoined is a label without "-" and "_", which programs put into labels in different ways.
func unjoined(label string) string {
	return strings.ReplaceAll(strings.ReplaceAll(label, "-", ""), "_", "")
}

// encodingAt makes the encoding of row i of labelled.
func encodingAt(i int) *Encoding {
	row := &labelled[i]
	name, _, _ := strings.Cut(row.labels, " ")
	switch {
	case row.single != nil:
		return &Encoding{name: name, form: formByte, width: 1, single: *row.single}
	case row.legacy != nil:
		return &Encoding{name: name, form: formLegacy, width: 1, legacy: row.legacy, runs: row.runs}
	}
	return &unicodeEncodings[i]
}
