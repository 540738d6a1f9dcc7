package commands

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsbox/commands/clients"
)

// Whatever is in a workspace, and however a client counts: no answer is over its bound, and who
// reads on as the first lines say gets every line, match and entry once, in order.
func TestBoundModel(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	rounds := 1
	if *everyCase {
		rounds = 2
	}
	all := clients.Known()
	for _, name := range []string{"", "nobody", strings.Repeat("n", 10<<10), "Claude-Code"} {
		other := clients.Unknown()
		other.Name = name
		all = append(all, other)
	}
	if !*everyCase { // every other
		for i := range len(all) / 2 {
			all[i] = all[2*i+1]
		}
		all = all[:len(all)/2]
	}
	for seed := range rounds {
		r := rand.New(rand.NewPCG(36, uint64(seed)))
		w := randomWorkspace(t, r)
		for i, client := range all {
			most := int64(0)
			if (i+seed)%2 == 0 {
				most = 2000 + r.Int64N(30_000)
			}
			var flags []string
			both := (i+seed)%4 == 1
			if both {
				flags = []string{"--structured"}
			}
			h := connect(t, w.root, client, most, (i+seed)%3 == 0, flags...)
			h.both = both
			t.Run(fmt.Sprintf("%d %.40s %d modern=%v structured=%v", seed, h.name(), most, h.modern, both), func(t *testing.T) { w.check(t, r, h) })
		}
	}
}

// workspace is a tree as it was made.
type workspace struct {
	root  string
	files map[string][]string // lines, each with its end
	all   []string            // paths of files in order
	tree  []string            // paths as a listing of the tree has them
}

// randomWorkspace makes files with all kinds of lines and names.
func randomWorkspace(t *testing.T, r *rand.Rand) *workspace {
	w := &workspace{root: t.TempDir(), files: map[string][]string{}}
	folders := []string{""}
	for i := range 12 {
		folders = append(folders, folders[r.IntN(len(folders))]+fmt.Sprintf("d%d%s/", i, randomWord(r)))
	}
	for i := range 120 {
		path := folders[r.IntN(len(folders))] + fmt.Sprintf("f%03d%s.txt", i, randomWord(r))
		lines := r.IntN(4)
		if i%40 == 0 {
			lines = 200 + r.IntN(2000)
		}
		w.add(t, r, path, lines)
	}
	for folder := range w.folders() {
		w.tree = append(w.tree, folder+"/")
	}
	w.tree = append(w.tree, w.all...)
	byPath := func(a, b string) int {
		return slices.Compare(strings.Split(strings.TrimSuffix(a, "/"), "/"), strings.Split(strings.TrimSuffix(b, "/"), "/"))
	}
	slices.SortFunc(w.tree, byPath)
	slices.SortFunc(w.all, byPath)
	return w
}

func (w *workspace) add(t *testing.T, r *rand.Rand, path string, lines int) {
	for range lines {
		w.files[path] = append(w.files[path], randomLine(r)+"\n")
	}
	name := filepath.Join(w.root, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	writeFile(t, name, strings.Join(w.files[path], ""))
	w.all = append(w.all, path)
}

func (w *workspace) folders() map[string]bool {
	found := map[string]bool{}
	for _, path := range w.all {
		for dir := filepath.ToSlash(filepath.Dir(path)); dir != "."; dir = filepath.ToSlash(filepath.Dir(dir)) {
			found[dir] = true
		}
	}
	return found
}

func randomWord(r *rand.Rand) string {
	words := []string{"", "", "a", "-long-name-of-a-file", "_é", "日本", "😀", " with blanks"}
	return words[r.IntN(len(words))]
}

func randomLine(r *rand.Rand) string {
	parts := []string{"needle ", "plain words ", "\tindented\t", `"quoted" \back`, "日本語のテキスト ", "😀😀😀 ", "", "x"}
	var b strings.Builder
	for range r.IntN(8) {
		b.WriteString(parts[r.IntN(len(parts))])
	}
	if r.IntN(50) == 0 {
		b.WriteString(strings.Repeat("long ", r.IntN(300)))
	}
	return b.String()
}

func (w *workspace) check(t *testing.T, r *rand.Rand, h *host) {
	w.checkReads(t, h)
	w.checkLists(t, h)
	for _, context := range []int{0, 0, 1 + r.IntN(6)} {
		w.checkGrep(t, h, context, r.IntN(2) == 0)
	}
}

// checkReads reads the long files, and a short one.
func (w *workspace) checkReads(t *testing.T, h *host) {
	for i, path := range w.all {
		want := strings.Join(w.files[path], "")
		if len(w.files[path]) < 100 && i > 3 || want == "" {
			continue
		}
		all := h.pages(t, "read", map[string]any{"path": path})
		if got := strings.Join(all, ""); got != want {
			t.Fatalf("read %q in %d pages: %s", path, len(all), firstGap(got, want))
		}
		h.checkFull(t, "read "+path, len(all))
	}
}

// checkFull wants each page but the last nearly full, unless something else cut it: a whole line
// more doesn't fit.
func (h *host) checkFull(t *testing.T, what string, pages int) {
	t.Helper()
	const longestLine = 4500       // in any unit, with what is noted
	if h.most > 30_000 || h.both { // max_bytes cuts a page of read before, or the other form does
		return
	}
	for _, n := range h.longer[max(0, len(h.longer)-pages) : len(h.longer)-1] {
		if n*13/10 < h.most && n+longestLine < h.most {
			t.Errorf("%s: a page has %d of %d", what, n, h.most)
		}
	}
}

func (w *workspace) checkLists(t *testing.T, h *host) {
	list := func(tool string, arguments map[string]any, want []string) {
		t.Helper()
		got := lines(h.pages(t, tool, arguments))
		if !slices.Equal(got, want) {
			t.Fatalf("%s: %d of %d: %s", tool, len(got), len(want), firstGap(strings.Join(got, "\n"), strings.Join(want, "\n")))
		}
	}
	want := slices.Sorted(slices.Values(w.tree))
	for _, most := range []int{10000, 37} {
		got := treePaths(lines(h.pages(t, "ls", map[string]any{"recursive": true, "max_entries": most})))
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Fatalf("ls: %d of %d: %s", len(got), len(want), firstGap(strings.Join(got, "\n"), strings.Join(want, "\n")))
		}
	}
	list("glob", map[string]any{"pattern": "**", "limit": 10000}, w.all)
	matching, counts := w.matching()
	list("grep", map[string]any{"query": "needle", "output_mode": "files", "max_matches": 10000}, matching)
	got := lines(h.pages(t, "grep", map[string]any{"query": "needle", "output_mode": "counts", "max_matches": 10000}))
	if !slices.Equal(got, counts) {
		t.Fatalf("counts: %s", firstGap(strings.Join(got, "\n"), strings.Join(counts, "\n")))
	}
}

