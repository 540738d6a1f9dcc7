// Command packaging makes what a release brings besides the binaries: completions and the manual
// page, and from the release's binaries the packages for npm, pip and MCP.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
)

const usage = `usage:
  go run ./packaging make -version V -from DIR -to DIR  packages, from DIR/*GOOS_GOARCH*/fsbox
                          [-owner NAME] [-url URL]            of the repository; URL is where the bundles can be loaded from`

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
	to := flags.String("to", "", "directory to write to")
	from := flags.String("from", "", "directory with the binaries, as goreleaser's dist: *GOOS_GOARCH*/fsbox")
	version := flags.String("version", "", "version of the release: 1.2.3")
	owner := flags.String("owner", "fsbox", "account that has the repository")
	url := flags.String("url", "", "address of the directory that the bundles are published in, for server.json")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	if args[0] == "make" && *from != "" && *to != "" && *version != "" {
		return makePackages(release{version: strings.TrimPrefix(*version, "v"), from: *from, owner: *owner, url: *url}, *to)
	}
	return errors.New("unknown command, or a flag is missing\n" + usage)
}
