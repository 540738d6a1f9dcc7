// Command charts draws the pictures of README.md from the figures in bench/RESULTS.md and from what
// the program shows at a terminal, and writes README.md's table of figures.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

const usage = "usage: go run ./bench/charts    in a clone's top folder: writes docs/pictures/*.svg, and the figures in README.md"

func main() {
	time.Local = time.UTC // the pictures are the same everywhere
	flag.Usage = func() { fmt.Fprintln(os.Stderr, usage) }
	if flag.Parse(); flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := write("."); err != nil {
		fmt.Fprintln(os.Stderr, "charts:", err)
		os.Exit(1)
	}
}

// write makes all files anew in a clone.
func write(clone string) error {
	files, err := files(clone)
	if err != nil {
		return err
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(clone, name), []byte(content), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// files are the files that are made, by their names in the clone.
func files(clone string) (map[string]string, error) {
	text, err := os.ReadFile(filepath.Join(clone, "bench", "RESULTS.md"))
	if err != nil {
		return nil, err
	}
	r := parseResults(string(text))
	if err := errors.Join(r.problems...); err != nil {
		return nil, err
	}
	shown, err := session()
	if err != nil {
		return nil, err
	}
	readme, err := os.ReadFile(filepath.Join(clone, "README.md"))
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	if all["README.md"], err = withFigures(string(readme), r); err != nil {
		return nil, err
	}
	for _, t := range []theme{light(), dark()} {
		all["docs/pictures/search-"+t.name+".svg"] = searchChart(r, t)
		all["docs/pictures/calls-"+t.name+".svg"] = callsChart(r, t)
		all["docs/pictures/terminal-"+t.name+".svg"] = screenshot(shown, t)
	}
	return all, nil
}
