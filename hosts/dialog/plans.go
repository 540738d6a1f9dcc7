// Package dialog has changes that a person is asked about, and reads the question from a screen as
// that person does, who sees nothing else.
package dialog

import (
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf16"

	"fsbox/hosts/reader"
)

// Plan is a change, and what somebody must be able to tell who only sees the question.
type Plan struct {
	Name    string
	Files   map[string]string // before, by path; a path that ends with a slash is a folder, a text "-> x" a link to x
	Earlier []reader.Call     // are carried out before, without a question
	Call    reader.Call
	Besides []Plan // are asked for at the same time
	After   map[string]string
	Gone    []string

	Summary string   // what is done, and how much
	Deeds   []string // what is done to which path, all of them
	Lines   int      // that go or come
	Says    []string // what else is said
}

type args = map[string]any

func call(tool string, arguments args) reader.Call {
	return reader.Call{Tool: tool, Arguments: arguments}
}

func write(path, content string) reader.Call {
	return call("write", args{"path": path, "content": content, "mode": "overwrite"})
}

func edit(path, old, text string) reader.Call {
	return call("edit", args{"path": path, "expected_text": old, "replacement_text": text})
}

func patch(parts ...string) reader.Call {
	return call("patch", args{"patch": "*** Begin Patch\n" + strings.Join(parts, "\n") + "\n*** End Patch\n"})
}

// rows are numbered lines.
func rows(word string, from, to int) string {
	var b strings.Builder
	for i := from; i <= to; i++ {
		fmt.Fprintf(&b, "%s %d\n", word, i)
	}
	return b.String()
}

// numbered is a map of files with a number in their names.
func numbered(format string, n int, text func(i int) string) map[string]string {
	all := map[string]string{}
	for i := range n {
		all[fmt.Sprintf(format, i+1)] = text(i + 1)
	}
	return all
}

// updated and oldToNew are around the name of a file in a patch.
const updated, oldToNew = "*** Update File: ", "\n@@\n-old\n+new"

// one makes a map of a path.
func one(path, text string) map[string]string { return map[string]string{path: text} }

// created is a new file.
func created(name, path, content string, says ...string) Plan {
	n := strings.Count(content, "\n")
	return Plan{Name: name, Call: write(path, content), After: one(path, content), Summary: fmt.Sprintf("create 1 file (+%d -0)", n),
		Deeds: []string{"create " + path}, Lines: n, Says: says}
}

// edited is a file with another text in one line.
func edited(name, path, content, old, text string, says ...string) Plan {
	return Plan{Name: name, Files: one(path, content), Call: edit(path, old, text), After: one(path, strings.Replace(content, old, text, 1)),
		Summary: "change 1 file (+1 -1)", Deeds: []string{"change " + path}, Lines: 2, Says: says}
}

// deleted is a file that goes.
func deleted(name, path, content string) Plan {
	n := strings.Count(content, "\n")
	return Plan{Name: name, Files: one(path, content), Call: call("delete", args{"path": path}), Gone: []string{path},
		Summary: fmt.Sprintf("delete 1 file (+0 -%d)", n), Deeds: []string{"delete " + path}, Lines: n}
}

// as is the plan with the path as the question has it, if that isn't as it is.
func (p Plan) as(shown string) Plan {
	verb, _, _ := strings.Cut(p.Deeds[0], " ")
	p.Deeds = []string{verb + " " + shown}
	return p
}

// Plans are the changes.
func Plans() []Plan {
	return append(plain(), hostile()...)
}

