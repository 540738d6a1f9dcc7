//go:build linux && amd64

package faults

import (
	"encoding/json"
	"slices"
	"strings"
)

const (
	oldText = "one\ntwo\nthree\n"
	newText = "one\n2\nthree\nfour\n"
)

var plain = file("a.txt", oldText)

// around is a tree with files that no call has any business with.
func around(entries ...entry) []entry {
	return append(entries, folder("d"), file("d/other.txt", "other\n").mode(0o640), file("../out/secret", "secret\n"),
		link("l", "d/other.txt"))
}

// long content takes more than one block of any file system.
var long = strings.Repeat("0123456789abcde\n", 4096)

var overwrite = slices.Clip([]string{"write", "a.txt", "--mode", "overwrite", "--content", newText})

// scenarios are all the calls that the sweeps go through.
func scenarios() []scenario {
	all := slices.Concat(writes(), appendsAndEdits(), deletes(), moves(), copies(), streamed(), patches())
	for _, s := range all {
		if !s.lasting {
			s.name, s.reverse, s.partial, s.next = "undo-"+s.name, true, false, []string{"mkdir", "d"}
			all = append(all, s)
			if len(s.settings) > 0 {
				s.name, s.twice = "undo-"+s.name, true
				all = append(all, s)
			}
		}
	}
	return append(all, undoSince())
}

// undoSince undoes four calls at once, on three files.
func undoSince() scenario {
	return scenario{name: "undo-since", several: true, reverse: true, next: []string{"mkdir", "d"},
		setup: around(plain.mode(0o640).owner(1234, 5678), file("b.txt", "b\n")), args: overwrite,
		since: [][]string{{"append", "a.txt", "--content", "five\n"}, {"move", "b.txt", "c.txt"}, {"write", "e.txt", "--content", "e\n"}},
		after: []entry{plain.mode(0o640).owner(1234, 5678).
			with(newText + "five\n"), file("c.txt", "b\n"), file("e.txt", "e\n")}, gone: []string{"b.txt"}}
}

func writes() []scenario {
	create := slices.Clip([]string{"write", "a.txt", "--content", newText})
	return []scenario{
		{name: "write-create", setup: around(), args: create, after: []entry{file("a.txt", newText)}},
		{name: "write-parents", setup: around(), args: []string{"write", "x/y/a.txt", "--content", newText},
			after: []entry{folder("x"), folder("x/y"), file("x/y/a.txt", newText)}},
		{name: "write-mode", setup: around(), args: append(create, "--file-mode", "0750"), after: []entry{file("a.txt", newText).mode(0o750)}},
		{name: "overwrite", setup: around(plain), args: overwrite, after: []entry{plain.with(newText)}},
		{name: "overwrite-no-backup", lasting: true, setup: around(plain), args: append(overwrite, "--no-backup"), after: []entry{plain.
			with(newText)}},
		{name: "overwrite-long", setup: around(file("a.txt", long)), after: []entry{file("a.txt", "x"+long)},
			args: []string{"write", "a.txt", "--mode", "overwrite", "--content-file", "-"}, stdin: "x" + long},
		{name: "overwrite-symlink", setup: around(plain, link("to-a", "a.txt")), after: []entry{plain.with(newText)},
			args: []string{"write", "to-a", "--mode", "overwrite", "--content", newText}},
		{name: "overwrite-hardlink", setup: around(plain, second("../out/same", "a.txt")), args: overwrite, after: []entry{plain.with(newText)}},
		overwriting("owner", plain.mode(0o600).owner(1234, 5678)),
		{name: "overwrite-suid", setup: around(plain.mode(0o6751).owner(1234, 5678)), args: overwrite,
			after: []entry{plain.mode(0o751).owner(1234, 5678).with(newText)}, lasting: true}, // undo brings no set-ID bits back
		overwriting("xattr", plain.xattr("user.note", "kept")),
		overwriting("acl", plain.mode(0o664).xattr(accessListName, accessList)),
		{name: "mkdir", lasting: true, setup: around(), args: []string{"mkdir", "x/y/z"},
			after: []entry{folder("x"), folder("x/y"), folder("x/y/z")}},
	}
}

