// Program imports prints a line, as hello does, and has the packages in it that fsbox is made with.
// What it takes longer than hello is what they cost at the start of each process.
package main

import (
	"fmt"

	"github.com/alecthomas/kong"
	"github.com/bmatcuk/doublestar/v4"
	"github.com/wasilibs/go-re2"
)

// used is a variable of the package, so that the linker keeps what it names.
var used = []any{kong.Parse, doublestar.Match, re2.Compile}

func main() { fmt.Println("hello with", len(used), "packages") }