// plain are changes in which nothing is meant to deceive.
func plain() []Plan {
	long := func(word string) string {
		return strings.Repeat("y", 1600) + word + strings.Repeat("y", 1400-len(word)) + "\n"
	}
	return []Plan{
		created("a new file", "notes.txt", "one\ntwo\nthree\n"),
		edited("one line in 200", "src/list.txt", rows("line", 1, 200), "line 100\n", "line one hundred\n"),
		threeFiles(),
		deleted("a file deleted", "old.txt", "one\ntwo\nthree\n"),
		{Name: "a delete and two changes", Files: map[string]string{"old.txt": "one\ntwo\nthree\n", "src/a.txt": rows("row", 1, 20),
			"src/b.go": "\tif x {\n"}, Call: patch("*** Delete File: old.txt", "*** Update File: src/a.txt\n@@\n-row 5\n+row five",
			"*** Update File: src/b.go\n@@\n-\tif x {\n+    if x {"), After: map[string]string{"src/a.txt": strings.Replace(rows("row",
			1, 20), "row 5\n", "row five\n", 1),
			"src/b.go": "    if x {\n"}, Gone: []string{"old.txt"}, Summary: "delete 1 file, change 2 (+2 -5)",
			Deeds: []string{"delete old.txt", "change src/a.txt", "change src/b.go"}, Lines: 7},
		edited("a line of 3,000 characters", "long.txt", long("before"), "before", "CHANGED", "CHANGED", "parts of 2 lines"),
		edited("a tab becomes blanks", "a.go", "func a() {\n\tif x {\n\t\treturn\n", "\tif x {", "    if x {", "-→if x {", "+    if x {"),
		edited("a tab goes", "Makefile", "all:\n\tgo build\n", "\tgo build", "go build", "-→go build", "+go build").as(`"Makefile"`),
		{Name: "Windows line ends", Files: one("win.txt", "one\r\ntwo\r\n"), Call: call("write", args{"path": "win.txt", "content": "one\ntwo\n",
			"mode": "overwrite", "eol": "lf"}), After: one("win.txt", "one\ntwo\n"), Summary: "change 1 file (+2 -2)",
			Deeds: []string{"change win.txt"}, Lines: 4, Says: []string{`-one\r`, "line ends"}},
		created("3,000 new lines", "big.txt", rows("row", 1, 3000)),
		twoAtOnce(),
		{Name: "a file moved", Files: one("old/name.txt", "x\n"), Call: call("move", args{"from": "old/name.txt", "to": "name.txt"}),
			After: one("name.txt", "x\n"), Gone: []string{"old/name.txt"}, Summary: "move 1 file", Deeds: []string{"move old/name.txt to name.txt"}},
		{Name: "a move over another file", Files: map[string]string{"new.txt": "new\n", "kept.txt": "precious\nlines\n"},
			Call: call("move", args{"from": "new.txt", "to": "kept.txt", "overwrite": true}), After: one("kept.txt", "new\n"),
			Gone:    []string{"new.txt"},
			Summary: "replace 1 file, move 1 (+1 -2)", Deeds: []string{"replace kept.txt", "move new.txt to kept.txt"}, Lines: 3},
		{Name: "a folder copied", Files: numbered("d/f%02d", 40, func(int) string { return "x\n" }), Call: call("copy",
			args{"from": "d", "to": "e"}),
			After: numbered("e/f%02d", 40, func(int) string { return "x\n" }), Summary: "copy 1 folder", Deeds: []string{`copy folder "d" to "e"`},
			Says: []string{"40 names in it"}},
		{Name: "a folder made", Call: call("mkdir", args{"path": "deep/er/est"}), Summary: "create 1 folder",
			Deeds: []string{"create folder deep/er/est"},
			Says:  []string{"2 folders above"}},
		{Name: "a folder deleted", Files: numbered("d/f%02d", 40, func(i int) string { return fmt.Sprintln("content", i) }),
			Call: call("delete", args{"path": "d", "recursive": true}), Gone: []string{"d"}, Summary: "delete 1 folder, 40 files (+0 -40)",
			Deeds: append([]string{`delete folder "d"`}, names("delete d/f%02d", 40)...), Lines: 40},
		{Name: "a line at the end", Files: one("log.txt", "one\n"), Call: call("append", args{"path": "log.txt", "content": "two\n"}),
			After: one("log.txt", "one\ntwo\n"), Summary: "change 1 file (+1 -0)", Deeds: []string{"change log.txt"}, Lines: 1},
		{Name: "a delete taken back", Files: one("old.txt", "one\ntwo\n"), Earlier: []reader.Call{call("delete", args{"path": "old.txt"})},
			Call: call("undo", args{}), After: one("old.txt", "one\ntwo\n"), Summary: "create 1 file (+2 -0)",
			Deeds: []string{"create old.txt"}, Lines: 2},
		{Name: "a folder comes back", Files: map[string]string{"d/a": "1\n", "d/b": "2\n"},
			Earlier: []reader.Call{call("delete", args{"path": "d", "recursive": true})}, Call: call("undo", args{}),
			After: map[string]string{"d/a": "1\n", "d/b": "2\n"}, Summary: "create 1 folder", Deeds: []string{`create folder "d"`},
			Says: []string{"2 names in it"}},
		{Name: "a script is made", Call: call("write", args{"path": "run.sh", "content": "#!/bin/sh\n", "file_mode": "0755"}),
			After: one("run.sh", "#!/bin/sh\n"), Summary: "create 1 file (+1 -0)", Deeds: []string{"create run.sh"}, Lines: 1,
			Says: []string{"0755"}},
		{Name: "another mode", Files: one("run.sh", "#!/bin/sh\n"),
			Call:    call("write", args{"path": "run.sh", "content": "#!/bin/sh\n", "mode": "overwrite", "file_mode": "0777"}),
			Summary: "change 1 file", Deeds: []string{"change run.sh"}, Says: []string{"0777"}},
		{Name: "an empty file", Call: write("empty", ""), After: one("empty", ""), Summary: "create 1 file", Deeds: []string{`create "empty"`}},
		edited("wide characters", "資料/説明.txt", "古い説明の行\n", "古い", "新しい"),
		{Name: "60 files", Files: numbered("pkg/file%02d.go", 60, func(int) string { return "old\n" }),
			Call:  patch(names(updated+"pkg/file%02d.go"+oldToNew, 60)...),
			After: numbered("pkg/file%02d.go", 60, func(int) string { return "new\n" }), Summary: "change 60 files (+60 -60)",
			Deeds: names("change pkg/file%02d.go", 60), Lines: 120},
		{Name: "through a link", Files: map[string]string{"real/config": "a=1\n", "config": "-> real/config"}, Call: edit("config", "a=1", "a=2"),
			After: one("real/config", "a=2\n"), Summary: "change 1 file (+1 -1)", Deeds: []string{`change "config"`}, Lines: 2,
			Says: []string{`is a link to "real/config"`}},
		{Name: "no last line end", Files: one("end.txt", "one\ntwo\n"), Call: write("end.txt", "one\ntwo"), After: one("end.txt", "one\ntwo"),
			Summary: "change 1 file (+1 -1)", Deeds: []string{"change end.txt"}, Lines: 2, Says: []string{"the last line"}},
		edited("blanks at an end", "md.txt", "word\n", "word", "word  ", `+word \x20`),
		{Name: "UTF-16", Files: one("utf16.txt", utf16le("old\n")), Call: edit("utf16.txt", "old", "new"), After: one("utf16.txt",
			utf16le("new\n")),
			Summary: "change 1 file (+1 -1)", Deeds: []string{"change utf16.txt"}, Lines: 2, Says: []string{"+new"}},
		created("a long path", strings.Repeat("folder/", 20)+"file.txt", "x\n", "parts of 1 name"),
	}
}

