package commands

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fsbox/commands/command"
	"fsbox/commands/request"
)

var update = flag.Bool("update", false, "write all files that are made from the declarations anew, and do nothing else")

// updateCommand writes them, and what pages and scripts show of the program.
const updateCommand = "go test ./commands ./examples ./testscript/... -update"

func TestMain(m *testing.M) {
	flag.Parse()
	if run := flag.Lookup("test.run"); *update && run.Value.String() == "" {
		_ = run.Value.Set("^TestGenerated$")
	}
	os.Exit(m.Run())
}

// page is a file of the repository that is made from the declarations, wholly or in parts.
type page struct {
	name string // from the top of the repository
	text string // as it should be
}

// TestGenerated compares all such files with today's declarations.
func TestGenerated(t *testing.T) {
	for _, p := range generatedPages(t) {
		was := []byte(readRepository(t, p.name))
		switch at := firstDifference([]byte(p.text), was); {
		case at < 0:
		case !*update:
			t.Errorf("%s differs in line %d; if that is meant: %s", p.name, at, updateCommand)
		default:
			if err := os.WriteFile(filepath.Join("..", p.name), []byte(p.text), 0o666); err != nil {
				t.Error(err)
			}
		}
	}
}

// stalePages are the names of those that differ.
func stalePages(t *testing.T) (names []string) {
	t.Helper()
	for _, p := range generatedPages(t) {
		if p.text != readRepository(t, p.name) {
			names = append(names, p.name)
		}
	}
	return names
}

func generatedPages(t *testing.T) []page {
	t.Helper()
	return slices.Concat(definitionPages(t), sharePages(t), clientPages(t), listPages(t), []page{referenceOf(t), hostsPage(t), frontPage(t)})
}

// readRepository is the text of a file of the repository, "" if it isn't there yet.
func readRepository(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", name))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "\r", "")
}

// sharePages are the completions and the manual page. They are in the repository so that packagers
// need not run a binary of another system.
func sharePages(t *testing.T) (all []page) {
	t.Helper()
	for name, args := range map[string][]string{"completions/fsbox.bash": {"completion", "bash"}, "completions/_fsbox": {"completion", "zsh"},
		"completions/fsbox.fish": {"completion", "fish"}, "man/fsbox.1": {"man"}} {
		var out strings.Builder
		if status := Main(context.Background(), args, strings.NewReader(""), &out, io.Discard); status != 0 {
			t.Fatalf("fsbox %s: status %d: %s", args, status, out.String())
		}
		all = append(all, page{"packaging/share/" + name, out.String()})
	}
	return all
}

// clientPages are the clients in examples that send etags along, with the list of the commands that
// take none.
func clientPages(t *testing.T) (all []page) {
	t.Helper()
	var names []string
	for _, tool := range All() {
		if _, _, takes := request.FindField(command.NewCall(tool).Fields, "if_match"); !takes {
			names = append(names, strconv.Quote(tool.Name))
		}
	}
	for file, list := range map[string]string{"python/fsbox.py": `(?m)^(NEED_NO_ETAG = {)[^}]*`,
		"node/fsbox.mjs": `(?m)^(const needNoEtag = new Set\(\[)[^\]]*`} {
		text, list := readRepository(t, "examples/"+file), regexp.MustCompile(list)
		if !list.MatchString(text) {
			t.Errorf("examples/%s has no list %s", file, list)
		}
		all = append(all, page{"examples/" + file, list.ReplaceAllString(text, "${1}"+strings.Join(names, ", "))})
	}
	return all
}

// frontPage is README.md with a row for each command in its table.
func frontPage(t *testing.T) page {
	t.Helper()
	text := readRepository(t, "README.md")
	all := command.Names(All())
	for i, name := range all {
		if at := rowOf(text, name); at != nil || i == 0 {
			continue
		}
		tool, _ := command.Find(All(), name)
		does := strings.ToLower(tool.Help[:1]) + strings.TrimSuffix(tool.Help[1:], ".")
		end := rowOf(text, all[i-1])[1]
		text = text[:end] + fmt.Sprintf("\n| `%s` | %s |", name, does) + text[end:]
	}
	return page{"README.md", text}
}

// rowOf is where the row of a command is in the table of README.md, nil if there is none.
func rowOf(text, name string) []int {
	return regexp.MustCompile("(?m)^\\|[^|]*`" + name + "`[^|]*\\|.*$").FindStringIndex(text)
}