// overwriting replaces a file that has something to lose besides its content.
func overwriting(name string, e entry) scenario {
	return scenario{name: "overwrite-" + name, setup: around(e), args: overwrite, after: []entry{e.with(newText)}}
}

func appendsAndEdits() []scenario {
	four := []string{"append", "a.txt", "--content", "four\n"}
	list := `{"path":"a.txt","edits":[{"expected_text":"one","replacement_text":"1"},{"expected_text":"three","replacement_text":"3"}]}`
	return []scenario{
		{name: "append", partial: true, setup: around(plain), args: four, after: []entry{plain.with(oldText + "four\n")}},
		{name: "append-create", setup: around(), args: four, after: []entry{file("a.txt", "four\n")}},
		{name: "append-hardlink", setup: around(plain, second("../out/same", "a.txt")), args: four, after: []entry{plain.
			with(oldText + "four\n")}},
		{name: "edit", setup: around(plain), args: []string{"edit", "a.txt", "--expected-text", "two", "--replacement-text", "2"},
			after: []entry{plain.with("one\n2\nthree\n")}},
		{name: "edit-glob", several: true, next: []string{"mkdir", "d"}, setup: around(plain.mode(0o640), folder("e"), file("e/b.txt", oldText)),
			args:  []string{"edit", "--glob", "*.txt", "--expected-text", "two", "--replacement-text", "2"},
			after: []entry{plain.mode(0o640).with("one\n2\nthree\n"), file("e/b.txt", "one\n2\nthree\n")}},
		{name: "edit-anchors", setup: around(plain), args: []string{"edit", "a.txt", "--start-anchor", "2#F3X", "--replacement-text", "2"},
			after: []entry{plain.with("one\n2\nthree\n")}},
		{name: "edit-move-lines", several: true, next: []string{"mkdir", "d"}, setup: around(plain.mode(0o640), folder("e"), file("e/b.txt",
			"b\n")),
			args: []string{"edit", "e/b.txt", "--insert-after", "0", "--source-path", "a.txt", "--source-start", "2#F3X",
				"--source-end", "3#3CJ", "--cut"},
			after: []entry{plain.mode(0o640).with("one\n"), file("e/b.txt", "two\nthree\nb\n")}},
		{name: "edit-list", setup: around(plain), args: []string{"edit", "--json", list}, after: []entry{plain.with("1\ntwo\n3\n")}},
	}
}

// tall is a small tree below a folder.
func tall(top string) []entry {
	return []entry{folder(top).mode(0o750), file(top+"/a.txt", oldText).mode(0o600), folder(top + "/sub"), file(top+"/sub/b.txt", "b\n"),
		link(top+"/sub/l", "b.txt")}
}

func paths(entries []entry) (all []string) {
	for _, e := range entries {
		all = append(all, e.path)
	}
	return all
}

func deletes() []scenario {
	rich := plain.mode(0o640).owner(1234, 5678).xattr("user.note", "kept")
	return []scenario{
		{name: "delete", setup: around(plain), args: []string{"delete", "a.txt"}, gone: []string{"a.txt"}},
		{name: "delete-rich", setup: around(rich), args: []string{"delete", "a.txt"}, gone: []string{"a.txt"}},
		{name: "delete-link", setup: around(plain, link("to-a", "a.txt")), args: []string{"delete", "to-a"}, gone: []string{"to-a"}},
		{name: "delete-tree", setup: around(tall("t")...), args: []string{"delete", "t", "--recursive"}, gone: paths(tall("t"))},
	}
}

