// Package look has the verbs that show what is there: info, ls and glob. Each has a file with its
// Verb, its request, its result and its Run; files named after it hold its pages and its text form.
// It reads no content of a file, except what info tells of a text.
package look
