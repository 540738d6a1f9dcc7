package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// What is in the repository is what the program prints now.
func TestShareIsFresh(t *testing.T) {
	for _, file := range shareFiles() {
		want, err := printed(file.args...)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join("share", filepath.FromSlash(file.name)))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("share/%s is out of date (%v): go test ./commands -update", file.name, err)
		}
	}
}
