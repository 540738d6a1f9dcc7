package main

import (
	"errors"
	"fmt"
	"log"
	"os"
)

func main() {
	box, err := Open(os.Args[1], "--allow-write")
	if err != nil {
		log.Fatal(err)
	}
	if err := errors.Join(replace(box, "ioutil.ReadFile", "os.ReadFile"), box.Close()); err != nil {
		log.Fatal(err)
	}
}

// replace puts one text in the place of another in all Go files. A file that fails doesn't stop the
// others.
func replace(box *Fsbox, old, text string) error {
	var found struct {
		Files     []string
		Truncated bool
	}
	request := map[string]any{"query": old, "glob": []string{"*.go"}, "output_mode": "files", "max_matches": 10_000}
	if err := box.Call("grep", request, &found); err != nil {
		return err
	}
	if found.Truncated {
		return errors.New("more than 10,000 files")
	}
	for _, path := range found.Files {
		var file struct{ Etag string }
		if err := box.Call("info", map[string]any{"path": path}, &file); err != nil {
			return err
		}
		var done struct {
			Replacements int
			Diff         string
		}
		change := map[string]any{"path": path, "expected_text": old, "replacement_text": text, "replace_all": true, "if_match": file.Etag}
		err := box.Call("edit", change, &done)
		var failure *Error
		switch {
		case errors.As(err, &failure):
			fmt.Printf("%s: %v\n", path, failure)
		case err != nil:
			return err
		default:
			fmt.Printf("%s: %d\n%s", path, done.Replacements, done.Diff)
		}
	}
	return nil
}
