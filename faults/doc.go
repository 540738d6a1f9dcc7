// Package faults proves that writes lose nothing: it runs the program and kills it, fails its
// system calls, cuts the power and changes files under it, at every call in turn. It holds tests
// only; README.md says what they do and what they found.
package faults
