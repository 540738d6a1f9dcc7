// Package charset turns the bytes of files into UTF-8 and back, and tells by its first bytes
// whether a file is text, and in which encoding. It knows nothing of lines or of what a text says.
// Its central type is Encoding.
package charset
