package hostile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsbox/commands"
	"fsbox/commands/command"
	"fsbox/commands/request"
	"fsbox/commands/samples"
	"fsbox/testscript"
)

// hostileCommand is one way to give a path to the program. The request has the path, and what else the
// command needs.
type hostileCommand struct {
	name, tool string
	positional []string // the fields that flags don't name
	request    func(path string) map[string]any
	field      string // the one that has the path
	changes    bool
	itself     bool // of a link, it is about the link
	inPatch    bool
	quotes     bool // a patch with the name in quotes, which any name can be in
	byFlags    bool // requests in JSON don't have the field
	listed     bool // ordinaryAnswers have its codes
}

// only is a command that has just a path, and fields that are always the same.
func only(name string, changes bool, more map[string]any) hostileCommand {
	tool, _, _ := strings.Cut(name, ",")
	return hostileCommand{name: name, tool: tool, positional: []string{"path"}, field: "path", changes: changes, itself: tool == "delete",
		request: func(path string) map[string]any {
			all := maps.Clone(more)
			if all == nil {
				all = map[string]any{}
			}
			all["path"] = path
			return all
		}}
}

// transfer is one end of a move or a copy; the other end is harmless.
func transfer(tool, field string) hostileCommand {
	return hostileCommand{name: tool + "," + field, tool: tool, positional: []string{"from", "to"}, field: field, changes: true,
		itself: tool == "move",
		request: func(path string) map[string]any {
			all := map[string]any{"from": "dir/sub/deep.txt", "to": "new.txt", "overwrite": true}
			all[field] = path
			return all
		}}
}

// patching is a patch with the path in it, in the place of PATH.
func patching(name, text string, itself bool) hostileCommand {
	return hostileCommand{name: "patch," + name, tool: "patch", positional: []string{"patch"}, field: "patch", changes: true, inPatch: true,
		itself: itself,
		request: func(path string) map[string]any {
			return map[string]any{"patch": strings.ReplaceAll(text, "PATH", path)}
		}}
}

func patchingQuoted() hostileCommand {
	v := patching("quoted", "", false)
	v.quotes = true
	v.request = func(path string) map[string]any {
		return map[string]any{"patch": strings.ReplaceAll("--- PATH\n+++ PATH\n@@ -1 +1 @@\n-plain\n+new\n", "PATH", quoted(path))}
	}
	return v
}

// quoted is a name as git writes it in quotes.
func quoted(name string) string {
	var b strings.Builder
	for _, c := range []byte(name) {
		fmt.Fprintf(&b, `\%03o`, c)
	}
	return `"` + b.String() + `"`
}

func withPositional(v hostileCommand, first string) hostileCommand {
	v.positional = []string{first, "path"}
	return v
}

// byFlag is a command whose flags name all fields.
func byFlag(v hostileCommand) hostileCommand {
	v.positional = nil
	return v
}

// taking is a command that takes its text from the file with the path. It changes nothing.
func taking(tool, field string, more map[string]any) hostileCommand {
	v := only(tool, false, more)
	v.name, v.field, v.byFlags, v.itself = tool+","+field, field, true, false
	v.request = func(path string) map[string]any {
		all := maps.Clone(more)
		all[field], all["dry_run"] = path, true
		return all
	}
	return v
}

// hostileCommands are all fields of all commands that take a path. A command that only reads, and
// isn't in the list, has the fields of its request in package samples.
func hostileCommands() []hostileCommand {
	all := listedCommands()
	for i := range all {
		all[i].listed = true
	}
	return append(all, otherCommands(all)...)
}

func otherCommands(listed []hostileCommand) (others []hostileCommand) {
	for _, tool := range commands.All() {
		fields := command.NewCall(tool).Fields
		isPath := func(f request.Field) bool { return f.IsPath() && f.Name == "path" }
		isListed := slices.ContainsFunc(listed, func(v hostileCommand) bool { return v.tool == tool.Name })
		if isListed || tool.Writes || !slices.ContainsFunc(fields, isPath) {
			continue
		}
		more := map[string]any{}
		if err := json.Unmarshal([]byte(samples.Requests[tool.Name]), &more); err != nil {
			continue // TestCommands tells that it lacks one
		}
		v := only(tool.Name, false, more)
		v.positional = nil
		for _, f := range fields {
			if f.Arg {
				v.positional = append(v.positional, f.Name)
			}
		}
		others = append(others, v)
	}
	return others
}

