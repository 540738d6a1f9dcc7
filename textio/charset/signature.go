package charset

import "bytes"

// A signature is a byte sequence at a fixed offset that identifies a binary format. The second
// sequence must be there, too, and sure, if it isn't nil, must return true.
type signature struct {
	media  string
	at     int
	magic  string
	at2    int
	magic2 string
	sure   func(head []byte) bool
}

// signatures has the formats worth naming to a caller. Each has a byte that text doesn't have, or
// its sure demands one: a source file that begins with "BM" or "MZ" must not be taken for binary.
// The signatures of PDF and ar are long enough without such a byte.
var signatures = [...]signature{
	{media: "image/png", magic: "\x89PNG\r\n\x1a\n"},
	{media: "image/jpeg", magic: "\xff\xd8\xff"},
	{media: "image/gif", magic: "GIF87a", sure: hasControl},
	{media: "image/gif", magic: "GIF89a", sure: hasControl},
	{media: "image/webp", magic: "RIFF", at2: 8, magic2: "WEBPVP8", sure: hasControl},
	{media: "image/bmp", magic: "BM", at2: 6, magic2: "\x00\x00\x00\x00", sure: isBMP},
	{media: "image/x-icon", magic: "\x00\x00\x01\x00", sure: isIcon},
	{media: "image/tiff", magic: "II*\x00"},
	{media: "image/tiff", magic: "MM\x00*"},
	{media: "application/pdf", magic: "%PDF-", sure: isPDF},
	{media: "application/zip", magic: "PK\x03\x04"},
	{media: "application/zip", magic: "PK\x05\x06"}, // empty archive
	{media: "application/gzip", magic: "\x1f\x8b\x08"},
	{media: "application/x-bzip2", magic: "BZh", at2: 4, magic2: "1AY&SY", sure: hasControl},
	{media: "application/x-bzip2", magic: "BZh", at2: 4, magic2: "\x17\x72\x45\x38\x50\x90"}, // no blocks
	{media: "application/x-xz", magic: "\xfd7zXZ\x00"},
	{media: "application/zstd", magic: "\x28\xb5\x2f\xfd"},
	{media: "application/x-7z-compressed", magic: "7z\xbc\xaf\x27\x1c"},
	{media: "application/vnd.rar", magic: "Rar!\x1a\x07"},
	{media: "application/x-tar", at: 257, magic: "ustar\x00"},   // POSIX
	{media: "application/x-tar", at: 257, magic: "ustar  \x00"}, // GNU
	{media: "application/x-archive", magic: "!<arch>\n"},
	{media: "application/x-elf", magic: "\x7fELF"},
	{media: "application/x-mach-binary", magic: "\xfe\xed\xfa\xce"},
	{media: "application/x-mach-binary", magic: "\xfe\xed\xfa\xcf"},
	{media: "application/x-mach-binary", magic: "\xce\xfa\xed\xfe"},
	{media: "application/x-mach-binary", magic: "\xcf\xfa\xed\xfe"},
	{media: "application/java-vm", magic: "\xca\xfe\xba\xbe", sure: isClass},
	{media: "application/x-mach-binary", magic: "\xca\xfe\xba\xbe\x00\x00\x00"}, // universal
	{media: "application/vnd.microsoft.portable-executable", magic: "MZ", sure: isExecutable},
	{media: "application/wasm", magic: "\x00asm"},
	{media: "application/vnd.sqlite3", magic: "SQLite format 3\x00"},
	{media: "audio/mpeg", magic: "ID3", sure: isID3},
	{media: "audio/mpeg", magic: "\xff\xfb", sure: isMPEGFrame},
	{media: "audio/mpeg", magic: "\xff\xf3", sure: isMPEGFrame},
	{media: "audio/mpeg", magic: "\xff\xf2", sure: isMPEGFrame},
	{media: "audio/ogg", magic: "OggS\x00"},
	{media: "audio/flac", magic: "fLaC", at2: 5, magic2: "\x00\x00\x22"}, // STREAMINFO, always 34 bytes
	{media: "audio/wav", magic: "RIFF", at2: 8, magic2: "WAVE", sure: hasControl},
	{media: "image/avif", magic: "\x00\x00", at2: 4, magic2: "ftypavif"},
	{media: "image/heic", magic: "\x00\x00", at2: 4, magic2: "ftypheic"},
	{media: "video/mp4", magic: "\x00\x00", at2: 4, magic2: "ftyp"},
	{media: "video/x-matroska", magic: "\x1a\x45\xdf\xa3"},
	{media: "font/woff", magic: "wOFF", sure: hasControl},
	{media: "font/woff2", magic: "wOF2", sure: hasControl},
	{media: "font/ttf", magic: "\x00\x01\x00\x00\x00"},
	{media: "font/otf", magic: "OTTO\x00"},
}

func sniffSignature(head []byte) (media string, ok bool) {
	for i := range signatures {
		s := &signatures[i]
		if s.at < len(head) && head[s.at] == s.magic[0] && s.matches(head) { // nearly all differ in the first byte
			return s.media, true
		}
	}
	return "", false
}

func (s *signature) matches(head []byte) bool {
	return hasAt(head, s.at, s.magic) && hasAt(head, s.at2, s.magic2) && (s.sure == nil || s.sure(head))
}

func hasAt(head []byte, at int, magic string) bool {
	return len(head) >= at+len(magic) && string(head[at:at+len(magic)]) == magic
}

// hasControl looks for a byte that no text has: a control character other than blanks, backspace
// (overstruck manual pages) and escape (terminal colours).
func hasControl(head []byte) bool {
	for _, c := range head {
		if c < ' ' && (c < '\b' || c > '\r') && c != 0x1b {
			return true
		}
	}
	return false
}

// isBMP wants the header length of one of the known bitmap headers.
func isBMP(head []byte) bool {
	return len(head) >= 18 && head[14] >= 12 && head[14] <= 124 && hasAt(head, 15, "\x00\x00\x00")
}

// isIcon wants at least one image, and the reserved byte of its entry to be 0.
func isIcon(head []byte) bool {
	return len(head) >= 10 && (head[4] != 0 || head[5] != 0) && head[9] == 0
}

func isPDF(head []byte) bool {
	return len(head) >= 8 && head[5] >= '1' && head[5] <= '2' && head[6] == '.' && head[7] >= '0' && head[7] <= '9'
}

// isClass tells Java's class files from universal binaries, which share the magic. After it a class
// file has its version, whose major number begins at 45, and a universal binary the number of its
// parts, a handful.
func isClass(head []byte) bool {
	return len(head) >= 8 && (head[6] > 0 || head[7] >= 45)
}

// isExecutable wants a NUL in the 64 bytes of the DOS header.
func isExecutable(head []byte) bool {
	return len(head) >= 64 && bytes.IndexByte(head[:64], 0) >= 0
}

// isID3 wants a version of the tag that exists and a size of four 7-bit bytes.
func isID3(head []byte) bool {
	return len(head) >= 10 && head[3] >= 2 && head[3] <= 4 && head[4] < 0x10 &&
		head[6]|head[7]|head[8]|head[9] < 0x80
}

// isMPEGFrame wants a bit rate and a sampling rate that exist, and a byte that text lacks: the two
// bytes of sync are letters in Latin-1.
func isMPEGFrame(head []byte) bool {
	return len(head) >= 4 && head[2]>>4 != 0 && head[2]>>4 != 0xf && head[2]>>2&3 != 3 && hasControl(head)
}
