// Package charset turns the bytes of files into UTF-8 and back, and tells by its first bytes
// whether a file is text, and in which encoding. It knows nothing of lines or of what a text says.
// Its central type is Encoding.
//
// # The way of a file's bytes
//
// Sniff (sniff.go) looks at the first bytes: a byte order mark names the encoding, a signature
// (signature.go) or a NUL means that the file is binary. If a request names an encoding, Lookup
// (labels.go) finds it. Encoding.Decode and Encode (encoding.go) convert: unicode.go has UTF-16 and
// UTF-32, legacy.go the encodings of one byte a character and those of East Asia, pairs.go what the
// tables of x/text lack. DecodeLossless and
// AppendLossless are for changes that must keep every other byte. count.go counts characters
// without keeping the text.
package charset