// treePaths are the paths that the text of a tree lists: the names after the line of their folder.
func treePaths(lines []string) (paths []string) {
	folder := ""
	for _, line := range lines {
		if head, ok := strings.CutSuffix(line, "/:"); ok {
			if folder = head + "/"; head == "." {
				folder = ""
			}
			continue
		}
		paths = append(paths, folder+line)
	}
	return paths
}

func (w *workspace) matching() (paths, counts []string) {
	for _, path := range w.all {
		n := 0
		for _, line := range w.files[path] {
			if strings.Contains(line, "needle") {
				n++
			}
		}
		if n > 0 {
			paths, counts = append(paths, path), append(counts, fmt.Sprintf("%s:%d", path, n))
		}
	}
	return paths, counts
}

// checkGrep wants every matching line once, and no line of context that isn't one.
func (w *workspace) checkGrep(t *testing.T, h *host, context int, anchors bool) {
	all := h.pages(t, "grep", map[string]any{"query": "needle", "context": context, "anchors": anchors, "max_matches": 10000})
	h.checkFull(t, fmt.Sprint("grep with context ", context), len(all))
	var got, want []string
	for _, page := range all {
		got = append(got, w.matchesOf(t, page)...)
	}
	for _, path := range w.all {
		for i, line := range w.files[path] {
			if strings.Contains(line, "needle") {
				want = append(want, fmt.Sprintf("%s:%d", path, i+1))
			}
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("grep: %s", firstGap(strings.Join(got, "\n"), strings.Join(want, "\n")))
	}
}

// matchesOf are the places of the matches on a page.
func (w *workspace) matchesOf(t *testing.T, page string) (places []string) {
	path := ""
	for line := range strings.Lines(page) {
		line = strings.TrimSuffix(line, "\n")
		number, sign := 0, ' '
		if _, err := fmt.Sscanf(line, "%d", &number); err == nil {
			sign = rune(strings.TrimLeft(line, "0123456789")[0])
		}
		if sign == '#' { // an anchor
			sign = rune(line[strings.IndexAny(line, ":-")])
		}
		switch {
		case sign == ':':
			places = append(places, fmt.Sprintf("%s:%d", path, number))
		case sign == '-', line == "", line == "--", strings.HasPrefix(line, "["):
		default:
			path = line
		}
	}
	return places
}

// lines are those of pages, without notes.
func lines(pages []string) (all []string) {
	for line := range strings.Lines(strings.Join(pages, "")) {
		if line = strings.TrimSuffix(line, "\n"); !strings.HasPrefix(line, "[") {
			all = append(all, line)
		}
	}
	return all
}

// firstGap shows where two texts begin to differ.
func firstGap(got, want string) string {
	at := 0
	for at < min(len(got), len(want)) && got[at] == want[at] {
		at++
	}
	from := max(0, at-80)
	return fmt.Sprintf("%d and %d bytes, after %d: %.200q, not %.200q", len(got), len(want), at, got[from:], want[from:])
}
