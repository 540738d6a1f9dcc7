package commands

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"fsbox/textio"
)

// How answers write numbers, types, sizes, times and what may be missing.

// phrase fills a format. It shortens long texts from a request to their beginning and end.
func phrase(format string, args ...any) string {
	for i, arg := range args {
		if text, ok := arg.(string); ok {
			args[i] = shortName(text)
		}
	}
	return fmt.Sprintf(format, args...)
}

// longestName is how much of a text from a request an answer repeats, in bytes: enough for any
// path.
const longestName = 4096

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

// formatInt is for every integer of a text: fmt takes longer.
func formatInt(n int64) string { return strconv.FormatInt(n, 10) }

// dryRun is what the sentence about a dry run ends with.
func dryRun(dry bool) string {
	if dry {
		return " (dry run: nothing was changed)"
	}
	return ""
}

// list joins what isn't empty.
func list(parts ...string) string {
	var some []string
	for _, p := range parts {
		if p != "" {
			some = append(some, p)
		}
	}
	return strings.Join(some, ", ")
}

// firstRunes cuts a text after n code points.
func firstRunes(text string, n int) string {
	for at := range text {
		if n--; n < 0 {
			return text[:at]
		}
	}
	return text
}

// firstChars cuts a text that is too long, and shows that it did.
func firstChars(text string, most int) string {
	if kept := firstRunes(text, most); len(kept) < len(text) {
		return kept + "…"
	}
	return text
}

// typeWord gives the type as answers name it, from the word that messages use for it.
func typeWord(person string) string {
	switch person {
	case "", "file":
		return person
	case "folder":
		return "directory"
	case "symbolic link":
		return "symlink"
	}
	return "other"
}

// kindWord is what people call a type of info and ls.
func kindWord(kind string) string {
	switch kind {
	case "directory":
		return "folder"
	case "symlink":
		return "symbolic link"
	case "other":
		return "special file"
	}
	return kind
}

// sizeText is a size for people to read: to three or four digits.
func sizeText(bytes int64) string {
	if bytes < 1<<10 {
		return formatInt(bytes) + " B"
	}
	const units = "KMGTPE"
	size, unit := float64(bytes)/(1<<10), 0
	for ; size >= 999.95 && unit+1 < len(units); unit++ {
		size /= 1 << 10
	}
	return fmt.Sprintf("%.1f %ciB", size, units[unit])
}

// seconds gives a time as seconds since 1970, to the microsecond: as far as a float64 goes.
func seconds(t time.Time) float64 { return float64(t.UnixMicro()) / 1e6 }

// timeText is a time in seconds since 1970, as people write it.
func timeText(seconds float64) string {
	return time.UnixMicro(int64(seconds * 1e6)).UTC().Format(time.RFC3339)
}

// localTime is a time in seconds since 1970 as a person's clock shows it.
func localTime(seconds float64, layout string) string {
	return time.UnixMicro(int64(seconds * 1e6)).Format(layout)
}

// orNull is how answers show a text that may be missing: null for "".
func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// deref is the inverse of orNull.
func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// mapped gives what a function makes of each item of a list, nil for an empty list.
func mapped[A, B any](list []A, do func(A) B) (out []B) {
	for _, item := range list {
		out = append(out, do(item))
	}
	return out
}
