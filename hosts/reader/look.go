package reader

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
)

var (
	// A note is a line in brackets that says by which field the next page comes.
	note = regexp.MustCompile(`(?m)^\[.*?\b(start_line|cursor) (\S+?)[\];,].*$`)
	// mark is how hosts say that they have left something out.
	mark = regexp.MustCompile(`(?i)truncat|omitted|too large|persisted-output|saved (to|copy)|full output|characters? removed`)
)

// look is what a model sees in an answer.
func look(text string, item *regexp.Regexp) Answer {
	plain := Plain(text)
	a := Answer{Text: text, Marks: Marks(plain)}
	rest := plain
	at := note.FindStringIndex(plain)
	if at != nil {
		a.Note, rest = plain[at[0]:at[1]], plain[:at[0]]+plain[at[1]:] // a cursor may have a name in it
		first := item.FindStringIndex(rest)
		a.First = first == nil || at[0] <= first[0]
	}
	a.Items = item.FindAllString(rest, -1)
	return a
}

// Marks are the lines with words by which hosts say that something is missing, as far as they are
// near.
func Marks(text string) (all []string) {
	for line := range strings.Lines(text) {
		if at := mark.FindStringIndex(line); at != nil {
			all = append(all, line[max(0, at[0]-40):min(len(line), at[1]+60)])
		}
	}
	return all
}

// Continues reads the note of an answer that isn't all: the field by which the next page comes, and
// its value, a number or a text.
func Continues(text string) (field string, value any, more bool) {
	found := note.FindStringSubmatch(Plain(text))
	if found == nil {
		return "", nil, false
	}
	if n, err := strconv.Atoi(found[2]); err == nil {
		return found[1], n, true
	}
	return found[1], found[2], true
}

// Plain is the text of an answer that a host shows as JSON: all that is called text in it. Of JSON
// that was cut only the escapes are read.
func Plain(text string) string {
	var value any
	if json.Unmarshal([]byte(text), &value) == nil {
		if parts := texts(value); len(parts) > 0 {
			return strings.Join(parts, "\n")
		}
	}
	if opening := strings.TrimSpace(text); strings.HasPrefix(opening, "{") || strings.HasPrefix(opening, `[{`) {
		return unescape(text)
	}
	return text
}

// texts are the strings called text in a JSON value, or the value itself if it is a string.
func texts(value any) (all []string) {
	switch v := value.(type) {
	case string:
		return []string{v}
	case []any:
		for _, element := range v {
			if _, ok := element.(string); !ok {
				all = append(all, texts(element)...)
			}
		}
	case map[string]any:
		for _, name := range []string{"text", "content", "result", "output", "toolResult"} {
			if member, ok := v[name]; ok {
				all = append(all, texts(member)...)
			}
		}
	}
	return all
}

// Views are an answer as it is, and without the escapes of JSON: a host may show a text as JSON, or
// as JSON in a text in JSON.
func Views(text string) []string {
	return []string{text, Plain(text), unescape(text), unescape(unescape(text))}
}

var escapes = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\r`, "\r", `\"`, `"`, `\\`, `\`, `\/`, "/")

func unescape(text string) string { return escapes.Replace(text) }
