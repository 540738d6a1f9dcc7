// Command charts makes what people see of results.json: the tables of RESULTS.md, the chart in the
// project's README.md, and the picture of a session at a terminal there.
package main

import (
	"errors"
	"os"
	"path/filepath"

	"fsbox/bench/results"
)

func main() {
	all, err := files("..")
	for name, content := range all {
		err = errors.Join(err, os.WriteFile(filepath.Join("..", name), []byte(content), 0o644))
	}
	results.Check("charts", err)
}

// files are the files that are made, by their names in a clone.
func files(clone string) (map[string]string, error) {
	r, err := results.Load(filepath.Join(clone, "bench/results.json"))
	if err != nil {
		return nil, err
	}
	shown, err := session(clone)
	if err != nil {
		return nil, err
	}
	all := map[string]string{"bench/RESULTS.md": page(r)}
	for _, c := range []colours{light(), dark()} {
		search, err := searchChart(r, c)
		if err != nil {
			return nil, err
		}
		all["docs/pictures/search-"+c.name+".svg"] = search
		all["docs/pictures/terminal-"+c.name+".svg"] = screenshot(shown, c)
	}
	return all, nil
}
