//go:build linux && amd64

package faults

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

var exchangeFor = flag.Duration("exchange-for", 0, "exchange names under calls for so long, and tell the totals; 0 is a few rounds")

// exchangeLimit is max_read_bytes during exchanges: one of the files is larger.
const exchangeLimit = 256 << 10

// What no answer may have: the content of the files outside and of those that are denied, and the
// name of a file beside them.
const (
	exchangeSecret = "TOPSECRET"
	exchangeHidden = "hushname"
)

// exchangeNames are the names that are exchanged, in a directory of their own for each round.
var exchangeNames = []string{"a", "b", "c", "d"}

// exchangeLinks are where the link among them may lead: out, to what is denied, to another
// directory, nowhere.
var exchangeLinks = []string{"../../out", "../sec", "../in", "../none", "../in/f.txt"}

// TestExchanges has another thread exchange a directory, a link and two files, one of them larger
// than what may be read, all the time, while calls go through each interface. Nothing that is
// outside or denied is read or changed, nothing is lost, and an answer tells the kind of thing that
// was copied, moved or removed.
//
// README.md has the totals of the last long run, by -exchange-for.
func TestExchanges(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	x := newExchanges(t)
	start, rounds := time.Now(), len(exchangeInterfaces)
	n := 0
	for ; n < rounds || time.Since(start) < *exchangeFor; n++ {
		if x.round(n); t.Failed() {
			t.Fatalf("in round %d", n)
		}
		if n%100 == 99 {
			x.tell(n + 1)
		}
	}
	x.tell(n)
}

// newExchanges makes what is around the names that are exchanged.
func newExchanges(t *testing.T) *exchanges {
	base := t.TempDir()
	for _, name := range []string{"ws/sec", "ws/in", "ws/made", "out", "home"} {
		check(t, os.MkdirAll(filepath.Join(base, name), 0o755))
	}
	for _, name := range []string{"ws/sec/f.txt", "out/f.txt", "ws/sec/" + exchangeHidden, "out/" + exchangeHidden} {
		check(t, os.WriteFile(filepath.Join(base, name), []byte(exchangeSecret+"\n"), 0o644))
	}
	check(t, os.WriteFile(filepath.Join(base, "ws/in/f.txt"), []byte("inside\n"), 0o644))
	return &exchanges{t: t, base: base, counts: map[string]int{}, rand: rand.New(rand.NewPCG(rand.Uint64(), 0))}
}

// exchangeInterfaces are the ways to send calls.
var exchangeInterfaces = []struct {
	name string
	open func(base string) (exchangeCaller, error)
}{
	{"mcp", func(base string) (exchangeCaller, error) { return exchangeServer(base) }},
	{"mcp, without Landlock", func(base string) (exchangeCaller, error) { return exchangeServer(base, "--confine", "off") }},
	{"single calls", func(base string) (exchangeCaller, error) { return &singleCalls{base}, nil }},
}

// exchangeCaller sends calls.
type exchangeCaller interface {
	call(tool string, input map[string]any) (raw string, err error)
	close() error
}

func exchangeCommand(base string, args ...string) *exec.Cmd {
	limit := fmt.Sprint(exchangeLimit)
	cmd := exec.Command(program, append(commandLine(base, args), "--no-fsync", "--max-read-bytes", limit, "--timeout", "10m", "--deny",
		"sec/**")...)
	cmd.Env, cmd.Stderr = environment(base), os.Stderr
	return cmd
}

// exchangeServing is a server that answers one call after the other.
type exchangeServing struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func exchangeServer(base string, args ...string) (*exchangeServing, error) {
	cmd := exchangeCommand(base, append([]string{"mcp", "--structured"}, args...)...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s := &exchangeServing{cmd, in, bufio.NewReader(out)}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	_, err = s.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
		`"clientInfo":{"name":"t","version":"1"}}}` + "\n")
	return s, err
}

func (s *exchangeServing) send(line string) (string, error) {
	if _, err := io.WriteString(s.in, line); err != nil {
		return "", err
	}
	return s.out.ReadString('\n')
}

