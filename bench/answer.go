package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
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
	var a answer
	read := a.read(r)
	r.CloseWithError(read) // ends a program whose answer makes no sense
	err := <-ended
	switch {
	case a.failure != "":
		err = errors.New(a.failure)
	case err == nil:
		err = read
	}
	return a, err
}

func (a *answer) read(r io.Reader) error {
	for dec := json.NewDecoder(r); ; {
		if err := walk(dec, "", a.see); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// see takes note of one value; path is its place.
func (a *answer) see(path string, value json.Token) {
	switch path {
	case ".result.matches[]", ".result.entries[]", ".result.files[]", ".result.bytes_written", ".result.modified":
		a.results++
	case ".result.content":
		text, _ := value.(string)
		a.results += int64(strings.Count(text, "\n"))
	case ".result.truncated":
		a.truncated = value == true
	case ".result.next_cursor":
		a.cursor, _ = value.(string)
	case ".error":
		a.failure, _ = value.(string)
	case ".message":
		if a.failure != "" {
			a.failure = fmt.Sprint(a.failure, ": ", value)
		}
	}
}

// walk reads one JSON value and shows its parts: ".result.matches[].line" is a place.
func walk(dec *json.Decoder, path string, see func(path string, value json.Token)) error {
	token, err := dec.Token()
	if err != nil {
		return err // io.EOF where an answer could begin is the end of the answers
	}
	see(path, token)
	open, ok := token.(json.Delim)
	if !ok {
		return nil
	}
	for dec.More() {
		part := path + "[]"
		if open == '{' {
			key, err := dec.Token()
			if err != nil {
				return cutShort(err)
			}
			part = fmt.Sprint(path, ".", key)
		}
		if err := walk(dec, part, see); err != nil {
			return cutShort(err)
		}
	}
	_, err = dec.Token()
	return cutShort(err)
}

// cutShort tells the end of the text inside a value from the end after it.
func cutShort(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
