package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// stream is a running fsbox batch.
type stream struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func (s *sizes) open(root, format string) (*stream, error) {
	b := &stream{cmd: exec.Command(s.fsbox, "batch", "--root", root, "--allow-write", "--no-backup", "--format", format)}
	var err error
	if b.in, err = b.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := b.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	b.out = bufio.NewReader(out)
	return b, b.cmd.Start()
}

func (b *stream) close() {
	b.in.Close()
	_ = b.cmd.Wait() // the status of a stream is that of its worst answer
}

// ask gives the answer of a request as it is in the format: a line of JSON, or the text in it.
func (b *stream) ask(tool string, input map[string]any) ([]byte, error) {
	line, err := json.Marshal(map[string]any{"tool": tool, "input": input})
	if err != nil {
		return nil, err
	}
	if _, err := b.in.Write(append(line, '\n')); err != nil {
		return nil, err
	}
	answer, err := b.out.ReadBytes('\n')
	if err != nil {
		return nil, err
	}
	var a struct{ Text *string }
	if json.Unmarshal(answer, &a) == nil && a.Text != nil {
		return []byte(*a.Text), nil
	}
	return answer, nil
}

// sources are the Go files of a tree.
func sources(root string) ([]string, error) {
	var all []string
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && strings.HasSuffix(path, ".go") {
			path, err = filepath.Rel(root, path)
			all = append(all, path)
		}
		return err
	})
	return all, err
}

// reads counts the first pages of all Go files beside the lines that they show.
func (s *sizes) reads(t tree) error {
	files, err := sources(t.path)
	if err != nil {
		return err
	}
	text, err := s.open(t.path, "text")
	if err != nil {
		return err
	}
	defer text.close()
	plain, err := s.open(t.path, "json")
	if err != nil {
		return err
	}
	defer plain.close()
	var shown, asText, asJSON int
	worst := 0.0
	for _, file := range files {
		page, err := readBoth(text, plain, file)
		if err != nil {
			return err
		}
		shown, asText, asJSON = shown+page.shown, asText+page.text, asJSON+page.json
		worst = max(worst, float64(page.text)/float64(max(page.shown, 1)))
	}
	s.row(t, fmt.Sprintf("read, %d files, the worst page %.3f", len(files), worst), "cat", shown, asText, asJSON, 1.02)
	return nil
}

// page counts the characters of one page in both forms, and of its lines.
type page struct{ shown, text, json int }

func readBoth(text, plain *stream, file string) (page, error) {
	input := map[string]any{"path": file}
	asText, err := text.ask("read", input)
	if err != nil {
		return page{}, err
	}
	asJSON, err := plain.ask("read", input)
	if err != nil {
		return page{}, err
	}
	var a struct{ Result struct{ Content string } }
	if err := json.Unmarshal(asJSON, &a); err != nil || len(a.Result.Content) == 0 && !bytes.HasPrefix(asText, []byte("[")) {
		return page{}, fmt.Errorf("read %q: %s", file, asJSON)
	}
	shown := characters([]byte(a.Result.Content))
	if shown == 0 {
		return page{}, nil // an empty file says so
	}
	return page{shown, characters(asText), characters(asJSON)}, nil
}
