package walk

import (
	"fmt"
	"strings"
)

// start opens o.Path and puts it on the stack. On the way it reads the ignore rules of the folders
// above.
func (w *walker) start(root Folder, after string) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	folder, level, err := w.descend(root)
	if err != nil {
		return err
	}
	path := w.decider.o.Path
	if path == "." {
		path = ""
	}
	f := &walkFolder{path: path, depth: 1, level: level, glob: w.decider.o.Glob,
		handle: &handle{folder: folder, users: 1, spent: &w.ahead.spent}}
	if path == "" || w.decider.o.Start != nil {
		f.handle.users++ // counts the caller as a user, so that only the caller closes the folder
	}
	w.entering = f
	f.load(w.ctx, &w.decider, after)
	if f.err == nil {
		w.push(f)
		return nil
	}
	if w.ctx.Err() != nil {
		return w.ctx.Err()
	}
	return fmt.Errorf("list directory: %w", f.err)
}

// descend opens o.Path. The level holds the rules of the folders above it.
func (w *walker) descend(root Folder) (Folder, *ruleLevel, error) {
	start := w.decider.o.Path
	if start == "." {
		return root, nil, nil
	}
	folder, path := root, ""
	var level *ruleLevel
	for name := range strings.SplitSeq(start, "/") {
		if w.decider.rules {
			level = rulesIn(w.ctx, folder, path, level, w.tally.skip)
		}
		above, inside := folder, joinPath(path, name)
		var err error
		switch {
		case w.passesBy(level, inside, name):
			err = ErrPassedBy
		case inside == start && w.decider.o.Start != nil:
			folder = w.decider.o.Start
		default:
			if folder, err = above.Folder(name); err != nil {
				err = fmt.Errorf("open directory %q: %w", start, err)
			}
		}
		if path != "" { // the caller closes the root
			above.Close()
		}
		if path = inside; err != nil {
			return nil, nil, err
		}
	}
	return folder, level, nil
}

// passesBy reports whether a walk that begins at o.From would not enter a folder on the way to
// o.Path. For o.From itself and the folders above it, it is false.
func (w *walker) passesBy(level *ruleLevel, path, name string) bool {
	from := w.decider.from
	if from == w.decider.o.Path || from != "." && !strings.HasPrefix(path, from+"/") {
		return false
	}
	if level.ignores(path, name, true) {
		w.tally.Ignored++
		return true
	}
	return name == ".git" && !w.decider.enterGit
}
