package transaction_test

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/fixture"
	"fsbox/sandbox/transaction"
	"fsbox/sandbox/undo"
)

// raceCall is a call during which names are exchanged. It returns what it read, if anything.
type raceCall struct {
	name  string
	call  func(w *sandbox.Workspace, path string, n int) (string, error)
	keeps bool // with backups
}

// raceCalls are all ways to a file: what reads, what walks, and what changes.
var raceCalls = []raceCall{
	{"OpenFile", func(w *sandbox.Workspace, path string, _ int) (string, error) {
		f, err := w.OpenFile(path)
		return slurp(f, err)
	}, false},
	{"Look", func(w *sandbox.Workspace, path string, _ int) (string, error) {
		_, f, err := w.Look(path)
		if err != nil || f == nil {
			return "", cmp.Or[error](err, fserr.ErrNotFile)
		}
		return slurp(f, nil)
	}, false},
	{"walk", func(w *sandbox.Workspace, path string, _ int) (string, error) {
		first, rest, _ := strings.Cut(path, "/")
		dir, err := w.OpenFolder(first)
		if err != nil {
			return "", err
		}
		return walkDown(dir, strings.Split(rest, "/"))
	}, false},
	{"Rewrite", func(w *sandbox.Workspace, path string, n int) (string, error) {
		re, err := transaction.Rewrite(context.Background(), w, transaction.WriteOptions{Path: path, Creation: transaction.MayCreate, Parents: true}, fixture.Content(fmt.Sprint("inside ", n)))
		if err != nil {
			return "", err
		}
		return string(re.Old), nil
	}, false},
	{"Append", func(w *sandbox.Workspace, path string, n int) (string, error) {
		var seen string
		_, err := transaction.Append(context.Background(), w, transaction.WriteOptions{Path: path, Creation: transaction.MayCreate, Parents: true}, func(e openfile.Edges) ([]byte, error) {
			seen = string(e.Head)
			return []byte("inside"), nil
		})
		return seen, err
	}, false},
	{"Mkdir", func(w *sandbox.Workspace, path string, n int) (string, error) {
		_, err := transaction.Mkdir(context.Background(), w, fmt.Sprintf("%s/new%d/x", filepath.Dir(path), n), true)
		return "", err
	}, false},
	{"Delete", func(w *sandbox.Workspace, path string, n int) (string, error) {
		sub := fmt.Sprintf("%s/new%d", filepath.Dir(path), n)
		if _, err := transaction.Mkdir(context.Background(), w, sub+"/x", true); err != nil {
			return "", err
		}
		_, err := transaction.Delete(context.Background(), w, transaction.WriteOptions{Path: sub, Recursive: true})
		return "", err
	}, false},
	{"Move", func(w *sandbox.Workspace, path string, n int) (string, error) {
		from, to := fmt.Sprintf("%s/new%d", filepath.Dir(path), n), filepath.Dir(path)+"/moved"
		if _, err := transaction.Rewrite(context.Background(), w, transaction.WriteOptions{Path: from, Creation: transaction.MayCreate}, fixture.Content("inside")); err != nil {
			return "", err
		}
		_, err := transaction.Move(context.Background(), w, transaction.Transfer{From: from, To: to, Overwrite: true})
		return "", err
	}, false},
	{"Move directory", func(w *sandbox.Workspace, path string, n int) (string, error) {
		from, to := fmt.Sprintf("%s/new%d", filepath.Dir(path), n), fmt.Sprintf("%s/moved%d", filepath.Dir(path), n)
		if _, err := transaction.Mkdir(context.Background(), w, from+"/x", true); err != nil {
			return "", err
		}
		_, err := transaction.Move(context.Background(), w, transaction.Transfer{From: from, To: to})
		return "", err
	}, false},
	{"Commit", func(w *sandbox.Workspace, path string, n int) (string, error) {
		text := fmt.Sprint("inside ", n)
		done, err := transaction.Commit(context.Background(), w, []transaction.Change{fixture.Put(path, text, transaction.MayCreate), fixture.Put(filepath.Dir(path)+"/second", text, transaction.MayCreate)})
		if err != nil {
			return "", err
		}
		return string(done[0].Old) + string(done[1].Old), nil
	}, true},
	{"Undo", func(w *sandbox.Workspace, path string, n int) (string, error) {
		done, err := transaction.Rewrite(context.Background(), w, transaction.WriteOptions{Path: path, Creation: transaction.MayCreate, Tool: "write"}, fixture.Content(fmt.Sprint("inside ", n)))
		if err != nil || done.BackupID == "" {
			return "", err
		}
		_, err = undo.Undo(context.Background(), w, done.BackupID, "", false, nil)
		return "", err
	}, true},
	{"Delete and undo", func(w *sandbox.Workspace, path string, n int) (string, error) {
		sub := fmt.Sprintf("%s/new%d", filepath.Dir(path), n)
		if _, err := transaction.Rewrite(context.Background(), w, transaction.WriteOptions{Path: sub, Creation: transaction.MayCreate}, fixture.Content("inside")); err != nil {
			return "", err
		}
		done, err := transaction.Delete(context.Background(), w, transaction.WriteOptions{Path: sub})
		if err != nil || done.BackupID == "" {
			return "", err
		}
		_, err = undo.Undo(context.Background(), w, done.BackupID, "", false, nil)
		return "", err
	}, true},
	{"Undo since", func(w *sandbox.Workspace, path string, n int) (string, error) {
		var first string
		for i := range 2 {
			text := fixture.Content(fmt.Sprint("inside ", n, i))
			done, err := transaction.Rewrite(context.Background(), w, transaction.WriteOptions{Path: path, Creation: transaction.MayCreate, Tool: "write"}, text)
			if err != nil || done.BackupID == "" {
				return "", err
			}
			first = cmp.Or(first, done.BackupID)
		}
		_, err := undo.Since(context.Background(), w, first, false, nil)
		return "", err
	}, true},
	{"Copy", func(w *sandbox.Workspace, path string, n int) (string, error) {
		to := fmt.Sprintf("copy%d", n)
		if err := raceCopy(w, path, to); err != nil {
			return "", err
		}
		defer func() { _, _ = transaction.Delete(context.Background(), w, transaction.WriteOptions{Path: to}) }()
		return slurp(w.OpenFile(to))
	}, false},
	{"Copy directory", func(w *sandbox.Workspace, path string, n int) (string, error) {
		to := fmt.Sprintf("copy%d", n)
		if err := raceCopy(w, filepath.Dir(path), to); err != nil {
			return "", err
		}
		defer func() {
			_, _ = transaction.Delete(context.Background(), w, transaction.WriteOptions{Path: to, Recursive: true})
		}()
		return slurp(w.OpenFile(to + "/f"))
	}, false},
	{"Stat", func(w *sandbox.Workspace, path string, n int) (string, error) {
		s, err := w.Stat(path)
		if err == nil && s.Exists && s.Size == int64(len(fixture.Secret)) {
			return fixture.Secret, nil
		}
		return "", err
	}, false},
}

