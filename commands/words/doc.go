// Package words is how answers word things: numbers, sizes, times and names (wording.go,
// names.go), and what a person or a terminal must not take for something else (visible.go). Values
// go in and text comes out. It must not know what an answer is about: no commands, no failures, no
// files.
package words
