// Package regex compiles regular expressions, and finds their matches in lines and texts.
//
// The dialect is that of RE2. Two engines find where matches are, RE2 and Go's package regexp, and
// the automaton finds the lines that have one. The package must not know files, blocks or what is
// reported of a match: it gets valid UTF-8 and gives offsets.
//
// # The way through
//
//	Compile       parse reads the text, refuses what can't be searched (places finds where the
//	              mistake is), and bounds its size; required finds the strings that every match contains
//	shapesOf      where no such strings help: which bytes may follow each other in every match
//	patterns.go   the expression written out for what the engines are asked: lines, words, matches
//	bytecode      the expression as a graph that reads bytes
//	Expr.Lines    automaton.find makes the states of that graph while it reads; with too many of
//	              them, the engines search instead
//	Expr.Each     across lines: parts cut the text where no match is under way, and only what has one
//	              goes to an engine
//	Expr.Matches  program.pick chooses the engine: package regexp for little text, then RE2
//
// Package match asks for a string or shape of Needs first, calls Lines for the lines that have one,
// and Matches for the places in these.
package regex