// lists are where pages name all commands of a kind: what comes before the names, and after them.
var lists = []struct {
	page, before, after, quote string
	has                        func(command.Command) bool
}{
	{"docs/policy.md", "| `allow_write` | false | allows ", " |", "", func(c command.Command) bool { return c.Writes && !c.Deletes }},
	{"docs/policy.md", "| false | with `allow_write`, allows ", ", and what", "", func(c command.Command) bool { return c.Deletes }},
	{"docs/guide.md", "All commands that change something have this field, except ", ".", "`", func(c command.Command) bool {
		_, _, dryRun := request.FindField(command.NewCall(c).Fields, "dry_run")
		return c.Writes && !dryRun
	}},
	{codesPage, "and only its answer took too long. ", " return what they have", "`", func(c command.Command) bool { return c.Partial }},
}

const codesPage = "docs/codes.md"

// listPages are the pages with such lists, and with a row for each code.
func listPages(t *testing.T) (all []page) {
	t.Helper()
	texts := map[string]string{codesPage: withCodes(readRepository(t, codesPage), readRepository(t, failureFile))}
	for _, l := range lists {
		text := cmp.Or(texts[l.page], readRepository(t, l.page))
		var names []string
		for _, tool := range All() {
			if l.has(tool) {
				names = append(names, l.quote+tool.Name+l.quote)
			}
		}
		before, rest, found := strings.Cut(text, l.before)
		_, after, ends := strings.Cut(rest, l.after)
		if !found || !ends {
			t.Errorf("%s has no list of commands after %q", l.page, l.before)
		}
		texts[l.page] = before + l.before + listed(names) + l.after + after
	}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		all = append(all, page{name, texts[name]})
	}
	return all
}

// failureFile declares the codes, and says of a new one what it means.
const failureFile = "commands/answer/failure.go"

// declaredCode is a constant with its comment, if it has one.
var declaredCode = regexp.MustCompile(`(?m)^\tCode\w+ +Code = "(\w+)"(?: // (.+))?$`)

// withCodes is the page of the codes with a row for each that has none, after the row of the
// constant before it. What a code means is the comment beside its constant: without one, there is
// no row, and TestCommands asks for the comment.
func withCodes(text, source string) string {
	before := ""
	for _, m := range declaredCode.FindAllStringSubmatch(source, -1) {
		if m[2] != "" && rowOfCode(m[1]).FindStringIndex(text) == nil {
			row := fmt.Sprintf("| `%s` | %s | see `hint` |\n", m[1], cell(m[2]))
			end := strings.Index(text, "| `")
			if at := rowOfCode(before).FindStringIndex(text); at != nil {
				end = at[1]
			}
			text = text[:end] + row + text[end:]
		}
		if rowOfCode(m[1]).MatchString(text) {
			before = m[1]
		}
	}
	return text
}

// A new code comes after its neighbour in the source, and its row is the whole of the change.
func TestRowOfNewCode(t *testing.T) {
	const page = "| code |\n|---|\n| `not_found` | a | b |\n| `io_error` | c | d |\n| `internal` | e | f |\n"
	source := func(first, added, last string) string {
		return first + "\tCodeNotFound Code = \"not_found\"\n" + added +
			"\n\tCodeIOError  Code = \"io_error\"\n\tCodeInternal Code = \"internal\"\n" + last
	}
	const plain, row = "\tCodeTooPlain Code = \"too_plain\" // a | b\n", "| `too_plain` | a \\| b | see `hint` |\n"
	for _, test := range []struct{ name, source, before string }{
		{"in the middle", source("", plain, ""), "| `io_error`"},
		{"first", source(plain, "", ""), "| `not_found`"},
		{"last", source("", "", plain), ""},
		{"after one without a row", source("", "\tCodeBare Code = \"bare\"\n"+plain, ""), "| `io_error`"},
		{"without a comment", source("", "\tCodeTooPlain Code = \"too_plain\"\n", ""), "none"},
	} {
		want := strings.Replace(page, test.before, row+test.before, 1)
		if test.before == "" {
			want = page + row
		}
		if got := withCodes(page, test.source); got != want {
			t.Errorf("%s: %s", test.name, got)
		}
	}
}

func rowOfCode(code string) *regexp.Regexp {
	return regexp.MustCompile("(?m)^\\| *`" + code + "` *\\|.*\n")
}
