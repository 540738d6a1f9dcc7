package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// tree is a folder to look at.
type tree struct{ name, path string }

// comparison is one request beside a program that tells the same facts.
type comparison struct {
	request []string // of fsbox
	whole   []string // what makes it one answer; without, it comes in pages as they are by default
	peer    []string
	target  float64
}

// rows are the comparisons in a tree.
func (s *sizes) rows(t tree) []comparison {
	queries := []string{"context.Context", "return err", "TODO", "func New"}
	if t.path == s.module {
		queries = []string{"context.Context", "return err", "path", "Truncated"}
	}
	var all []comparison
	whole := []string{"--max-matches", "10000", "--max-output-bytes", "64MiB"}
	rg := []string{s.rg, "--no-config", "--no-require-git", "--sort", "path"}
	for _, q := range queries {
		heading := append(rg[:len(rg):len(rg)], "-n", "--heading", "-F", q)
		all = append(all, comparison{[]string{"grep", q}, whole, heading, 1.05}, comparison{[]string{"grep", q}, nil, heading, 1.05})
		around := append(rg[:len(rg):len(rg)], "-n", "--heading", "-C", "3", "-F", q)
		all = append(all, comparison{[]string{"grep", q, "--context", "3"}, whole, around, 1.1},
			comparison{[]string{"grep", q, "--context", "3"}, nil, around, 1.1})
	}
	files := append(rg, "--files")
	find := []string{"find", ".", "-mindepth", "1", "-name", ".*", "-prune", "-o", "-printf", `%P\n`}
	return append(all,
		comparison{[]string{"glob", "**/*"}, []string{"--limit", "10000", "--max-output-bytes", "64MiB"}, files, 1.05},
		comparison{[]string{"glob", "**/*"}, nil, files, 1.05},
		comparison{[]string{"ls", "--recursive"}, []string{"--max-entries", "100000", "--max-results", "100000", "--max-output-bytes", "64MiB"},
			find, 1.05},
		comparison{[]string{"ls", "--recursive"}, nil, find, 1.05})
}

// compare counts one comparison. The peer sees the same files: rg reads the same ignore files, and
// the trees have no ignored names that find would list.
func (s *sizes) compare(t tree, c comparison) error {
	theirs, err := output(t.path, c.peer[0], c.peer[1:]...)
	if err != nil {
		return fmt.Errorf("%v: %w", c.peer, err)
	}
	text, pages, err := s.all(t, c, "text")
	if err != nil {
		return err
	}
	asJSON, _, err := s.all(t, c, "json")
	if err != nil {
		return err
	}
	name := strings.Join(c.request, " ")
	if pages > 1 {
		name += fmt.Sprintf(", in %d pages", pages)
	}
	peer := strings.ReplaceAll(strings.Join(c.peer, " "), s.rg+" --no-config --no-require-git --sort path", "rg")
	s.row(t, name, peer, characters(theirs), text, asJSON, c.target)
	return nil
}

// all counts the characters of all pages of a request.
func (s *sizes) all(t tree, c comparison, format string) (count, pages int, err error) {
	for cursor := ""; ; {
		args := append(append([]string{"--format", format}, c.request...), c.whole...)
		if cursor != "" {
			args = append(args, "--cursor", cursor)
		}
		out, err := output(t.path, s.fsbox, args...)
		if err != nil {
			return 0, 0, fmt.Errorf("%v: %w: %s", args, err, out)
		}
		count, pages = count+characters(out), pages+1
		if cursor = nextCursor(out, format); cursor == "" {
			return count, pages, nil
		}
	}
}

func nextCursor(out []byte, format string) string {
	if format == "text" {
		lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
		if found := inBrackets().FindStringSubmatch(lines[len(lines)-1]); found != nil {
			return found[1]
		}
		return ""
	}
	var a struct {
		Result struct {
			Next string `json:"next_cursor"`
		}
	}
	_ = json.Unmarshal(out, &a) // what can't be read has no next page
	return a.Result.Next
}

func inBrackets() *regexp.Regexp {
	return regexp.MustCompile(`^\[.*cursor "?([A-Za-z0-9/._:+-]*).*\]$`)
}