// twoAtOnce are two new files, asked for at the same time.
func twoAtOnce() Plan {
	p := created("two at once", "first.txt", "1\n")
	p.Besides = []Plan{created("the other one", "second.txt", "2\n")}
	return p
}

// threeFiles is a patch with 60 changed lines.
func threeFiles() Plan {
	p := Plan{Name: "a patch of 3 files", Files: map[string]string{}, After: map[string]string{},
		Summary: "change 3 files (+30 -30)", Lines: 60}
	var parts []string
	for _, name := range []string{"a", "b", "c"} {
		path := "src/" + name + ".txt"
		p.Files[path], p.After[path] = rows(name+" row", 1, 40), rows(name+" new", 1, 10)+rows(name+" row", 11, 40)
		p.Deeds = append(p.Deeds, "change "+path)
		part := "*** Update File: " + path + "\n@@\n-" + strings.ReplaceAll(strings.TrimSpace(rows(name+" row", 1, 10)), "\n", "\n-") +
			"\n+" + strings.ReplaceAll(strings.TrimSpace(rows(name+" new", 1, 10)), "\n", "\n+")
		parts = append(parts, part)
	}
	p.Call = patch(parts...)
	return p
}

func names(format string, n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprintf(format, i+1))
	}
	return all
}

// utf16le is a text as UTF-16 with its mark.
func utf16le(text string) string {
	b, _ := binary.Append(nil, binary.LittleEndian, utf16.Encode([]rune("\ufeff"+text))) // numbers can be appended
	return string(b)
}