func moves() []scenario {
	here := plain.mode(0o640)
	there := here
	there.path = "b.txt"
	return []scenario{
		{name: "move", setup: around(here), args: []string{"move", "a.txt", "b.txt"}, gone: []string{"a.txt"}, after: []entry{there}},
		{name: "move-parents", setup: around(here), args: []string{"move", "a.txt", "x/y/a.txt"}, gone: []string{"a.txt"},
			after: []entry{folder("x"), folder("x/y"), {kind: here.kind, path: "x/y/a.txt", text: here.text, bits: here.bits, uid: here.uid,
				gid: here.gid}}},
		{name: "move-folder", setup: around(tall("t")...), args: []string{"move", "t", "u"}, gone: paths(tall("t")), after: tall("u")},
		{name: "move-overwrite", several: true, next: []string{"mkdir", "d"}, setup: around(here, file("b.txt", "b\n")),
			args: []string{"move", "a.txt", "b.txt", "--overwrite"},
			gone: []string{"a.txt"}, after: []entry{there}},
		moveOver("move-overwrite-down", "a.txt", "e/b.txt"),
		moveOver("move-overwrite-up", "e/a.txt", "b.txt"),
		moveOver("move-overwrite-across", "e/a.txt", "f/b.txt"),
		{name: "move-across", setup: around(here, folder("e")), args: []string{"move", "a.txt", "e/b.txt"}, gone: []string{"a.txt"},
			after: []entry{{kind: here.kind, path: "e/b.txt", text: here.text, bits: here.bits, uid: here.uid, gid: here.gid}}},
	}
}

// moveOver moves a file over one in another folder. Two folders take two locks, which either of
// them may be the first of.
func moveOver(name, from, to string) scenario {
	here, there := file(from, oldText).mode(0o640), file(to, oldText).mode(0o640)
	return scenario{name: name, several: true, next: []string{"mkdir", "d"}, setup: around(folder("e"), folder("f"), here, file(to, "b\n")),
		args: []string{"move", from, to, "--overwrite"}, gone: []string{from}, after: []entry{there}}
}

func copies() []scenario {
	return []scenario{
		{name: "copy", setup: around(plain), args: []string{"copy", "a.txt", "b.txt"}, after: []entry{file("b.txt", oldText)}},
		{name: "copy-tree", setup: around(tall("t")...), args: []string{"copy", "t", "u"}, after: tall("u")},
		{name: "copy-tree-parents", setup: around(tall("t")...), args: []string{"copy", "t", "x/y/u"},
			after: append([]entry{folder("x"), folder("x/y")}, tall("x/y/u")...)},
		{name: "copy-overwrite", setup: around(plain, file("b.txt", "b\n")), args: []string{"copy", "a.txt", "b.txt", "--overwrite"},
			after: []entry{file("b.txt", oldText)}},
	}
}

