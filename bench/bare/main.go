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
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 4 {
		return fmt.Errorf("usage: bare FOLDER FILES BYTES SAME")
	}
	files, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	size, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	dir, err := os.Open(args[0])
	if err != nil {
		return err
	}
	defer dir.Close()
	content := bytes.Repeat([]byte("x"), size)
	for i := range files {
		name := "file"
		if args[3] != "same" {
			name += strconv.Itoa(i)
		}
		if err := put(dir, name, content); err != nil {
			return err
		}
		fmt.Println(name)
	}
	return nil
}

func put(dir *os.File, name string, content []byte) error {
	target := filepath.Join(dir.Name(), name)
	f, err := os.OpenFile(target+".new", os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(content); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), target); err != nil {
		return err
	}
	return dir.Sync()
}
