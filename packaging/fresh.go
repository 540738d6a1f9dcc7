package main

import (
	"fmt"
	"os"
	"os/exec"
)

// makeFresh writes everything anew that is made from the program: what the tests would call out of
// date after a change of a help text, a field or an answer. It must run in the top folder of the
// repository.
func makeFresh() error {
	for _, test := range [][]string{
		{"./commands", "-run", "SchemaGolden|Reference", "-update"},
		{"./testscript", "-run", "Docs", "-update"},
		{"./examples", "-run", "Examples", "-update"},
	} {
		c := exec.Command("go", append([]string{"test"}, test...)...)
		c.Stdout, c.Stderr = os.Stderr, os.Stderr
		if err := c.Run(); err != nil {
			return fmt.Errorf("go test %v: %w", test, err)
		}
	}
	return makeShare("packaging/share")
}
