// Package terminal is the person who started the program: the controlling terminal, at which Open
// and Ask put a question, whatever standard input and output are; and whether a terminal takes
// colours. It knows nothing of requests, and it opens no file but the terminal.
package terminal
