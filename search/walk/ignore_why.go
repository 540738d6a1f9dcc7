package walk

import (
	"bytes"
	"context"
	"io"
	"strings"
)

// IgnoreRule is the line of an ignore file that leaves a path out of walks.
type IgnoreRule struct {
	File string // relative to the root
	Line int    // from 1
	Text string
}

// ignoreText is the text of an ignore file.
type ignoreText struct {
	file  string
	base  int // index where paths relative to its folder begin
	lines [][]byte
}

// WhyIgnored finds the rule that ignores a path, or a folder on the way to it. It reads the ignore
// files of these folders once more, so it is for explanations, not for walks. What can't be read
// explains nothing.
func WhyIgnored(ctx context.Context, root Folder, path string, dir bool) (rule IgnoreRule, found bool) {
	folder, at := root, ""
	var texts []ignoreText
	names := strings.Split(path, "/")
	for i, name := range names {
		texts = append(texts, ignoreTexts(folder, at)...)
		at = joinPath(at, name)
		isFolder := i < len(names)-1 || dir
		if rule, found := decidingRule(texts, at, name, isFolder); found {
			return rule, true
		}
		if i == len(names)-1 || ctx.Err() != nil {
			break
		}
		next, err := folder.Folder(name)
		if err != nil {
			break
		}
		defer next.Close()
		folder = next
	}
	return IgnoreRule{}, false
}

// ignoreTexts reads the ignore files of a folder, the one that decides last at first.
func ignoreTexts(folder Folder, path string) (texts []ignoreText) {
	base := len(path)
	if path != "" {
		base++
	}
	for _, name := range [...]string{".git/info/exclude", ".gitignore", ".ignore"} {
		content, err := readIgnoreText(folder, strings.Split(name, "/"))
		if err == nil && len(content) <= maxIgnoreBytes {
			texts = append(texts, ignoreText{file: joinPath(path, name), base: base, lines: bytes.Split(content, []byte{'\n'})})
		}
	}
	return texts
}

func readIgnoreText(folder Folder, names []string) ([]byte, error) {
	if len(names) > 1 {
		sub, err := folder.Folder(names[0])
		if err != nil {
			return nil, err
		}
		defer sub.Close()
		return readIgnoreText(sub, names[1:])
	}
	f, err := folder.File(names[0])
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxIgnoreBytes+1))
}

// decidingRule is the last rule of the deepest file with one that matches, if it ignores the path.
func decidingRule(texts []ignoreText, path, name string, dir bool) (rule IgnoreRule, found bool) {
	for t := len(texts) - 1; t >= 0; t-- {
		text := texts[t]
		for n := len(text.lines) - 1; n >= 0; n-- {
			ignored, decided := ParseIgnore(text.lines[n]).Match(path[text.base:], name, dir)
			if decided {
				return IgnoreRule{File: text.file, Line: n + 1, Text: strings.TrimSpace(string(text.lines[n]))}, ignored
			}
		}
	}
	return IgnoreRule{}, false
}
