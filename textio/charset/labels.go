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

// Lookup finds an encoding by a label of the WHATWG Encoding Standard, in any case and with blanks
// around it, or by "utf-32", "utf-32le", "utf-32be". As in the standard, latin1 and ascii mean
// windows-1252, and utf-16 little endian; a byte order mark is the caller's to look at. The labels
// that the standard maps to "replacement" are not found.
func Lookup(label string) (*Encoding, bool) {
	// Switches, where a map would be built in every run of the program.
	label = strings.ToLower(strings.Trim(label, "\t\n\f\r "))
	for _, lookup := range [...]func(string) *Encoding{
		lookupUnicode, lookupWindows, lookupEastAsian, lookupISO8859, lookupOtherCharmap,
	} {
		if e := lookup(label); e != nil {
			return e, true
		}
	}
	return nil, false
}

func lookupUnicode(label string) *Encoding {
	switch label {
	case "utf-8", "utf8", "unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "x-unicode20utf8":
		return &unicodeEncodings[formUTF8]
	case "utf-16le", "utf-16", "csunicode", "iso-10646-ucs-2", "ucs-2", "unicode", "unicodefeff":
		return &unicodeEncodings[formUTF16LE]
	case "utf-16be", "unicodefffe":
		return &unicodeEncodings[formUTF16BE]
	case "utf-32le", "utf-32":
		return &unicodeEncodings[formUTF32LE]
	case "utf-32be":
		return &unicodeEncodings[formUTF32BE]
	}
	return nil
}

func lookupWindows(label string) *Encoding {
	switch label {
	case "windows-874", "dos-874", "iso-8859-11", "iso8859-11", "iso885911", "tis-620":
		return newCharmap("windows-874", charmap.Windows874)
	case "windows-1250", "cp1250", "x-cp1250":
		return newCharmap("windows-1250", charmap.Windows1250)
	case "windows-1251", "cp1251", "x-cp1251":
		return newCharmap("windows-1251", charmap.Windows1251)
	case "windows-1252", "cp1252", "x-cp1252", "ansi_x3.4-1968", "ascii", "us-ascii", "cp819", "csisolatin1", "ibm819",
		"iso-8859-1", "iso-ir-100", "iso8859-1", "iso88591", "iso_8859-1", "iso_8859-1:1987", "l1", "latin1":
		return newCharmap("windows-1252", charmap.Windows1252)
	case "windows-1253", "cp1253", "x-cp1253":
		return newCharmap("windows-1253", charmap.Windows1253)
	case "windows-1254", "cp1254", "x-cp1254", "csisolatin5", "iso-8859-9", "iso-ir-148", "iso8859-9", "iso88599",
		"iso_8859-9", "iso_8859-9:1989", "l5", "latin5":
		return newCharmap("windows-1254", charmap.Windows1254)
	case "windows-1255", "cp1255", "x-cp1255":
		return newCharmap("windows-1255", charmap.Windows1255)
	case "windows-1256", "cp1256", "x-cp1256":
		return newCharmap("windows-1256", charmap.Windows1256)
	case "windows-1257", "cp1257", "x-cp1257":
		return newCharmap("windows-1257", charmap.Windows1257)
	case "windows-1258", "cp1258", "x-cp1258":
		return newCharmap("windows-1258", charmap.Windows1258)
	}
	return nil
}

func lookupEastAsian(label string) *Encoding {
	switch label {
	case "gbk", "chinese", "csgb2312", "csiso58gb231280", "gb2312", "gb_2312", "gb_2312-80", "iso-ir-58", "x-gbk":
		return newLegacy("gbk", simplifiedchinese.GBK)
	case "gb18030":
		return newLegacy("gb18030", simplifiedchinese.GB18030)
	case "big5", "big5-hkscs", "cn-big5", "csbig5", "x-x-big5":
		return newLegacy("big5", traditionalchinese.Big5)
	case "euc-jp", "cseucpkdfmtjapanese", "x-euc-jp":
		return newLegacy("euc-jp", japanese.EUCJP)
	case "iso-2022-jp", "csiso2022jp":
		return newLegacy("iso-2022-jp", japanese.ISO2022JP)
	case "shift_jis", "shift-jis", "sjis", "csshiftjis", "ms932", "ms_kanji", "windows-31j", "x-sjis":
		return newLegacy("shift_jis", japanese.ShiftJIS)
	case "euc-kr", "cseuckr", "csksc56011987", "iso-ir-149", "korean", "ks_c_5601-1987", "ks_c_5601-1989", "ksc5601",
		"ksc_5601", "windows-949":
		return newLegacy("euc-kr", korean.EUCKR)
	}
	return nil
}

