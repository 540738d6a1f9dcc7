package patch

import (
	"crypto/sha1"
	"fmt"
	"path/filepath"
	"testing"

	"fsbox/testscript"
)

// headerContents are what the file of a section without hunks may hold; nil: there is no such file.
func headerContents() []*string {
	var all []*string
	for _, text := range []string{"", "text\n", "no final newline", "\r\n", "\x00binary\x00", "\xef\xbb\xbf", "\xff\xfe"} {
		all = append(all, &text)
	}
	return append(all, nil)
}

// headerSections are parts of a git diff that have no hunks: every kind, with all that an index
// line or a similarity may say of a file that holds content.
func headerSections(content string) []string {
	const none, empty = "0000000000000000000000000000000000000000", "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
	this, other := gitBlob(content), gitBlob("other\n")
	index := func(mode string, pairs ...[2]string) []string {
		lines := []string{""}
		for _, ids := range pairs {
			lines = append(lines, fmt.Sprintf("index %.7s..%.7s%s\n", ids[0], ids[1], mode), fmt.Sprintf("index %s..%s%s\n", ids[0], ids[1], mode))
		}
		return lines
	}
	var all []string
	for _, line := range index("", [2]string{empty, none}, [2]string{this, none}, [2]string{other, none}, [2]string{none, empty}) {
		all = append(all, "diff --git a/x b/x\ndeleted file mode 100644\n"+line)
	}
	for _, line := range index("", [2]string{none, empty}, [2]string{none, this}, [2]string{none, other}) {
		all = append(all, "diff --git a/x b/x\nnew file mode 100644\n"+line, "diff --git a/x b/x\nnew file mode 100755\n"+line)
	}
	for _, line := range index("", [2]string{this, this}, [2]string{other, other}, [2]string{this, other}, [2]string{empty, this},
		[2]string{this, empty}) {
		all = append(all, "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n"+line)
	}
	for _, similarity := range []string{"", "similarity index 100%\n", "similarity index 60%\n", "similarity index 0%\n",
		"dissimilarity index 40%\n"} {
		for _, line := range index(" 100644", [2]string{this, this}, [2]string{other, other}, [2]string{this, other}, [2]string{this, empty}) {
			all = append(all, "diff --git a/x b/y\n"+similarity+"rename from x\nrename to y\n"+line)
		}
		all = append(all, "diff --git a/x b/y\nold mode 100644\nnew mode 100755\n"+similarity+"rename from x\nrename to y\n")
	}
	return all
}

// gitBlob is git's id of a content.
func gitBlob(content string) string {
	return fmt.Sprintf("%x", sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(content), content)))
}

// TestPatchHeadersAgainstGit applies sections without hunks to files of every kind. What such a
// section means has to be taken from its header alone, and is what it means to git, without an
// exception.
func TestPatchHeadersAgainstGit(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	needGit(t)
	seen := map[string]int{}
	for _, content := range headerContents() {
		tree, held := fileTree{"z": {"beside\n", 0o644}}, ""
		if content != nil {
			tree["x"], held = treeFile{*content, 0o644}, *content
		}
		for i, section := range headerSections(held) {
			if !testscript.Sweep() && i%8 != 0 {
				continue
			}
			outcome, err := compareHeader(t, tree, section)
			if seen[outcome]++; err != nil {
				t.Errorf("of %q: %v\npatch:\n%s", held, err, section)
			}
		}
	}
	t.Log(seen)
	if seen["equal"] < 10 || seen["refused by both"] < 10 {
		t.Errorf("too few of each outcome: %v", seen)
	}
}

func compareHeader(t *testing.T, tree fileTree, section string) (outcome string, err error) {
	theirs, ours := filepath.Join(t.TempDir(), "git"), newWorkspace(t)
	tree.write(t, theirs)
	tree.write(t, ours.root)
	before := readTree(t, ours.root)
	_, gitErr := git(theirs, []byte(section), "apply", "-")
	a := ours.run(t, []byte(section), "patch", "--patch-file", "-")
	after := readTree(t, ours.root)
	switch {
	case a.Success != (gitErr == nil):
		return "different", fmt.Errorf("success is %v (%s), and git says: %v", a.Success, a.Error, gitErr)
	case a.Success:
		if d := after.plain().difference(readTree(t, theirs).plain()); d != "" {
			return "different", fmt.Errorf("not as git leaves it: %s", d)
		}
		return "equal", ours.undoTwice(t, before, after)
	case after.difference(before) != "":
		return "half applied", fmt.Errorf("refused with %s, and yet changed: %s", a.Error, after.difference(before))
	}
	return "refused by both", a.checkRefusal()
}