// raceCopy makes a copy, which must be of the kind that the report says.
func raceCopy(w *sandbox.Workspace, from, to string) error {
	done, err := transaction.Copy(context.Background(), w, transaction.Transfer{From: from, To: to})
	if err != nil {
		return err
	}
	made, err := w.Lstat(to)
	if err == nil && made.Mode.Type() != done.Mode.Type() {
		err = fmt.Errorf("the copy is %v, and the report says %v", made.Mode, done.Mode)
	}
	return err
}

func slurp(f *openfile.File, err error) (string, error) {
	if err != nil {
		return "", err
	}
	defer f.Close()
	content, err := f.ReadAll(context.Background(), 1<<20)
	return string(content), err
}

func walkDown(dir *sandbox.Folder, names []string) (string, error) {
	defer dir.Close()
	if _, _, err := dir.List(context.Background(), "", 1); err != nil {
		return "", err
	}
	if len(names) == 1 {
		return slurp(dir.File(names[0]))
	}
	sub, err := dir.Folder(names[0])
	if err != nil {
		return "", err
	}
	return walkDown(sub, names[1:])
}

// naiveRead is what a careless program does: it resolves links, checks the text of what it got, and
// then opens the path.
func naiveRead(root, path string) string {
	resolved, err := filepath.EvalSymlinks(filepath.Join(root, path))
	if err != nil || !strings.HasPrefix(resolved, root+"/") {
		return ""
	}
	content, _ := os.ReadFile(filepath.Join(root, path))
	return string(content)
}
