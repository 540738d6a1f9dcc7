package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// answer is what the answers of one run of fsbox say, taken together. They are read as a stream:
// what this process holds shows in the memory of those it starts.
type answer struct {
	results   int64 // matches, entries or files listed; lines read; files written
	truncated bool
	cursor    string
	failure   string
}

// ask runs fsbox once, unmeasured, and looks at what it says.
func ask(ctx context.Context, c command) (answer, error) {
	r, w := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		_, err := c.run(ctx, w)
		w.CloseWithError(err)
		ended <- err
	}()
	readAll := readAnswers
	if c.text {
		readAll = readText
	}
	a, read := readAll(r)
	r.CloseWithError(read) // ends a program whose answer makes no sense
	err := <-ended
	if a.failure != "" {
		return a, errors.New(a.failure)
	}
	return a, cmp.Or(err, read)
}

// readText reads an answer in the text form. A line that ends with a colon is the heading of a
// folder, not a result of its own: the folder has a line where it is listed.
func readText(r io.Reader) (a answer, err error) {
	lines := bufio.NewScanner(r)
	for first := true; lines.Scan(); first = false {
		switch text := lines.Text(); {
		case strings.HasPrefix(text, "["):
			a.truncated = a.truncated || first
		case text != "" && !strings.HasSuffix(text, ":"):
			a.results++
		}
	}
	return a, lines.Err()
}

func readAnswers(r io.Reader) (answer, error) {
	var a answer
	for dec := jsontext.NewDecoder(r); ; {
		token, err := dec.ReadToken()
		if err == io.EOF {
			return a, nil
		} else if err != nil {
			return a, err
		}
		kind, length := dec.StackIndex(dec.StackDepth())
		if isName := kind == '{' && length%2 == 1; !isName && token.Kind() != '}' && token.Kind() != ']' {
			a.see(string(dec.StackPointer()), token)
		}
	}
}

// see takes note of one value; place is its JSON pointer.
func (a *answer) see(place string, value jsontext.Token) {
	parts := strings.Split(place, "/")
	isItem := len(parts) == 4 && slices.Contains([]string{"matches", "entries", "files"}, parts[2])
	switch {
	case isItem, place == "/result/bytes_written", place == "/result/modified":
		a.results++
	case place == "/result/content":
		a.results += int64(strings.Count(value.String(), "\n"))
	case place == "/result/truncated":
		a.truncated = value.Bool()
	case place == "/result/next_cursor":
		a.cursor = value.String()
	case place == "/error":
		a.failure = value.String()
	case place == "/message" && a.failure != "":
		a.failure += ": " + value.String()
	}
}
