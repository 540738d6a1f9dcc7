package commands

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/edit"
	"fsbox/commands/settings"
	"fsbox/textio/anchor"
)

var lineMoves = flag.Int("line-moves", 500, "random moves of lines that are compared with a plain model")

// lineFile is a file as the model sees it.
type lineFile struct {
	lines []string
	open  bool // the last line lacks its line end
	form  int  // in formsOnDisk
}

func (f lineFile) text() string {
	text := strings.Join(f.lines, "\n")
	if !f.open && len(f.lines) > 0 {
		text += "\n"
	}
	return text
}

func (f lineFile) bytes() string { return string(formsOnDisk[f.form](f.text())) }

// anchorOf is the anchor of a line, counted from 1.
func (f lineFile) anchorOf(line int) edit.Anchor {
	all := anchor.Whole([]byte(f.text()))
	id := anchor.Count(all).Find(all, []int64{int64(line)})[0].ID
	return edit.Anchor(anchor.Anchor{Line: int64(line), ID: id}.String())
}

func (f lineFile) has(line int, a edit.Anchor) bool {
	return line <= len(f.lines) && f.anchorOf(line) == a
}

// lineMove puts lines first to last of a file into another, or the same: in place of lines from to
// to, or after line from with to 0.
type lineMove struct {
	source, target, first, last, from, to int
	cut                                   bool
	anchors                               [4]edit.Anchor // of first, last, from and to
}

func (m *lineMove) request(paths []string) *edit.Request {
	e := &edit.Request{Path: paths[m.target], Match: "exact", Cut: m.cut, SourceStart: m.anchors[0], SourceEnd: m.anchors[1]}
	if m.source != m.target {
		e.SourcePath = paths[m.source]
	}
	if e.StartAnchor, e.EndAnchor = m.anchors[2], m.anchors[3]; m.to == 0 {
		e.StartAnchor, e.InsertAfter = "", m.anchors[2]
	}
	return e
}

// outcome is what the move makes of files, or the code of its failure.
func (m *lineMove) outcome(files []lineFile) (after []lineFile, code answer.Code) {
	source, target := files[m.source], files[m.target]
	overlaps := m.to == 0 && m.from >= m.first && (m.from < m.last || m.cut && m.from == m.last) ||
		m.to > 0 && m.from <= m.last && m.first <= m.to
	switch {
	case m.source == m.target && overlaps:
		return nil, answer.CodeInvalidInput
	case !source.has(m.first, m.anchors[0]), !source.has(m.last, m.anchors[1]),
		m.from > 0 && !target.has(m.from, m.anchors[2]), m.to > 0 && !target.has(m.to, m.anchors[3]):
		return nil, answer.CodeStale
	}
	const gone = "\x00"
	moved := slices.Clone(source.lines[m.first-1 : m.last])
	after = slices.Clone(files)
	if m.cut {
		marked := slices.Clone(source.lines)
		for i := m.first - 1; i < m.last; i++ {
			marked[i] = gone
		}
		after[m.source].lines = marked
	}
	lines := slices.Clone(after[m.target].lines)
	if m.to == 0 {
		lines = slices.Insert(lines, m.from, moved...)
	} else {
		lines = slices.Replace(lines, m.from-1, m.to, moved...)
	}
	after[m.target].lines = lines
	for i := range after {
		after[i].lines = slices.DeleteFunc(slices.Clone(after[i].lines), func(l string) bool { return l == gone })
	}
	if sameFiles(after, files) {
		return nil, answer.CodeNoChange
	}
	return after, ""
}

func sameFiles(a, b []lineFile) bool {
	return slices.EqualFunc(a, b, func(a, b lineFile) bool { return a.bytes() == b.bytes() })
}

// moveModel is a tree of a few files whose lines move.
type moveModel struct {
	*testing.T
	*rand.Rand
	root  string
	paths []string
}

func (m *moveModel) randomFile() lineFile {
	f := lineFile{form: m.IntN(len(formsOnDisk)), open: m.IntN(3) == 0}
	for range m.IntN(12) + 2 {
		f.lines = append(f.lines, []string{"", "}", "  }", "alpha", "beta  ", "\tdelta é", fmt.Sprint("line ", m.IntN(50))}[m.IntN(7)])
	}
	f.lines = append(f.lines, "last")
	return f
}

