package reader

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Of each kind there are so many. The file of lines is 200 KB long.
const (
	Lines   = 3000
	Matches = 2000
	Names   = 1500
)

// mistaken is the line of lines.txt that is edited, at first from memory.
const mistaken = 1234

// line is a line of lines.txt. It has what JSON escapes, and a character of more than one byte.
func line(n int) string { return item("line", n, `if (a["key"] != '\t') { go("café", 10) } //`) }

func match(n int) string { return item("match", n, `find("needle") //`) }

func name(n int) string { return fmt.Sprintf("name-%04d.txt", n) }

func item(kind string, n int, text string) string {
	return fmt.Sprintf("%s %04d %s end %04d", kind, n, text, n)
}

// Edited is the line that the edit leaves.
func Edited() string { return strings.Replace(line(mistaken), "10", "20", 1) }

// Fill makes the files that are read, searched and listed.
func Fill(root string) error {
	files := map[string]string{"lines.txt": Content(false)}
	for part := range 20 {
		var b strings.Builder
		for i := range Matches / 20 {
			fmt.Fprintf(&b, "nothing here\n\t%s\n", match(part*Matches/20+i+1))
		}
		files[fmt.Sprintf("matches/part-%02d.txt", part+1)] = b.String()
	}
	for n := range Names {
		files["names/"+name(n+1)] = ""
	}
	for name, content := range files {
		if err := Put(filepath.Join(root, name), content); err != nil {
			return err
		}
	}
	return nil
}

// Put writes a file, and makes its folder.
func Put(path, content string) error {
	return errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(content), 0o666))
}

// Content is lines.txt, as it is at first or after the edit.
func Content(edited bool) string {
	var b strings.Builder
	for n := 1; n <= Lines; n++ {
		text := line(n)
		if edited && n == mistaken {
			text = Edited()
		}
		b.WriteString("\t" + text + "\n")
	}
	return b.String()
}
