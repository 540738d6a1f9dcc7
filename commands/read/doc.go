// Package read has the command read: pages of a text by lines (read.go), or of bytes as base64
// (read_bytes.go), and the cursors between them (read_cursor.go). How a page is cut is textio's.
package read
