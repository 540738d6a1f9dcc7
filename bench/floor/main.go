// Command floor does what a listing or a search has to ask of the system, and nothing else: it is
// what no program that goes through the same files can be faster than.
//
//	floor list FOLDER    opens, lists and closes each folder
//	floor info FOLDER    also asks for the size and time of each name
//	floor read PATH      also opens, reads and closes each file; PATH may be one file
//
// As many goroutines as there are cores share the folders. Names with a leading dot are left out.
// No .gitignore is read, so files that one ignores are included. It prints an empty line for each
// name, or with read for each file.
package main

import (
	"bytes"
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: floor list|info|read PATH")
		os.Exit(2)
	}
	n, err := visit(os.Args[1], os.Args[2])
	if err == nil {
		_, err = os.Stdout.Write(bytes.Repeat([]byte("\n"), n))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "floor:", err)
		os.Exit(1)
	}
}