// streamed are calls about files that are too long to be held in memory: they are copied, hashed
// and kept in pieces. The undo of each is undone as well.
func streamed() []scenario {
	rich := file("a.txt", long).mode(0o640).owner(1234, 5678).xattr("user.note", "kept")
	other := file("b.txt", "x"+long).mode(0o600).xattr("user.note", "other")
	holes := file("a.txt", "x"+strings.Repeat("\x00", 5<<14)+long+strings.Repeat("\x00", 3<<14)).mode(0o640).sparse()
	owned := file("a.txt", long).mode(0o640).owner(1234, 5678) // attributes may be lost on another disk, with a warning
	moved, there := rich, owned
	moved.path, there.path = "b.txt", "m/a.txt"
	short := []string{"FSBOX_MAX_READ_BYTES=20KiB"}
	all := []scenario{
		{name: "overwrite-streamed", setup: around(rich), args: overwrite, after: []entry{rich.with(newText)}},
		{name: "append-streamed", partial: true, setup: around(rich), args: []string{"append", "a.txt", "--content", "four\n"},
			after: []entry{rich.with(long + "four\n")}},
		{name: "delete-streamed", setup: around(rich), args: []string{"delete", "a.txt"}, gone: []string{"a.txt"}},
		{name: "move-streamed", several: true, next: []string{"mkdir", "d"}, setup: around(rich, other),
			args: []string{"move", "a.txt", "b.txt", "--overwrite"}, gone: []string{"a.txt"}, after: []entry{moved}},
	}
	all = append(all,
		scenario{name: "overwrite-streamed-if-match", setup: around(rich), args: append(overwrite, "--if-match", etagHere),
			after: []entry{rich.with(newText)}},
		scenario{name: "overwrite-streamed-holes", setup: around(holes), args: overwrite, after: []entry{holes.with(newText)}},
		scenario{name: "append-streamed-holes", partial: true, setup: around(holes), after: []entry{holes.with(holes.text + "four\n")},
			args: []string{"append", "a.txt", "--content", "four\n", "--encoding", "utf-8"}},
		// The state directory on another disk: old content is copied there, and back.
		scenario{name: "overwrite-streamed-disk", setup: around(rich), args: overwrite, after: []entry{rich.with(newText)}, disk: "home"},
		scenario{name: "delete-streamed-disk", setup: around(holes), args: []string{"delete", "a.txt"}, gone: []string{"a.txt"}, disk: "home"},
		scenario{name: "move-streamed-disk", several: true, next: []string{"mkdir", "d"}, setup: around(owned), disk: "ws/m",
			args: []string{"move", "a.txt", "m/a.txt"}, gone: []string{"a.txt"}, after: []entry{there}})
	for i := range all {
		all[i].settings = short
	}
	// A file may be copied up to max_read_bytes, and is held up to 10 MiB of that.
	large := file("a.txt", strings.Repeat(long, 11<<20/len(long))).mode(0o640)
	copied := large
	copied.path = "b.txt" // over a file, which keeps its own rights
	return append(all,
		scenario{name: "copy-streamed", setup: around(large), args: []string{"copy", "a.txt", "b.txt"}, after: []entry{copied},
			settings: []string{"FSBOX_MAX_READ_BYTES=16MiB"}},
		scenario{name: "copy-overwrite-streamed", setup: around(large, other), args: []string{"copy", "a.txt", "b.txt", "--overwrite"},
			after: []entry{other.with(large.text)}, settings: []string{"FSBOX_MAX_READ_BYTES=16MiB"}})
}

// fiveFiles changes two files, in two folders, makes one, deletes one and moves one.
const fiveFiles = `--- a/a.txt
+++ b/a.txt
@@ -1,3 +1,3 @@
 one
-two
+2
 three
--- a/e/b.txt
+++ b/e/b.txt
@@ -1 +1 @@
-b
+B
--- /dev/null
+++ b/new.txt
@@ -0,0 +1 @@
+new
--- a/old.txt
+++ /dev/null
@@ -1 +0,0 @@
-old
diff --git a/from.txt b/e/to.txt
similarity index 50%
rename from from.txt
rename to e/to.txt
--- a/from.txt
+++ b/e/to.txt
@@ -1,2 +1,2 @@
 moved
-old
+new
`

func patches() []scenario {
	request, err := json.Marshal(map[string]string{"patch": fiveFiles})
	if err != nil {
		panic(err) // strings can always be written as JSON
	}
	return []scenario{{name: "patch", several: true, next: []string{"mkdir", "d"}, args: []string{"patch", "--json", string(request)},
		setup: around(plain, folder("e"), file("e/b.txt", "b\n"), file("old.txt", "old\n"), file("from.txt", "moved\nold\n")),
		after: []entry{plain.with("one\n2\nthree\n"), file("e/b.txt", "B\n"), file("new.txt", "new\n"), file("e/to.txt", "moved\nnew\n")},
		gone:  []string{"old.txt", "from.txt"}},
		{name: "patch-parents", several: true, next: []string{"mkdir", "d"}, args: []string{"patch", "--json", `{"patch":"` + strings.Join([]string{
			`--- /dev/null`, `+++ b/x/y/a.txt`, `@@ -0,0 +1 @@`, `+a`, `--- /dev/null`, `+++ b/x/z/b.txt`, `@@ -0,0 +1 @@`, `+b`}, `\n`) + `\n"}`},
			setup: around(), after: []entry{folder("x"), folder("x/y"), folder("x/z"), file("x/y/a.txt", "a\n"), file("x/z/b.txt", "b\n")}}}
}
