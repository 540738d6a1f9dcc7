// Package request fills a struct from what a caller sent, and checks it. The tags of the struct are
// the only declaration of a field: its name, its aliases, its default, what it may be.
//
// Fields reads the tags. ParseObject cuts strict JSON into members (object.go), Fill puts them into
// the struct (request.go, value.go), CheckFields checks words and numbers against the tags and the
// operator's Limits. The command line, the environment and the config file use the same readers of
// numbers and words, so that a text means the same everywhere.
//
// The package knows no command, and opens nothing.
package request
