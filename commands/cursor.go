package commands

import (
	"encoding/base64"
	"encoding/binary"
	"hash/fnv"
	"math"
	"strconv"
	"strings"
)

// A cursor is opaque to callers: base64 of its parts with a checksum in front. It says where the
// next page begins. It is neither secret nor trusted: what it holds is checked like any other
// input.

const cursorSeparator = "\x00"

// cursorMark is the first byte of every cursor. base64 alone can begin with "-", and would then be
// read as a flag.
const cursorMark = "c"

// encodeCursor makes a cursor of its parts; kind, one letter, says which command's cursor it is. It
// is kept short, since a model reads it with every page.
func encodeCursor(kind string, parts ...string) string {
	body := strings.Join(append([]string{kind}, parts...), cursorSeparator)
	sum := binary.BigEndian.AppendUint32(nil, checksum([]byte(body)))
	return cursorMark + base64.RawURLEncoding.EncodeToString(append(sum, body...))
}

func checksum(b []byte) uint32 {
	h := fnv.New32a()
	h.Write(b)
	return h.Sum32()
}

// decodeCursor gives the parts back; want is how many there must be.
func decodeCursor(kind, cursor string, want int) ([]string, *Failure) {
	text, marked := strings.CutPrefix(cursor, cursorMark)
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || !marked || len(raw) < 4 || binary.BigEndian.Uint32(raw) != checksum(raw[4:]) {
		return nil, badCursor("the cursor is not one that fsbox gave")
	}
	parts := strings.Split(string(raw[4:]), cursorSeparator)
	if parts[0] != kind || len(parts) != want+1 {
		return nil, badCursor("the cursor belongs to another command")
	}
	return parts[1:], nil
}

// openCursor is decodeCursor for a cursor whose first part is the fingerprint of the request. It
// gives the parts after that, want of them; none for "", which is the first page.
func openCursor(kind, cursor, print string, want int) ([]string, *Failure) {
	if cursor == "" {
		return nil, nil
	}
	parts, fail := decodeCursor(kind, cursor, want+1)
	switch {
	case fail != nil:
		return nil, fail
	case parts[0] != print:
		return nil, badCursor("the cursor was given for other arguments")
	}
	return parts[1:], nil
}

func badCursor(message string) *Failure {
	return failf(CodeInvalidCursor, "%s", message).
		hint("pass next_cursor of the last answer unchanged, with the same arguments, or start again without a cursor")
}

// fingerprint is a short hash of arguments: a cursor is only valid for a request with the same
// ones.
func fingerprint(args ...string) string {
	h := fnv.New64a()
	for _, a := range args {
		h.Write([]byte(strconv.Itoa(len(a)) + ":" + a))
	}
	return strconv.FormatUint(h.Sum64()>>32^h.Sum64()&math.MaxUint32, 36)
}

func formatInt(n int64) string { return strconv.FormatInt(n, 10) }

// numbers parses the parts of a cursor that are integers.
func numbers(base int, parts ...string) ([]int64, bool) {
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
