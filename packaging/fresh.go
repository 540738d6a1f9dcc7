package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
)

// makeFresh writes everything anew that is made from the program: what the tests would call out of
// date after a change of a help text, a field or an answer. A test that fails all the same says
// what to add by hand, and the others are run after it. It must run in the top folder of the
// repository.
func makeFresh() error {
	var errs []error
	for _, test := range [][]string{
		{"./commands", "-run", "SchemaGolden|Reference|HostsPage", "-update"},
		{"./testscript/docs", "-run", "Docs", "-update"},
		{"./examples", "-run", "Examples", "-update"},
	} {
		c := exec.Command("go", append([]string{"test"}, test...)...)
		c.Stdout, c.Stderr = os.Stderr, os.Stderr
		if err := c.Run(); err != nil {
			errs = append(errs, fmt.Errorf("go test %v: %w", test, err))
		}
	}
	return errors.Join(append(errs, makeShare())...)
}
