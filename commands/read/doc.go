// Package read has the command read: pages of a text by lines (read.go), or of bytes as base64
// (bytes.go), and the cursors between them (cursor.go). How a page is cut is textio's.
package read