func (s *exchangeServing) call(tool string, input map[string]any) (string, error) {
	arguments, err := json.Marshal(input)
	if err != nil {
		return "", err
	}
	text, err := s.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`+"\n", tool, arguments))
	if err != nil {
		return "", err
	}
	var m struct {
		Result struct {
			StructuredContent json.RawMessage
			Content           []struct{ Text string }
			IsError           bool
		}
	}
	if err := json.Unmarshal([]byte(text), &m); err != nil || !m.Result.IsError {
		return string(m.Result.StructuredContent), err
	}
	code, message, _ := strings.Cut(m.Result.Content[0].Text, ": ")
	failure, err := json.Marshal(map[string]any{"success": false, "error": code, "message": message})
	return string(failure), err
}

func (s *exchangeServing) close() error {
	s.in.Close()
	return s.cmd.Wait()
}

// singleCalls runs the program anew for each call.
type singleCalls struct{ base string }

func (s *singleCalls) call(tool string, input map[string]any) (string, error) {
	text, err := json.Marshal(input)
	if err != nil {
		return "", err
	}
	out, err := exchangeCommand(s.base, tool, "--json", string(text)).Output()
	if len(out) > 0 {
		err = nil // a failure is an answer
	}
	return string(out), err
}

func (s *singleCalls) close() error { return nil }

// exchangeAnswer is what is read of an answer.
type exchangeAnswer struct {
	Success bool
	Error   string
	Message string
	Result  struct {
		Type       string
		Content    string
		BackupID   string `json:"backup_id"`
		LinkTarget string `json:"link_target"`
		Size       int64
	}
}

// exchanges is the test: where it works, and how often which call had which answer.
type exchanges struct {
	t        *testing.T
	base     string
	rand     *rand.Rand // chooses names and links
	counts   map[string]int
	caller   exchangeCaller
	dir      string // that of the round, in the workspace
	made     int    // names made so far
	mutex    sync.Mutex
	swapped  int
	setAside bool // the last answer names a file that couldn't be put back: the round ends
}

// tell logs the totals.
func (x *exchanges) tell(rounds int) {
	x.t.Logf("%s: %d rounds, %d exchanges; calls and their answers:", time.Now().Format(time.DateTime), rounds, x.swapped)
	for _, key := range slices.Sorted(maps.Keys(x.counts)) {
		x.t.Logf("%9d %s", x.counts[key], key)
	}
}

// path is the host path of something in the workspace.
func (x *exchanges) path(name string) string { return filepath.Join(x.base, "ws", name) }

// round makes a directory with one of each kind, and calls about it while they are exchanged.
func (x *exchanges) round(n int) {
	via := exchangeInterfaces[n%len(exchangeInterfaces)]
	var err error
	x.caller, err = via.open(x.base)
	check(x.t, err)
	x.begin(n)
	stop, ended := make(chan struct{}), make(chan struct{})
	go x.exchange(stop, ended)
	for range 60 {
		if acts[x.rand.IntN(len(acts))](x); x.setAside {
			break
		}
	}
	close(stop)
	<-ended
	x.ask("write", map[string]any{"path": x.dir + "/last.txt", "content": "x"})
	check(x.t, x.caller.close())
	x.end(via.name)
}

// begin makes the directory of a round.
func (x *exchanges) begin(n int) {
	x.dir, x.setAside = fmt.Sprint("r", n), false
	check(x.t, os.Mkdir(x.path(x.dir), 0o755))
	for i := range exchangeNames {
		x.fill(exchangeKinds[i], exchangeNames[i])
	}
}

// end removes what is left of a round.
func (x *exchanges) end(via string) {
	check(x.t, os.RemoveAll(x.path(x.dir)))
	check(x.t, os.RemoveAll(x.path("made")))
	check(x.t, os.Mkdir(x.path("made"), 0o755))
	x.judgeEnd(via)
}

// exchangeKinds are the kinds of what is exchanged, as answers name them.
var exchangeKinds = []string{"directory", "symlink", "file", "file"}

// fill makes something of a kind under a name. The second file, "d", is larger than what may be
// read.
func (x *exchanges) fill(kind, name string) {
	path := x.path(x.dir + "/" + name)
	switch kind {
	case "directory":
		check(x.t, os.MkdirAll(path+"/s", 0o755))
		check(x.t, os.WriteFile(path+"/f.txt", []byte("inside\n"), 0o644))
		check(x.t, os.WriteFile(path+"/s/g.txt", []byte("inside\n"), 0o644))
	case "symlink":
		check(x.t, os.Symlink(exchangeLinks[x.rand.IntN(len(exchangeLinks))], path))
	default:
		size := 1
		if name == "d" {
			size = 4 * exchangeLimit / 7
		}
		check(x.t, os.WriteFile(path, []byte(strings.Repeat("inside\n", size)), 0o644))
	}
}

// exchange exchanges two names again and again, with pauses of 0 to some 500 microseconds. One that
// isn't there now is left out.
func (x *exchanges) exchange(stop, ended chan struct{}) {
	defer close(ended)
	for {
		select {
		case <-stop:
			return
		default:
		}
		a, b := rand.IntN(len(exchangeNames)), rand.IntN(len(exchangeNames))
		x.mutex.Lock()
		x.swap(exchangeNames[a], exchangeNames[b])
		x.mutex.Unlock()
		for range rand.IntN(1 << rand.IntN(12)) {
			unix.Getppid()
		}
	}
}

// swap exchanges two names, if something has each of them.
func (x *exchanges) swap(a, b string) {
	a, b = x.path(x.dir+"/"+a), x.path(x.dir+"/"+b)
	if unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE) == nil {
		x.swapped++
	}
}

// name is one of the names that are exchanged.
func (x *exchanges) name() string {
	return x.dir + "/" + exchangeNames[x.rand.IntN(len(exchangeNames))]
}

// fresh is a name that nothing has.
func (x *exchanges) fresh() string {
	x.made++
	return fmt.Sprint("made/m", x.made)
}

// exchangeCodes are what a call may answer that met something else than it looked for.
var exchangeCodes = []string{"busy", "not_found", "not_a_file", "not_a_directory", "symlink_outside_workspace", "path_blocked",
	"file_too_large", "stale", "match_not_found", "multiple_matches", "file_exists"}

// ask sends a call. No answer has a secret, and no failure is another than one about what was met.
func (x *exchanges) ask(tool string, input map[string]any) (a exchangeAnswer) {
	x.t.Helper()
	raw, err := x.caller.call(tool, input)
	check(x.t, err)
	if strings.Contains(raw, exchangeSecret) || strings.Contains(raw, exchangeHidden) {
		x.t.Errorf("%s %v has a secret: %s", tool, input, raw)
	}
	if err := json.Unmarshal([]byte(raw), &a); err != nil {
		x.t.Fatalf("%s %v: %q: %v", tool, input, raw, err)
	}
	code := "ok"
	if !a.Success {
		if code = a.Error; !slices.Contains(exchangeCodes, code) {
			x.t.Errorf("%s %v: %s", tool, input, raw)
		}
	}
	if x.setAside = strings.Contains(raw, conflictMark); x.setAside {
		code += ", and a file set aside"
	}
	x.counts[tool+" "+code]++
	return a
}

// kindAt is the kind of what has a name, as answers name it; "" for nothing.
func kindAt(path string) string {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return ""
	case info.IsDir():
		return "directory"
	case info.Mode()&os.ModeSymlink != 0:
		return "symlink"
	}
	return "file"
}

// kinds are those of what is in the directory, and of what was moved out of it, in order. Nothing
// is exchanged meanwhile.
func (x *exchanges) kinds() (all []string) {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	for _, dir := range []string{x.dir, "made"} {
		entries, err := os.ReadDir(x.path(dir))
		check(x.t, err)
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), ".fsbox-tmp-") {
				x.t.Errorf("%s is left", e.Name())
			}
			all = append(all, kindAt(x.path(dir+"/"+e.Name())))
		}
	}
	slices.Sort(all)
	return all
}

// differ reports whether two lists of kinds differ, which they may only where the answer names what
// couldn't be put back.
func (x *exchanges) differ(before, after []string) bool {
	return !x.setAside && !slices.Equal(before, after)
}

// without is a list without one of its members, nil if it isn't there.
func without(all []string, one string) []string {
	at := slices.Index(all, one)
	if at < 0 {
		return nil
	}
	return append(append([]string{}, all[:at]...), all[at+1:]...)
}

// acts are the calls, each with what must be true after it.
var acts = []func(x *exchanges){
	func(x *exchanges) { x.look("read", map[string]any{"path": x.name() + "/f.txt"}) },
	func(x *exchanges) { x.look("read", map[string]any{"path": x.name()}) },
	func(x *exchanges) { x.look("info", map[string]any{"path": x.name(), "hash": true}) },
	func(x *exchanges) { x.look("ls", map[string]any{"path": x.name()}) },
	func(x *exchanges) { x.look("ls", map[string]any{"path": x.dir, "recursive": true}) },
	func(x *exchanges) { x.look("glob", map[string]any{"path": x.dir, "pattern": "**/*"}) },
	func(x *exchanges) {
		x.look("grep", map[string]any{"path": x.dir, "query": "inside|TOPSECRE[T]", "use_regex": true})
	},
	func(x *exchanges) {
		x.look("grep", map[string]any{"path": x.name(), "query": "inside|TOPSECRE[T]", "use_regex": true})
	},
	func(x *exchanges) {
		x.change("write", "content", x.name()+"/f.txt", map[string]any{"mode": "overwrite"})
	},
	func(x *exchanges) { x.change("append", "content", x.name()+"/f.txt", nil) },
	func(x *exchanges) {
		x.change("edit", "replacement_text", x.name()+"/f.txt", map[string]any{"expected_text": "inside"})
	},
	func(x *exchanges) {
		x.change("edit", "replacement_text", x.name(), map[string]any{"expected_text": "inside"})
	},
	func(x *exchanges) { x.change("write", "content", x.name(), map[string]any{"mode": "overwrite"}) },
	func(x *exchanges) { x.change("append", "content", x.name(), nil) },
	(*exchanges).patch, (*exchanges).mkdir,
	(*exchanges).copy, (*exchanges).copy, (*exchanges).copy, (*exchanges).move, (*exchanges).move, (*exchanges).moveOver,
	(*exchanges).remove, (*exchanges).remove,
}

// look makes a call that only reads. What it says of one thing fits to itself.
func (x *exchanges) look(tool string, input map[string]any) {
	a := x.ask(tool, input)
	if a.Result.LinkTarget != "" && a.Result.Type != "symlink" || tool == "read" && a.Success && !strings.Contains(a.Result.Content,
		"inside") {
		x.t.Errorf("%s %v: %+v", tool, input, a)
	}
}

// change makes a call that puts a new text somewhere. It is in one file then, and nothing else has
// come or gone. A failed call may leave it if the answer names what couldn't be put back, or that
// it was added to a file that has lost its name.
func (x *exchanges) change(tool, field, path string, more map[string]any) {
	before := x.kinds()
	x.made++
	text := fmt.Sprintf("<%d>inside", x.made)
	input := map[string]any{"path": path, field: text}
	if tool != "edit" {
		input["create_parents"] = false
	}
	maps.Copy(input, more)
	a := x.ask(tool, input)
	after := x.kinds()
	if x.differ(before, after) {
		x.t.Errorf("%s %v: %+v: there was %v, and is %v", tool, input, a, before, after)
	}
	if places := x.places(text); a.Success != (places == 1) && !x.setAside && !strings.Contains(a.Message, "bytes were added") {
		x.t.Errorf("%s %v: %+v: the text is in %d files", tool, input, a, places)
	}
}

// patch is change by a patch of two files, the second of which nobody else changes.
func (x *exchanges) patch() {
	before := x.kinds()
	x.made++
	text, other := fmt.Sprintf("<%d>inside", x.made), x.fresh()
	a := x.ask("patch", map[string]any{"patch": fmt.Sprintf("*** Begin Patch\n*** Update File: %s/f.txt\n@@\n+%s\n*** Add File: %s\n+new\n"+
		"*** End Patch\n", x.name(), text, other)})
	made := kindAt(x.path(other)) != ""
	check(x.t, os.RemoveAll(x.path(other)))
	after, places := x.kinds(), x.places(text)
	if x.differ(before, after) || !x.setAside && (a.Success != (places == 1) || a.Success != made) {
		x.t.Errorf("patch: %+v: the text is in %d files, the new file is there: %v; there was %v, and is %v", a, places, made, before, after)
	}
}

// mkdir makes a directory in whatever has a name, with one above it.
func (x *exchanges) mkdir() {
	before, path := x.kinds(), x.name()+"/new/one"
	a := x.ask("mkdir", map[string]any{"path": path})
	x.mutex.Lock()
	found := 0
	dirs := []string{"in", "none"}
	for _, name := range exchangeNames {
		dirs = append(dirs, x.dir+"/"+name)
	}
	for _, dir := range dirs {
		if kindAt(x.path(dir)) != "directory" {
			continue
		}
		if kindAt(x.path(dir+"/new/one")) == "directory" {
			found++
		}
		check(x.t, os.RemoveAll(x.path(dir+"/new")))
	}
	check(x.t, os.RemoveAll(x.path("none")))
	x.mutex.Unlock()
	if after := x.kinds(); x.differ(before, after) || a.Success != (found == 1) {
		x.t.Errorf("mkdir %s: %+v: there are %d; there was %v, and is %v", path, a, found, before, after)
	}
}

// places counts the files that have a text.
func (x *exchanges) places(text string) (count int) {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	for _, top := range []string{x.path(x.dir), x.path("in"), x.path("none")} { // the last is made through a link that leads nowhere
		check(x.t, filepath.WalkDir(top, func(path string, e os.DirEntry, err error) error {
			if path == top && os.IsNotExist(err) {
				return nil
			}
			if err != nil || !e.Type().IsRegular() {
				return err
			}
			content, err := os.ReadFile(path)
			count += strings.Count(string(content), text)
			return err
		}))
	}
	check(x.t, os.RemoveAll(x.path("none")))
	return count
}

// copy copies whatever has a name. The copy is of the kind that is told.
func (x *exchanges) copy() {
	before, to := x.kinds(), x.fresh()
	a := x.ask("copy", map[string]any{"from": x.name(), "to": to})
	made := kindAt(x.path(to))
	if made != a.Result.Type || a.Success != (made != "") {
		x.t.Errorf("the copy is %q, and the answer %+v", made, a)
	}
	if info, err := os.Lstat(x.path(to)); err == nil && info.Size() > exchangeLimit {
		x.t.Errorf("a copy of %d bytes", info.Size())
	}
	if made == "directory" {
		x.whole(to)
	}
	check(x.t, os.RemoveAll(x.path(to)))
	if after := x.kinds(); x.differ(before, after) {
		x.t.Errorf("copy: there was %v, and is %v", before, after)
	}
}

// whole holds that the copy of the directory has all that is in it, and nothing else.
func (x *exchanges) whole(to string) {
	var names []string
	check(x.t, filepath.WalkDir(x.path(to), func(path string, e os.DirEntry, err error) error {
		names = append(names, e.Name())
		return err
	}))
	if got := strings.Join(names[1:], " "); got != "f.txt s g.txt" && got != "f.txt" { // the other one is in
		x.t.Errorf("the copy of the directory has %s", got)
	}
}

// move moves whatever has a name, and undoes it. An undo whose file is exchanged for something else
// right after its rename takes that for what it has moved, and puts it where the file came from: it
// fails, and nothing is lost.
func (x *exchanges) move() {
	before, to, from := x.kinds(), x.fresh(), x.name()
	a := x.ask("move", map[string]any{"from": from, "to": to})
	made, after := kindAt(x.path(to)), x.kinds()
	if made != a.Result.Type || a.Success != (made != "") || x.differ(before, after) {
		x.t.Errorf("move of %s: %+v: there was %v, and is %v and %q", from, a, before, after, made)
	}
	if !a.Success || x.setAside || x.undone(a, before) || x.setAside {
		return
	}
	x.mutex.Lock()
	defer x.mutex.Unlock()
	check(x.t, os.Rename(x.path(to), x.path(x.free())))
}

// moveOver moves whatever has a name over whatever has another, and undoes it.
func (x *exchanges) moveOver() {
	before := x.kinds()
	from, to := x.name(), x.name()
	for to == from {
		to = x.name()
	}
	a := x.ask("move", map[string]any{"from": from, "to": to, "overwrite": true})
	after := x.kinds()
	if !a.Success && x.differ(before, after) {
		x.t.Errorf("move over: %+v: there was %v, and is %v", a, before, after)
	}
	if !a.Success || x.setAside || slices.Equal(before, after) {
		return
	}
	var lost string
	for _, kind := range []string{"symlink", "file"} {
		if slices.Equal(without(before, kind), after) {
			lost = kind
		}
	}
	if lost == "" || !slices.Contains(after, a.Result.Type) {
		x.t.Errorf("move over: %+v: there was %v, and is %v", a, before, after)
	} else if !x.undone(a, before) && !x.setAside {
		x.fill(lost, strings.TrimPrefix(x.free(), x.dir+"/"))
	}
}

// remove deletes whatever has a name, and undoes it.
func (x *exchanges) remove() {
	before := x.kinds()
	path := x.name()
	a := x.ask("delete", map[string]any{"path": path, "recursive": true})
	after, want := x.kinds(), before
	if a.Success {
		want = without(before, a.Result.Type)
	}
	if x.differ(want, after) {
		x.t.Errorf("delete of %s: %+v: there was %v, and is %v", path, a, before, after)
	} else if a.Success && !x.setAside && !x.undone(a, before) && !x.setAside {
		x.fill(a.Result.Type, strings.TrimPrefix(x.free(), x.dir+"/"))
	}
}

// undone takes a call back, and tells whether that went well: then all is there as before. If what
// it has just put back is exchanged for something else, an undo of two steps that fails can't know
// it any more, and leaves it: then there is one more, never less, and the round ends.
func (x *exchanges) undone(a exchangeAnswer, before []string) bool {
	now := x.kinds()
	b := x.ask("undo", map[string]any{"backup_id": a.Result.BackupID})
	after, want := x.kinds(), now
	if b.Success {
		want = before
	}
	if !x.differ(want, after) {
		return b.Success
	}
	for _, kind := range want {
		if after = without(after, kind); after == nil {
			x.t.Errorf("undo of %+v: %+v: there was %v, and a %s is lost", a, b, now, kind)
			break
		}
	}
	if b.Success {
		x.t.Errorf("undo of %+v: %+v: there is more: %v", a, b, after)
	}
	x.counts["undo left more"]++
	x.setAside = true
	return false
}

// free is one of the names that nothing has.
func (x *exchanges) free() string {
	for _, name := range exchangeNames {
		if path := x.dir + "/" + name; kindAt(x.path(path)) == "" {
			return path
		}
	}
	x.t.Fatal("no name is free")
	return ""
}

// judgeEnd looks at what must never change, and for what is left.
func (x *exchanges) judgeEnd(via string) {
	for _, dir := range []string{filepath.Join(x.base, "out"), x.path("sec")} {
		entries, err := os.ReadDir(dir)
		check(x.t, err)
		if len(entries) != 2 {
			x.t.Errorf("%s: in %s there is %v", via, dir, entries)
		}
		for _, e := range entries {
			if text, err := os.ReadFile(filepath.Join(dir, e.Name())); err != nil || string(text) != exchangeSecret+"\n" {
				x.t.Errorf("%s: %s is %q, %v", via, e.Name(), text, err)
			}
		}
	}
	check(x.t, os.WriteFile(x.path("in/f.txt"), []byte("inside\n"), 0o644))
}
