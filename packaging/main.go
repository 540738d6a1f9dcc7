// Command packaging makes what a release brings besides the binaries: completions and the manual
// page.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
)

const usage = `usage:
  go run ./packaging share [-to FOLDER]                       completions and the manual page
`

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "packaging:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return errors.New("no command\n" + usage)
	}
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	to := flags.String("to", "packaging/share", "folder to write to")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	switch {
	case args[0] == "share":
		return makeShare(*to)
	}
	return errors.New("unknown command, or a flag is missing\n" + usage)
}
