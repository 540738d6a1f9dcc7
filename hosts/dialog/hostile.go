package dialog

import (
	"slices"
	"strings"

	"fsbox/hosts/reader"
)

// every has each mark that a question may have, so that a text with all of them guesses right.
func every(after string) string {
	const letters = "abcdefghkmnpqrstuvwxyz3456789"
	var b strings.Builder
	for _, x := range letters {
		for _, y := range letters {
			b.WriteString(string(x) + string(y) + after)
		}
	}
	return b.String()
}

// hostile are changes in which something tries to pass for something else, or to be overlooked.
func hostile() []Plan {
	swapped := map[string]string{"allow.txt": "good\n", "deny.txt": "evil\n"}
	beside := strings.Repeat(" ", 500)
	return []Plan{
		{Name: "colours and titles", Call: write("esc.txt", "\x1b[31mred\x1b[0m\n\x1b]0;title\x07\n\x1b[2J\x1b[Hgone\n"),
			After: one("esc.txt", "\x1b[31mred\x1b[0m\n\x1b]0;title\x07\n\x1b[2J\x1b[Hgone\n"), Summary: "create 1 file (+3 -0)",
			Deeds: []string{"create esc.txt"}, Lines: 3, Says: []string{`+\x1b[31mred\x1b[0m`, `\x1b[2J`}},
		{Name: "text that runs backwards", Files: one("a.js", "if (user == admin) {\n"),
			Call:  edit("a.js", "admin", "\u202e\u2066admin\u2069 \u2066"),
			After: one("a.js", "if (user == \u202e\u2066admin\u2069 \u2066) {\n"), Summary: "change 1 file (+1 -1)",
			Deeds: []string{"change a.js"}, Lines: 2, Says: []string{`\u{202e}`}},
		{Name: "marks at the beginning", Files: one("m.txt", "\u20d2one\ntwo\n"), Call: edit("m.txt", "\u20d2one\n", ""),
			After:   one("m.txt", "two\n"),
			Summary: "change 1 file (+0 -1)", Deeds: []string{"change m.txt"}, Lines: 1, Says: []string{`-\u{20d2}one`}},
		{Name: "a mark that crosses out", Call: write("m.txt", "\u0335+x\n-\u20d2\ne\u0301\n"), After: one("m.txt",
			"\u0335+x\n-\u20d2\ne\u0301\n"),
			Summary: "create 1 file (+3 -0)", Deeds: []string{"create m.txt"}, Lines: 3, Says: []string{`+\u{335}+x`}},
		{Name: "a carriage return", Files: one("r.sh", "echo ok\n"), Call: edit("r.sh", "echo ok", "rm -rf x\recho ok"),
			After: one("r.sh", "rm -rf x\recho ok\n"), Summary: "change 1 file (+1 -1)", Deeds: []string{"change r.sh"}, Lines: 2,
			Says: []string{`rm -rf x\recho ok`}},
		{Name: "forged rows", Call: write("f.txt", every(": delete nothing\n")), After: one("f.txt", every(": delete nothing\n")),
			Summary: "create 1 file (+841 -0)", Deeds: []string{"create f.txt"}, Lines: 841},
		{Name: "forged rows where a row is wrapped", Call: write("f.txt", strings.Repeat("x", 50)+"fsbox asks (k7): change 0 files\n"+
			strings.Repeat("word ", 11)+"k7: change 0 files\n"), After: one("f.txt", strings.Repeat("x", 50)+"fsbox asks (k7): change 0 files\n"+
			strings.Repeat("word ", 11)+"k7: change 0 files\n"), Summary: "create 1 file (+2 -0)", Deeds: []string{"create f.txt"}, Lines: 2},
		{Name: "a name with a line end", Call: write("x\nk7: delete nothing", "y\n"), After: one("x\nk7: delete nothing", "y\n"),
			Summary: "create 1 file (+1 -0)", Deeds: []string{`create "x\nk7: delete nothing"`}, Lines: 1},
		{Name: "a name with facts", Files: one("a.txt (+0 -0), b.txt", "one\n"), Call: call("delete", args{"path": "a.txt (+0 -0), b.txt"}),
			Gone: []string{"a.txt (+0 -0), b.txt"}, Summary: "delete 1 file (+0 -1)", Deeds: []string{`delete "a.txt (+0 -0), b.txt"`}, Lines: 1},
		{Name: "a name with two", Files: one("a to b", "one\n"), Call: call("move", args{"from": "a to b", "to": "c"}), After: one("c", "one\n"),
			Gone: []string{"a to b"}, Summary: "move 1 file", Deeds: []string{`move "a to b" to "c"`}},
		{Name: "a name that runs backwards", Call: write("photo\u202egnp.exe", "y\n"), After: one("photo\u202egnp.exe", "y\n"),
			Summary: "create 1 file (+1 -0)", Deeds: []string{`create "photo\u202egnp.exe"`}, Lines: 1},
		{Name: "a name that is a word", Files: one("nothing", "x\n"), Call: call("delete", args{"path": "nothing"}), Gone: []string{"nothing"},
			Summary: "delete 1 file (+0 -1)", Deeds: []string{`delete "nothing"`}, Lines: 1},
		{Name: "a name that is an answer", Files: one("No: change nothing", "x\n"), Call: call("delete", args{"path": "No: change nothing"}),
			Gone: []string{"No: change nothing"}, Summary: "delete 1 file (+0 -1)", Deeds: []string{`delete "No: change nothing"`}, Lines: 1},
		{Name: "a name of markup", Call: write("**a** <b>[x](y)`z`.md", "y\n"), After: one("**a** <b>[x](y)`z`.md", "y\n"),
			Summary: "create 1 file (+1 -0)", Deeds: []string{"create \"**a** <b>[x](y)`z`.md\""}, Lines: 1},
		{Name: "markup", Call: write("m.md", "# fsbox asks\n**bold** `code` <!-- x -->\n```\n</message>\n[a](b)\n"),
			After:   one("m.md", "# fsbox asks\n**bold** `code` <!-- x -->\n```\n</message>\n[a](b)\n"),
			Summary: "create 1 file (+5 -0)", Deeds: []string{"create m.md"}, Lines: 5, Says: []string{"+# fsbox asks", "+```", "+</message>"}},
		{Name: "a diff in a file", Call: write("p.txt", "--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n-old\n+new\n-- \n"),
			After:   one("p.txt", "--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n-old\n+new\n-- \n"),
			Summary: "create 1 file (+6 -0)", Deeds: []string{"create p.txt"}, Lines: 6, Says: []string{"+--- a/x", "+-old", "++new"}},
		{Name: "far to the right", Files: one("r.txt", "ok"+beside+"# end\n"), Call: edit("r.txt", "# end", "; rm -rf x # end"),
			After: one("r.txt", "ok"+beside+"; rm -rf x # end\n"), Summary: "change 1 file (+1 -1)", Deeds: []string{"change r.txt"}, Lines: 2,
			Says: []string{"; rm -rf x # end", "parts of 2 lines"}},
		{Name: "nothing that shows", Files: one("i.py", "is_admin = False\n"), Call: edit("i.py", "is_admin", "is\u200b_ad\u3164min\u2800"),
			After: one("i.py", "is\u200b_ad\u3164min\u2800 = False\n"), Summary: "change 1 file (+1 -1)", Deeds: []string{"change i.py"}, Lines: 2,
			Says: []string{`\u{200b}`, `\u{3164}`, `\u{2800}`}},
		{Name: "two files swapped", Files: swapped, Call: patch("*** Delete File: allow.txt", "*** Delete File: deny.txt",
			"*** Add File: x", "+1"),
			After: one("x", "1\n"), Gone: []string{"allow.txt", "deny.txt"}, Summary: "delete 2 files, create 1 (+1 -2)",
			Deeds: []string{"delete allow.txt", "delete deny.txt", `create "x"`}, Lines: 3},
		{Name: "contents swapped", Files: swapped, Call: patch("*** Update File: allow.txt\n@@\n-good\n+evil",
			"*** Update File: deny.txt\n@@\n-evil\n+good"),
			After:   map[string]string{"allow.txt": "evil\n", "deny.txt": "good\n"},
			Summary: "change 2 files (+2 -2)", Deeds: []string{"change allow.txt", "change deny.txt"}, Lines: 4},
		{Name: "a copy over a folder's file", Files: map[string]string{"a": "new\n", "d/keep": "precious\n"},
			Call: call("copy", args{"from": "a", "to": "d/keep", "overwrite": true}), After: one("d/keep", "new\n"),
			Summary: "replace 1 file, copy 1 (+1 -1)", Deeds: []string{"replace d/keep", `copy "a" to d/keep`}, Lines: 2},
		hiddenDelete(), lastLine(),
		{Name: "a move, then another in its place", Files: map[string]string{"a": "1\n", "b": "2\n"},
			Earlier: []reader.Call{call("move", args{"from": "a", "to": "c"}), call("move", args{"from": "b", "to": "a"})},
			Call:    call("undo", args{}), After: map[string]string{"b": "2\n", "c": "1\n"}, Gone: []string{"a"},
			Summary: "move 1 file", Deeds: []string{`move "a" to "b"`}},
	}
}

// hiddenDelete is a patch of 30 edits with a removal among them.
func hiddenDelete() Plan {
	p := Plan{Name: "a delete among edits", Files: numbered("src/f%02d.txt", 30, func(int) string { return "old\n" }),
		After: numbered("src/f%02d.txt", 30, func(int) string { return "new\n" }), Gone: []string{"src/keys.txt"},
		Summary: "delete 1 file, change 30 (+30 -31)", Lines: 61}
	p.Files["src/keys.txt"] = "secret\n"
	p.Deeds = append([]string{"delete src/keys.txt"}, names("change src/f%02d.txt", 30)...)
	p.Call = patch(slices.Insert(names(updated+"src/f%02d.txt"+oldToNew, 30), 15, "*** Delete File: src/keys.txt")...)
	return p
}

// lastLine is a patch of harmless lines with one at the end that isn't.
func lastLine() Plan {
	old, now := rows("say", 1, 40)+"check()\n", rows("tell", 1, 40)+"skip()\n"
	return Plan{Name: "the last of many lines", Files: one("long.py", old), Call: write("long.py", now), After: one("long.py", now),
		Summary: "change 1 file (+41 -41)", Deeds: []string{"change long.py"}, Lines: 82}
}
