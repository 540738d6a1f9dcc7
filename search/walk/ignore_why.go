package walk

import (
	"context"
	"strings"
)

// IgnoreRule is the line of an ignore file that leaves a path out of walks.
type IgnoreRule struct {
	File string // relative to the root
	Line int    // from 1
	Text string
}

// WhyIgnored finds the rule that ignores a path, or a folder on the way to it. It reads the ignore
// files of these folders once more, so it is for explanations, not for walks. Files that can't be
// read are left out.
func WhyIgnored(ctx context.Context, root Folder, path string, dir bool) (rule IgnoreRule, found bool) {
	folder, at := root, ""
	var level *ruleLevel
	names := strings.Split(path, "/")
	for i, name := range names {
		level = rulesIn(ctx, folder, at, level, func(string, error) {})
		at = joinPath(at, name)
		if file, u := level.deciding(at, name, i < len(names)-1 || dir); u != nil && !u.negate {
			line := strings.Split(file.text, "\n")[u.line-1]
			return IgnoreRule{File: file.file, Line: int(u.line), Text: strings.TrimSpace(line)}, true
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
