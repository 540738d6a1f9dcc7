// Command bare puts files into a folder as safely as fsbox does, and does nothing else: what the
// disk costs.
//
//	bare FOLDER FILES BYTES SAME
//
// Each file is written beside its place, synced, renamed, and its folder synced. With SAME "same"
// all of them are one file.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	var folder, same string
	var files, size int
	_, err := fmt.Sscan(strings.Join(os.Args[1:], " "), &folder, &files, &size, &same)
	content := bytes.Repeat([]byte("x"), size)
	for i := 0; i < files && err == nil; i++ {
		name := "file"
		if same != "same" {
			name += fmt.Sprint(i)
		}
		err = put(folder, name, content)
		fmt.Println(name)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bare:", err)
		os.Exit(1)
	}
}

func put(folder, name string, content []byte) error {
	target := filepath.Join(folder, name)
	f, err := os.OpenFile(target+".new", os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err := errors.Join(err, f.Sync(), f.Close(), os.Rename(f.Name(), target)); err != nil {
		return err
	}
	dir, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
