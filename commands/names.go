package commands

import (
	"encoding/base64"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"fsbox/sandbox/dir"
	"fsbox/textio"
)

// base64Name is the exact name in base64, "" for a UTF-8 name, which can be shown as it is.
func base64Name(path string) string {
	if utf8.ValidString(path) {
		return ""
	}
	return base64.StdEncoding.EncodeToString([]byte(path))
}

// decodedName is the name that base64Name wrote.
func decodedName(base64Name string) string {
	name, _ := base64.StdEncoding.DecodeString(base64Name) // it is what this program wrote
	return string(name)
}

// shown is a name as answers show it: bytes that aren't UTF-8 become U+FFFD.
func shown(name string) string {
	if utf8.ValidString(name) { // ToValidUTF8 takes ten times as long to find out
		return name
	}
	return strings.ToValidUTF8(name, "\ufffd")
}

// ExactName is a name that isn't UTF-8, as it is shown and as it is. Answers with lists of plain
// paths have a list of these as well.
type ExactName struct {
	Path       string `json:"path"`
	PathBase64 string `json:"path_base64"`
}

// exactNames are the exact names of those paths that aren't UTF-8.
func exactNames(paths ...string) (names []ExactName) {
	for _, path := range paths {
		if base64 := base64Name(path); base64 != "" {
			names = append(names, ExactName{Path: path, PathBase64: base64})
		}
	}
	return names
}

// under joins a folder's path and what lies in it.
func under(folder, rel string) string {
	if folder == "." {
		return rel
	}
	if rel == "." {
		return folder
	}
	return folder + "/" + rel
}

// below gives path relative to folder, both relative to the root.
func below(folder, path string) string {
	switch folder {
	case ".":
		return path
	case path:
		return "."
	}
	return strings.TrimPrefix(strings.TrimPrefix(path, folder), "/")
}

// shortName is a text from a request as messages repeat it: of a long one, both ends.
func shortName(text string) string { return shortTo(longestName, text) }

func shortTo(most int, text string) string {
	if len(text) > most {
		return textio.Shorten(text)
	}
	return text
}

// plural gives "1 line", "2 lines".
func plural(n int64, noun string) string {
	text := formatInt(n) + " " + noun
	switch {
	case n == 1:
	case strings.HasSuffix(noun, "y"):
		text = strings.TrimSuffix(text, "y") + "ies"
	case strings.HasSuffix(noun, "ch"):
		text += "es"
	default:
		text += "s"
	}
	return text
}

// orNull is how answers show a text that may be missing: null for "".
func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// mapped gives what a function makes of each item of a list, nil for an empty list.
func mapped[A, B any](list []A, do func(A) B) (out []B) {
	for _, item := range list {
		out = append(out, do(item))
	}
	return out
}

// seconds gives a time as seconds since 1970, to the microsecond: as far as a float64 goes.
func seconds(t time.Time) float64 { return float64(t.UnixMicro()) / 1e6 }

// octal gives permission bits the way chmod takes them.
func octal(mode fs.FileMode) string { return fmt.Sprintf("%04o", dir.UnixBits(mode)) }

// parseMode reads octal permission bits; "" gives nil.
func parseMode(text string) (*fs.FileMode, error) {
	if text == "" {
		return nil, nil
	}
	bits, err := strconv.ParseUint(text, 8, 32)
	if err != nil || bits > 0o7777 {
		return nil, failf(CodeInvalidInput, "%q must be octal permission bits, not %q", "file_mode", text).hint(`such as "0644" or "0755"`)
	}
	if bits > 0o777 {
		return nil, failf(CodeInvalidInput, "%q sets permission bits only, and %q has the setuid, setgid or sticky bit", "file_mode", text).
			hint("the last three digits are the permission bits: %04o", bits&0o777)
	}
	mode := dir.FileBits(uint32(bits))
	return &mode, nil
}