// listedCommands are data on purpose: no declaration says which patch, or which content, has a path in
// it and succeeds. TestCommands tells a command that changes files and isn't here.
func listedCommands() []hostileCommand {
	begin := func(text string) string { return "*** Begin Patch\n" + text + "*** End Patch\n" }
	return []hostileCommand{
		only("info", false, nil),
		only("info,hash", false, map[string]any{"hash": true, "absolute": true}),
		only("ls", false, nil),
		only("ls,recursive", false, map[string]any{"recursive": true, "include_hidden": true, "no_ignore": true}),
		withPositional(only("glob", false, map[string]any{"pattern": "**/*", "type": "any"}), "pattern"),
		withPositional(only("grep", false, map[string]any{"query": "e", "include_hidden": true}), "query"),
		only("read", false, nil),
		only("read,base64", false, map[string]any{"encoding": "base64"}),
		only("write", true, map[string]any{"content": "new\n", "mode": "overwrite"}),
		only("write,create", true, map[string]any{"content": "new\n"}),
		only("append", true, map[string]any{"content": "new\n"}),
		only("edit", true, map[string]any{"expected_text": "l", "replacement_text": "E", "replace_all": true}),
		only("mkdir", true, nil),
		only("delete", true, map[string]any{"recursive": true}),
		transfer("move", "from"), transfer("move", "to"), transfer("copy", "from"), transfer("copy", "to"),
		patching("add", begin("*** Add File: PATH\n+new\n"), false),
		patching("update", begin("*** Update File: PATH\n@@\n-plain\n+new\n"), false),
		patching("delete", begin("*** Delete File: PATH\n"), true),
		patching("move", begin("*** Update File: dir/sub/deep.txt\n*** Move to: PATH\n@@\n-deep\n+new\n"), false),
		patching("unified", "--- PATH\n+++ PATH\n@@ -1 +1 @@\n-plain\n+new\n", false),
		patchingQuoted(),
		patching("rename", "diff --git a/dir/sub/deep.txt b/PATH\nsimilarity index 100%\nrename from dir/sub/deep.txt\nrename to PATH\n", false),
		byFlag(only("undo", true, nil)),
		taking("write", "content_file", map[string]any{"path": "new.txt"}),
		taking("append", "content_file", map[string]any{"path": "plain.txt"}),
		byFlag(taking("patch", "patch_file", map[string]any{})),
	}
}

// hostileTree is a workspace with links to all kinds of places, beside an outside.
type hostileTree struct {
	t          *testing.T
	base, root string
	links      bool     // false where there are no symbolic links
	more       []string // settings instead of the rules
}

func newHostileTree(t *testing.T) *hostileTree {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	tree := &hostileTree{t: t, base: base, root: filepath.Join(base, "ws"), links: true}
	if err := os.Mkdir(filepath.Join(base, "state"), 0o700); err != nil {
		t.Fatal(err)
	}
	for path, text := range hostileFiles {
		path = filepath.Join(base, filepath.FromSlash(path))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range hostileLinks {
		if err := os.Symlink(tree.expand(target), filepath.Join(tree.root, name)); err != nil {
			tree.links = false
		}
	}
	return tree
}

// expand puts the absolute paths of the tree in the place of $BASE.
func (h *hostileTree) expand(text string) string { return strings.ReplaceAll(text, "$BASE", h.base) }

// forbidden describes all that no request may change: what is outside of the workspace, and what is
// denied in it.
func (h *hostileTree) forbidden() string {
	var b strings.Builder
	err := filepath.WalkDir(h.base, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(h.base, path)
		name = filepath.ToSlash(name)
		if name == "state" {
			return fs.SkipDir
		}
		inside := strings.HasPrefix(name, "ws/")
		if denied := slices.ContainsFunc(hostileDenied, func(p string) bool {
			return name == p || strings.HasPrefix(name,
				p+"/")
		}); inside && !denied {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s %v", name, info.Mode())
		if name != "ws" { // the root itself gets new names
			fmt.Fprintf(&b, " %d %d", info.Size(), info.ModTime().UnixNano())
		}
		if info.Mode().IsRegular() {
			text, err := os.ReadFile(path)
			fmt.Fprintf(&b, " %q\n", text)
			return err
		}
		return b.WriteByte('\n')
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return b.String()
}

// settings open every gate, and deny the vault.
func (h *hostileTree) settings() []string {
	rules := h.more
	if rules == nil {
		rules = []string{"--deny", "vault"}
	}
	return append([]string{"--root", h.root, "--state-dir", filepath.Join(h.base, "state"), "--allow-write", "--allow-delete",
		"--no-fsync"}, rules...)
}

func (h *hostileTree) run(stdin string, args ...string) string {
	var out bytes.Buffer
	testscript.RunHere(args, strings.NewReader(stdin), &out, io.Discard)
	return out.String()
}
