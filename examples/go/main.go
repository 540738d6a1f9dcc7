// Command replace shows how a Go program calls fsbox: it puts one text in the place of another in
// every Go file of a workspace, in one fsbox process. An empty folder is filled first.
//
//	go run . WORKSPACE OLD NEW
package main

import (
	"errors"
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: go run . WORKSPACE OLD NEW")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(root, old, text string) error {
	box, err := Open(root, "--allow-write", "--create-root")
	if err != nil {
		return err
	}
	err = fill(box, old)
	if err == nil {
		err = replace(box, old, text)
	}
	return errors.Join(err, box.Close())
}

// fill puts two files into an empty folder.
func fill(box *Fsbox, old string) error {
	var folder struct{ Count int }
	if err := box.Call("ls", map[string]any{"include_hidden": true}, &folder); err != nil || folder.Count > 0 {
		return err
	}
	return errors.Join(box.Call("write", map[string]any{"path": "a.go", "content": old + "(x)\n" + old + "(y)\n"}, nil),
		box.Call("write", map[string]any{"path": "b.go", "content": old + "(z)\n"}, nil))
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
	var failures error
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
			failures = errors.Join(failures, fmt.Errorf("%s: %w", path, failure))
		case err != nil:
			return err
		default:
			fmt.Printf("%s: %d\n%s", path, done.Replacements, done.Diff)
		}
	}
	return failures
}
