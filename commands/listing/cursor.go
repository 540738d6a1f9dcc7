package listing

import (
	"encoding/base64"
	"encoding/binary"
	"hash/fnv"
	"math"
	"strconv"
	"strings"

	"fsbox/commands/answer"
)

// A cursor is opaque to callers. It says where the next page begins. It is neither secret nor
// trusted: what it holds is checked like any other input. It is kept short, since a model reads it
// with every page, and has three parts:
//
//   - one letter, the kind, which says which command's cursor it is; as a capital if the rest is in
//     base64. Without a letter, it could begin with "-" and be read as a flag.
//   - a checksum of its content and of the request's arguments, sumChars long
//   - its content: parts with colons between, or in base64 if a part has characters that could be
//     altered on their way

const (
	sumChars        = 5
	sumBits         = 6 * sumChars
	plainSeparator  = ":"
	cursorSeparator = "\x00" // in base64
	plainInCursor   = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._-+"
)

// EncodeCursor makes a cursor of its parts, for requests with this fingerprint.
func EncodeCursor(kind, fingerprint string, parts ...string) string {
	sum := cursorSum(kind, fingerprint, parts)
	for _, part := range parts {
		if strings.Trim(part, plainInCursor) != "" {
			return strings.ToUpper(kind) + sum + base64.RawURLEncoding.EncodeToString([]byte(strings.Join(parts, cursorSeparator)))
		}
	}
	return kind + sum + strings.Join(parts, plainSeparator)
}

// cursorSum is the checksum, as text.
func cursorSum(kind, fingerprint string, parts []string) string {
	h := fnv.New32a()
	h.Write([]byte(kind + cursorSeparator + fingerprint + cursorSeparator + strings.Join(parts, cursorSeparator)))
	sum := h.Sum32()
	sum ^= sum >> sumBits // so that the bits which are cut off count, too
	text := base64.RawURLEncoding.EncodeToString(binary.BigEndian.AppendUint32(nil, sum<<(32-sumBits)))
	return text[:sumChars]
}

// OpenCursor gives the parts of a cursor back, want of them; none for "", which is the first page.
func OpenCursor(kind, cursor, fingerprint string, want int) ([]string, *answer.Failure) {
	switch {
	case cursor == "":
		return nil, nil
	case len(cursor) < len(kind)+sumChars:
		return nil, ForeignCursor()
	case !strings.EqualFold(cursor[:len(kind)], kind) && strings.Contains(cursorKinds, strings.ToLower(cursor[:1])):
		return nil, BadCursor("the cursor belongs to another command")
	}
	sum, body := cursor[len(kind):][:sumChars], cursor[len(kind)+sumChars:]
	parts := strings.Split(body, plainSeparator)
	if cursor[:len(kind)] != kind {
		raw, err := base64.RawURLEncoding.DecodeString(body)
		if err != nil {
			return nil, ForeignCursor()
		}
		parts = strings.Split(string(raw), cursorSeparator)
	}
	if len(parts) != want || sum != cursorSum(kind, fingerprint, parts) {
		return nil, ForeignCursor()
	}
	return parts, nil
}

// cursorKinds are the kinds of all commands.
const cursorKinds = GlobCursor + GrepCursor + LsCursor + ReadCursor + UndoCursor

func ForeignCursor() *answer.Failure {
	return BadCursor("the cursor is not one that was given for these arguments")
}

func BadCursor(message string) *answer.Failure {
	return answer.Failf(answer.CodeInvalidCursor, "%s", message).
		WithHint("pass next_cursor of the last answer unchanged, with the same arguments, or start again without a cursor")
}

// Fingerprint is a short hash of arguments: a cursor is only valid for a request with the same
// ones.
func Fingerprint(args ...string) string {
	h := fnv.New64a()
	for _, a := range args {
		h.Write([]byte(strconv.Itoa(len(a)) + ":" + a))
	}
	return strconv.FormatUint(h.Sum64()>>32^h.Sum64()&math.MaxUint32, 36)
}

// Numbers parses the parts of a cursor that are integers.
func Numbers(base int, parts ...string) ([]int64, bool) {
	all := make([]int64, len(parts))
	for i, p := range parts {
		n, err := strconv.ParseInt(p, base, 64)
		if err != nil {
			return nil, false
		}
		all[i] = n
	}
	return all, true
}

const UndoCursor, GlobCursor, LsCursor, GrepCursor = "u", "b", "l", "g"

// ReadCursor is the kind of cursor that read gives. It holds a position, and facts that show
// whether the file has changed since, because then its line number may be wrong. If the file has
// only grown, the number is still right.
const ReadCursor = "r"
