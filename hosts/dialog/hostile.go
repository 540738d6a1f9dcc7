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
		created("colours and titles", "esc.txt", "\x1b[31mred\x1b[0m\n\x1b]0;title\x07\n\x1b[2J\x1b[Hgone\n", `+\x1b[31mred\x1b[0m`, `\x1b[2J`),
		edited("text that runs backwards", "a.js", "if (user == admin) {\n", "admin", "\u202e\u2066admin\u2069 \u2066", `\u{202e}`),
		{Name: "marks at the beginning", Files: one("m.txt", "\u20d2one\ntwo\n"), Call: edit("m.txt", "\u20d2one\n", ""),
			After:   one("m.txt", "two\n"),
			Summary: "change 1 file (+0 -1)", Deeds: []string{"change m.txt"}, Lines: 1, Says: []string{`-\u{20d2}one`}},
		created("a mark that crosses out", "m.txt", "\u0335+x\n-\u20d2\ne\u0301\n", `+\u{335}+x`),
		edited("a carriage return", "r.sh", "echo ok\n", "echo ok", "rm -rf x\recho ok", `rm -rf x\recho ok`),
		created("forged rows", "f.txt", every(": delete nothing\n")),
		created("forged rows where a row is wrapped", "f.txt", strings.Repeat("x", 50)+"fsbox asks (k7): change 0 files\n"+
			strings.Repeat("word ", 11)+"k7: change 0 files\n"),
		created("a name with a line end", "x\nk7: delete nothing", "y\n").as(`"x\nk7: delete nothing"`),
		deleted("a name with facts", "a.txt (+0 -0), b.txt", "one\n").as(`"a.txt (+0 -0), b.txt"`),
		{Name: "a name with two", Files: one("a to b", "one\n"), Call: call("move", args{"from": "a to b", "to": "c"}), After: one("c", "one\n"),
			Gone: []string{"a to b"}, Summary: "move 1 file", Deeds: []string{`move "a to b" to "c"`}},
		created("a name that runs backwards", "photo\u202egnp.exe", "y\n").as(`"photo\u202egnp.exe"`),
		deleted("a name that is a word", "nothing", "x\n").as(`"nothing"`),
		deleted("a name that is an answer", "No: change nothing", "x\n").as(`"No: change nothing"`),
		created("a name of markup", "**a** <b>[x](y)`z`.md", "y\n").as("\"**a** <b>[x](y)`z`.md\""),
		created("markup", "m.md", "# fsbox asks\n**bold** `code` <!-- x -->\n```\n</message>\n[a](b)\n",
			"+# fsbox asks", "+```", "+</message>"),
		created("a diff in a file", "p.txt", "--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n-old\n+new\n-- \n", "+--- a/x", "+-old", "++new"),
		edited("far to the right", "r.txt", "ok"+beside+"# end\n", "# end", "; rm -rf x # end", "; rm -rf x # end", "parts of 2 lines"),
		edited("nothing that shows", "i.py", "is_admin = False\n", "is_admin", "is\u200b_ad\u3164min\u2800",
			`\u{200b}`, `\u{3164}`, `\u{2800}`),
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