// changed is a file as somebody else leaves it.
func (m *moveModel) changed(f lineFile) lineFile {
	f.lines = slices.Clone(f.lines)
	switch i := m.IntN(len(f.lines)); m.IntN(3) {
	case 0:
		f.lines = slices.Insert(f.lines, i, "inserted")
	case 1:
		f.lines = append(slices.Delete(f.lines, i, i+1), "end")
	default:
		f.lines[i] += " changed"
	}
	return f
}

func (m *moveModel) write(i int, f lineFile) {
	path := filepath.Join(m.root, m.paths[i])
	if err := os.WriteFile(path+".new", []byte(f.bytes()), 0o644); err != nil {
		m.Error(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		m.Error(err)
	}
}

func (m *moveModel) randomMove(files []lineFile) lineMove {
	v := lineMove{source: m.IntN(len(files)), target: m.IntN(len(files)), cut: m.IntN(2) == 0}
	source, target := files[v.source], files[v.target]
	v.first = m.IntN(len(source.lines)) + 1
	v.last = v.first + m.IntN(min(4, len(source.lines)-v.first+1))
	v.anchors[0], v.anchors[1] = source.anchorOf(v.first), source.anchorOf(v.last)
	if v.from = m.IntN(len(target.lines) + 1); v.from > 0 && m.IntN(3) == 0 {
		v.to = v.from + m.IntN(min(3, len(target.lines)-v.from+1))
		v.anchors[3] = target.anchorOf(v.to)
	}
	v.anchors[2] = "0"
	if v.from > 0 {
		v.anchors[2] = target.anchorOf(v.from)
	}
	return v
}

// TestLineMoves moves and copies random lines within files and between them, and compares what is
// there then with lists of lines. Some files are changed by somebody else after their anchors were
// read, or while the call is made: then the outcome is that of one after the other, or the call
// fails and changes nothing.
func TestLineMoves(t *testing.T) {
	env := testEnv(t, settings.Settings{AllowWrite: true}).Env
	m := &moveModel{t, rand.New(rand.NewPCG(3, 9)), env.Workspace.Root(), []string{"a.txt", "b.txt", "c.txt"}}
	codes := map[answer.Code]int{}
	for i := range sized(*lineMoves) {
		files := []lineFile{m.randomFile(), m.randomFile(), m.randomFile()}
		for n, f := range files {
			m.write(n, f)
		}
		move := m.randomMove(files)
		other, during := []int{move.source, move.target}[m.IntN(2)], false
		foreign := m.changed(files[other])
		var wait sync.WaitGroup
		switch m.IntN(4) {
		case 0:
			files[other] = foreign
			m.write(other, foreign)
		case 1:
			during = true
			wait.Go(func() { m.write(other, foreign) })
		}
		_, err := move.request(m.paths).Run(t.Context(), env)
		wait.Wait()
		code := answer.Code("")
		if f, is := errors.AsType[*answer.Failure](err); is {
			code = f.Code
		} else if err != nil {
			code = command.FailureOf(err).Code
		}
		codes[code]++
		m.check(i, move, files, code, during, other, foreign)
	}
	if n := sized(*lineMoves); codes[""] < n/2 || codes[answer.CodeStale] < n/30 || codes[answer.CodeInvalidInput] < n/50 {
		t.Error(codes)
	}
}

// check compares the files on disk with those that a move may leave.
func (m *moveModel) check(i int, move lineMove, files []lineFile, code answer.Code, during bool, other int, foreign lineFile) {
	var allowed [][]lineFile
	add := func(files []lineFile, last bool) {
		after, want := move.outcome(files)
		if want != code {
			return
		}
		if after == nil {
			after = files
		}
		if after = slices.Clone(after); last {
			after[other] = foreign
		}
		allowed = append(allowed, after)
	}
	add(files, during)
	if during {
		theirs := slices.Clone(files)
		theirs[other] = foreign
		add(theirs, false)
	}
	now := ""
	for _, path := range m.paths {
		content, err := os.ReadFile(filepath.Join(m.root, path))
		if err != nil {
			m.Fatal(err)
		}
		now += fmt.Sprintf("%q\n", content)
	}
	for _, after := range allowed {
		want := ""
		for _, f := range after {
			want += fmt.Sprintf("%q\n", f.bytes())
		}
		if want == now {
			return
		}
	}
	_, want := move.outcome(files)
	m.Fatalf("move %d, %+v: code %q, want %q\nfiles %+v\nforeign %v %d %+v\nnow\n%s\nallowed %+v", i, move, code, want, files, during, other,
		foreign, now, allowed)
}
