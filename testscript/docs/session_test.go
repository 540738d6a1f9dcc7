package docs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fsbox/testscript"
)

// session is a folder with a home folder around it, in which the commands of a page are run.
type session struct {
	home, dir string
	exports   []string          // commands that later ones need: variables that were set or unset
	shown     map[string]string // by what was printed: the name that the page shows instead
	counts    map[string]int    // how many names of each kind there are
}

// homeShown and dirShown are what a page shows for the folders that the commands really run in.
const homeShown, dirShown = "/home/me", "/home/me/project"

func newSession(t *testing.T) *session {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &session{home: home, dir: filepath.Join(home, "project"), shown: map[string]string{}, counts: map[string]int{}}
	if err := os.Mkdir(s.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *session) write(t *testing.T, name, text string) {
	t.Helper()
	file := filepath.Join(s.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file, 0o644); err != nil { // whatever the mask of this process is
		t.Fatal(err)
	}
}

// run gives the lines that a command prints, as the page should show them.
func (s *session) run(t *testing.T, dir string, p prompt) []string {
	t.Helper()
	var command []string
	for _, line := range p.command {
		command = append(command, strings.TrimPrefix(line[1:], " "))
	}
	script := s.real(strings.Join(command, "\n"))
	cmd := exec.Command("sh", "-c", strings.Join(slices.Concat([]string{"umask 022"}, s.exports, []string{script}), "\n"))
	cmd.Dir, cmd.Env = dir, s.environment(dir)
	out, err := cmd.CombinedOutput()
	if _, failed := err.(*exec.ExitError); err != nil && !failed {
		t.Fatal(err)
	}
	if strings.HasPrefix(script, "export ") || strings.HasPrefix(script, "unset ") {
		s.exports = append(s.exports, script)
	}
	text := strings.TrimRight(s.sameEveryRun(string(out)), "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// environment is that of the test without settings of the person who runs it. The go command gets
// the home folder that has its caches.
func (s *session) environment(dir string) []string {
	var env []string
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "FSBOX_") && !strings.HasPrefix(v, "XDG_") && (dir != s.dir || !strings.HasPrefix(v, "HOME=")) {
			env = append(env, v)
		}
	}
	if dir == s.dir {
		env = append(env, "HOME="+s.home, "NO_COLOR=1", "PYTHONDONTWRITEBYTECODE=1")
	}
	return append(env, "LC_ALL=C")
}

// varying finds what gets a name on the page, the same on every run: BACKUP_1 for the first backup
// that a page speaks of, and so on. A command of the page may use the name.
var varying = []struct {
	kind string
	find testscript.Expression
}{
	{"BACKUP", testscript.WhenUsed(`(?:"backup_id":"|backup |backup: |"details":{"backup_id":")([0-9a-z]{13})\b`)},
	{"BACKUP", testscript.WhenUsed(`(?m)^([0-9a-z]{13}) 20\d\d-`)},
	{"DIGEST", testscript.WhenUsed(`(?:"request_digest":"|fsbox approve |request_digest: )([0-9a-f]{32,})\b`)},
	{"TOKEN", testscript.WhenUsed(`\b(fsbox1-[\w-]+)`)},
	{"CURSOR", testscript.WhenUsed(`(?:"next_cursor":"|cursor ")([^"]+)"`)},
}

// fixed is what a page shows with one value always: times, durations, the size of a folder.
var fixed = []struct {
	find testscript.Expression
	by   string
}{
	{testscript.WhenUsed(`"(modified|time|expires)":[0-9.e+]+`), `"$1":1767225600`},
	{testscript.WhenUsed(`"time":"[^"]+"`), `"time":"2026-01-01T00:00:00Z"`},
	{testscript.WhenUsed(`\b20\d\d-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?(Z|[+-]\d\d:?\d\d)?`), "2026-01-01T00:00:00Z"},
	{testscript.WhenUsed(`until \d\d:\d\d:\d\d UTC`), "until 00:10:00 UTC"},
	{testscript.WhenUsed(`"duration_ms":[0-9.e-]+`), `"duration_ms":0.3`},
	{testscript.WhenUsed(`"(trace|span)_id":"[0-9a-f]+"`), `"${1}_id":"0123456789abcdef"`},
	{testscript.WhenUsed(`("title":"Files","version":")[^"]+`), "${1}1.0.0"},
	{testscript.WhenUsed(`("type":"directory","size":)\d+`), "${1}4096"},
}

// sameEveryRun replaces what differs between runs and machines in what was printed.
func (s *session) sameEveryRun(text string) string {
	for _, v := range varying {
		for _, m := range v.find().FindAllStringSubmatch(text, -1) {
			if s.shown[m[1]] == "" && !strings.HasPrefix(m[1], v.kind) {
				s.counts[v.kind]++
				s.shown[m[1]] = fmt.Sprintf("%s_%d", v.kind, s.counts[v.kind])
			}
		}
	}
	for is, name := range s.shown {
		text = strings.ReplaceAll(text, is, name)
	}
	text = strings.ReplaceAll(text, s.dir, dirShown)
	text = strings.ReplaceAll(text, s.home, homeShown)
	for _, f := range fixed {
		text = f.find().ReplaceAllString(text, f.by)
	}
	return text
}

// real is a command of the page with what its names are short for.
func (s *session) real(command string) string {
	for is, name := range s.shown {
		command = regexp.MustCompile(`\b`+name+`\b`).ReplaceAllLiteralString(command, is)
	}
	return strings.ReplaceAll(command, homeShown, s.home)
}