func lookupISO8859(label string) *Encoding {
	switch label {
	case "iso-8859-2", "csisolatin2", "iso-ir-101", "iso8859-2", "iso88592", "iso_8859-2", "iso_8859-2:1987", "l2", "latin2":
		return newCharmap("iso-8859-2", charmap.ISO8859_2)
	case "iso-8859-3", "csisolatin3", "iso-ir-109", "iso8859-3", "iso88593", "iso_8859-3", "iso_8859-3:1988", "l3", "latin3":
		return newCharmap("iso-8859-3", charmap.ISO8859_3)
	case "iso-8859-4", "csisolatin4", "iso-ir-110", "iso8859-4", "iso88594", "iso_8859-4", "iso_8859-4:1988", "l4", "latin4":
		return newCharmap("iso-8859-4", charmap.ISO8859_4)
	case "iso-8859-5", "csisolatincyrillic", "cyrillic", "iso-ir-144", "iso8859-5", "iso88595", "iso_8859-5", "iso_8859-5:1988":
		return newCharmap("iso-8859-5", charmap.ISO8859_5)
	case "iso-8859-6", "arabic", "asmo-708", "csiso88596e", "csiso88596i", "csisolatinarabic", "ecma-114", "iso-8859-6-e",
		"iso-8859-6-i", "iso-ir-127", "iso8859-6", "iso88596", "iso_8859-6", "iso_8859-6:1987":
		return newCharmap("iso-8859-6", charmap.ISO8859_6)
	case "iso-8859-7", "csisolatingreek", "ecma-118", "elot_928", "greek", "greek8", "iso-ir-126", "iso8859-7", "iso88597",
		"iso_8859-7", "iso_8859-7:1987", "sun_eu_greek":
		return newCharmap("iso-8859-7", charmap.ISO8859_7)
	case "iso-8859-8", "csiso88598e", "csisolatinhebrew", "hebrew", "iso-8859-8-e", "iso-ir-138", "iso8859-8", "iso88598",
		"iso_8859-8", "iso_8859-8:1988", "visual":
		return newCharmap("iso-8859-8", charmap.ISO8859_8)
	case "iso-8859-8-i", "csiso88598i", "logical":
		return newCharmap("iso-8859-8-i", charmap.ISO8859_8)
	case "iso-8859-10", "csisolatin6", "iso-ir-157", "iso8859-10", "iso885910", "l6", "latin6":
		return newCharmap("iso-8859-10", charmap.ISO8859_10)
	case "iso-8859-13", "iso8859-13", "iso885913":
		return newCharmap("iso-8859-13", charmap.ISO8859_13)
	case "iso-8859-14", "iso8859-14", "iso885914":
		return newCharmap("iso-8859-14", charmap.ISO8859_14)
	case "iso-8859-15", "csisolatin9", "iso8859-15", "iso885915", "iso_8859-15", "l9":
		return newCharmap("iso-8859-15", charmap.ISO8859_15)
	case "iso-8859-16":
		return newCharmap("iso-8859-16", charmap.ISO8859_16)
	}
	return nil
}

func lookupOtherCharmap(label string) *Encoding {
	switch label {
	case "ibm866", "866", "cp866", "csibm866":
		return newCharmap("ibm866", charmap.CodePage866)
	case "koi8-r", "cskoi8r", "koi", "koi8", "koi8_r":
		return newCharmap("koi8-r", charmap.KOI8R)
	case "koi8-u", "koi8-ru":
		return newCharmap("koi8-u", charmap.KOI8U)
	case "macintosh", "csmacintosh", "mac", "x-mac-roman":
		return newCharmap("macintosh", charmap.Macintosh)
	case "x-mac-cyrillic", "x-mac-ukrainian":
		return newCharmap("x-mac-cyrillic", charmap.MacintoshCyrillic)
	case "x-user-defined":
		return newCharmap("x-user-defined", charmap.XUserDefined)
	}
	return nil
}

func newCharmap(name string, table *charmap.Charmap) *Encoding {
	return &Encoding{name: name, form: formByte, single: table}
}

func newLegacy(name string, e encoding.Encoding) *Encoding {
	return &Encoding{name: name, form: formLegacy, legacy: e}
}
