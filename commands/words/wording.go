package words

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"fsbox/textio"
)

// Phrase fills a format. It shortens long texts from a request to their beginning and end.
func Phrase(format string, args ...any) string {
	for i, arg := range args {
		if text, ok := arg.(string); ok {
			args[i] = ShortName(text)
		}
	}
	return fmt.Sprintf(format, args...)
}

// LongestName is how much of a text from a request an answer repeats, in bytes: enough for any
// path.
const LongestName = 4096

// ShortName is a text from a request as messages repeat it: of a long one, both ends.
func ShortName(text string) string { return ShortTo(LongestName, text) }

// ShortTo is a text, and of one of more bytes than most both ends.
func ShortTo(most int, text string) string {
	if len(text) > most {
		return textio.Shorten(text)
	}
	return text
}

// Plural gives "1 line", "2 lines".
func Plural(n int64, noun string) string {
	text := strconv.FormatInt(n, 10) + " " + noun
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

// Lines names lines of a file: "line 1", "lines 1 to 2".
func Lines(first, last int64) string {
	if first == last {
		return "line " + Int(first)
	}
	return "lines " + Int(first) + " to " + Int(last)
}

// LineRange names lines of a file in short: "line 1", "lines 1-2", and from the end "lines -9 to
// -5".
func LineRange(first, last int64) string {
	if first < 0 || first == last {
		return Lines(first, last)
	}
	return "lines " + Int(first) + "-" + Int(last)
}

// Int is for every integer of a text: fmt takes longer.
func Int(n int64) string { return strconv.FormatInt(n, 10) }

// DryRun is what the sentence about a dry run ends with.
func DryRun(dry bool) string {
	if dry {
		return " (dry run: nothing was changed)"
	}
	return ""
}

// FirstChars cuts a text that is too long, and shows that it did.
func FirstChars(text string, most int) string {
	if kept := textio.FirstRunes(text, most); len(kept) < len(text) {
		return kept + "…"
	}
	return text
}

// Type gives the type as answers name it, from the word that messages use for it.
func Type(person string) string {
	switch person {
	case "", "file", "directory":
		return person
	case "symbolic link":
		return "symlink"
	}
	return "other"
}

// Kind is what people call a type of info and ls.
func Kind(kind string) string {
	switch kind {
	case "symlink":
		return "symbolic link"
	case "other":
		return "special file"
	}
	return kind
}

// Size is a size for people to read: to three or four digits.
func Size(bytes int64) string {
	if bytes < 1<<10 {
		return Int(bytes) + " B"
	}
	const units = "KMGTPE"
	size, unit := float64(bytes)/(1<<10), 0
	for ; size >= 999.95 && unit+1 < len(units); unit++ {
		size /= 1 << 10
	}
	return fmt.Sprintf("%.1f %ciB", size, units[unit])
}

// Seconds gives a time as seconds since 1970, to the microsecond: as far as a float64 goes.
func Seconds(t time.Time) float64 { return float64(t.UnixMicro()) / 1e6 }

// Time is a time in seconds since 1970, as people write it.
func Time(seconds float64) string {
	return time.UnixMicro(int64(seconds * 1e6)).UTC().Format(time.RFC3339)
}

// LocalTime is a time in seconds since 1970 as a person's clock shows it.
func LocalTime(seconds float64, layout string) string {
	return time.UnixMicro(int64(seconds * 1e6)).Format(layout)
}

// OrNull is how answers show a text that may be missing: null for "".
func OrNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// Deref is what p points to, and the zero value for nil. For texts it is the inverse of OrNull.
func Deref[T any](p *T) (value T) {
	if p != nil {
		value = *p
	}
	return value
}

// Mapped gives what a function makes of each item of a list, nil for an empty list.
func Mapped[A, B any](list []A, do func(A) B) (out []B) {
	for _, item := range list {
		out = append(out, do(item))
	}
	return out
}
