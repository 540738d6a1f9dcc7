// Package change is what the commands that change files share: where content comes from
// (content.go, base64.go), how it must fit into the limits, warnings about what was probably not
// intended (warnings.go, suspicious.go, longer_words.go), hints for a path that can't be written
// (write_hint.go), and the parts of the text form that edit and patch have in common (places.go,
// failure_text.go).
package change
