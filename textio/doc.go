// Package textio works on text: it detects what a file holds, converts between
// encodings, cuts pages of lines, edits, and compares. Bytes go in and values
// come out; it opens no files, knows no paths and prints no JSON.
package textio
