// Command fsbox gives an AI agent, or a shell script, file tools inside one workspace folder and
// nothing else.
package main

import (
	"context"
	"os"

	"fsbox/commands"
	_ "fsbox/commands/early"
)

func main() {
	os.Exit(commands.Main(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
