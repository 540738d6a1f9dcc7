package system

import (
	"bytes"
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"text/template"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/apk"
	_ "github.com/goreleaser/nfpm/v2/deb"
	_ "github.com/goreleaser/nfpm/v2/rpm"
	"go.yaml.in/yaml/v3"
)

const repository = "../.."

// The commit that the package is made of, as goreleaser would fill it in.
const (
	version = "1.2.3"
	commit  = "0123456789abcdef0123456789abcdef01234567"
	date    = "2026-01-02T03:04:05Z"
)

// releaseConfig is goreleaser.yaml, its templates filled in.
func releaseConfig(t *testing.T) (config struct {
	Builds []struct {
		Flags, Ldflags []string
	}
	NFPMs []map[string]any `yaml:"nfpms"`
}) {
	t.Helper()
	source, err := os.ReadFile(filepath.Join(repository, "goreleaser.yaml"))
	check(t, err)
	functions := template.FuncMap{
		"envOrDefault": func(name, value string) string { return cmp.Or(os.Getenv(name), value) },
		"incpatch":     func(v string) string { return v },
	}
	filled, err := template.New("goreleaser.yaml").Funcs(functions).Parse(string(source))
	check(t, err)
	var text bytes.Buffer
	check(t, filled.Execute(&text, map[string]any{"Version": version, "FullCommit": commit, "CommitDate": date,
		"CommitTimestamp": "1767323045", "Env": map[string]string{"FSBOX_PUBLISH_TOKEN": ""}}))
	check(t, yaml.Unmarshal(text.Bytes(), &config))
	return config
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// run gives what a command prints.
func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	return string(out)
}

// packages makes the packages from the section nfpms: fsbox.deb, fsbox.rpm and fsbox.apk.
func packages(t *testing.T) (folder string) {
	t.Helper()
	config := releaseConfig(t)
	binary := filepath.Join(t.TempDir(), "fsbox")
	args := append([]string{"build", "-C", repository, "-o", binary}, config.Builds[0].Flags...)
	t.Setenv("CGO_ENABLED", "0")
	run(t, "go", append(args, "-ldflags", strings.Join(config.Builds[0].Ldflags, " "), ".")...)
	t.Chdir(repository) // the files that the section names are relative to it
	section := config.NFPMs[0]
	formats := section["formats"].([]any)
	section["name"], section["version"], section["arch"] = section["package_name"], version, runtime.GOARCH
	section["contents"] = append(section["contents"].([]any), map[string]any{"src": binary, "dst": section["bindir"].(string) + "/fsbox",
		"file_info": map[string]any{"mode": 0o755, "mtime": date}})
	for _, key := range []string{"package_name", "formats", "bindir"} { // words of goreleaser's own
		delete(section, key)
	}
	asYAML, err := yaml.Marshal(section)
	check(t, err)
	folder = t.TempDir()
	for _, format := range formats {
		format := format.(string)
		first, second := pack(t, asYAML, format), pack(t, asYAML, format)
		if !bytes.Equal(first, second) {
			t.Errorf("two packages of the same files differ: %s", format)
		}
		check(t, os.WriteFile(filepath.Join(folder, "fsbox."+format), first, 0o644))
	}
	return folder
}

func pack(t *testing.T, section []byte, format string) []byte {
	t.Helper()
	config, err := nfpm.Parse(bytes.NewReader(section))
	check(t, err)
	info, err := config.Get(format)
	check(t, err)
	info = nfpm.WithDefaults(info)
	check(t, nfpm.PrepareForPackager(info, format))
	packager, err := nfpm.Get(format)
	check(t, err)
	var out bytes.Buffer
	check(t, packager.Package(info, &out))
	return out.Bytes()
}

// Each package is installed in a folder as in a system, works from there, and goes away.
func TestSystemPackages(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	folder := packages(t)
	for format, install := range map[string]func(*testing.T, string){"deb": debian, "rpm": redHat, "apk": alpine} {
		t.Run(format, func(t *testing.T) { install(t, filepath.Join(folder, "fsbox."+format)) })
	}
}

func needs(t *testing.T, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skip("needs " + program)
	}
}

func debian(t *testing.T, deb string) {
	needs(t, "dpkg")
	system := t.TempDir()
	for _, folder := range []string{"updates", "info", "triggers"} {
		check(t, os.MkdirAll(filepath.Join(system, "var/lib/dpkg", folder), 0o755))
	}
	check(t, os.WriteFile(filepath.Join(system, "var/lib/dpkg/status"), nil, 0o644))
	run(t, "dpkg", "--root="+system, "--install", deb)
	use(t, system)
	run(t, "dpkg", "--root="+system, "--purge", "fsbox")
	isGone(t, system)
}

func redHat(t *testing.T, rpm string) {
	needs(t, "rpm")
	system := t.TempDir()
	run(t, "rpm", "--root", system, "--initdb")
	run(t, "rpm", "--root", system, "--nodeps", "--install", rpm)
	use(t, system)
	run(t, "rpm", "--root", system, "--erase", "fsbox")
	isGone(t, system)
}

// alpine unpacks the package: apk itself is rarely there. Its format is tar, in three parts.
func alpine(t *testing.T, apk string) {
	needs(t, "tar")
	system := t.TempDir()
	run(t, "tar", "--ignore-zeros", "-xzf", apk, "-C", system)
	if about, err := os.ReadFile(filepath.Join(system, ".PKGINFO")); err != nil || !strings.Contains(string(about), "pkgver = "+version) {
		t.Errorf("%v, %s", err, about)
	}
	use(t, system)
}

func isGone(t *testing.T, system string) {
	t.Helper()
	for _, path := range []string{"usr/bin/fsbox", "usr/share/man/man1/fsbox.1", "usr/share/doc/fsbox"} {
		if _, err := os.Lstat(filepath.Join(system, path)); err == nil {
			t.Errorf("%s is left after the package is gone", path)
		}
	}
}

// use tries what is installed below a folder.
func use(t *testing.T, system string) {
	t.Helper()
	at := func(path string) string { return filepath.Join(system, path) }

	want := version + " (commit " + commit + ", " + date + ")\n"
	if got := run(t, at("usr/bin/fsbox"), "--version"); got != want {
		t.Errorf("--version: %q, want %q", got, want)
	}
	known := `"version":"` + version + `","commit":"` + commit + `","commit_time":"` + date + `"`
	if got := run(t, at("usr/bin/fsbox"), "check", "--root", at("usr/share/doc")); !strings.Contains(got, known) {
		t.Errorf("check lacks %s: %s", known, got)
	}
	if got := run(t, at("usr/bin/fsbox"), "ls", "--root", at("usr/share/doc/fsbox"), "--format", "text"); got != "copyright\n" {
		t.Errorf("ls: %q", got)
	}
	got := run(t, "bash", "-c", `source "$1"; COMP_WORDS=(fsbox gr) COMP_CWORD=1; _fsbox; echo "${COMPREPLY[@]}"`, "bash",
		at("usr/share/bash-completion/completions/fsbox"))
	if got != "grep\n" {
		t.Errorf("completion of gr: %q", got)
	}
	firstSession(t, at("usr/bin/fsbox"))
	manualPage(t, at("usr/share/man"))
	for _, path := range []string{"usr/share/zsh/site-functions/_fsbox", "usr/share/fish/vendor_completions.d/fsbox.fish"} {
		if info, err := os.Stat(at(path)); err != nil || info.Size() == 0 || info.Mode() != 0o644 {
			t.Errorf("%s: %v, %v", path, info, err)
		}
	}
}

// firstSession changes a file and takes the change back, as README does.
func firstSession(t *testing.T, fsbox string) {
	t.Helper()
	folder, state := t.TempDir(), t.TempDir()
	check(t, os.WriteFile(filepath.Join(folder, "main.go"), []byte("hello, wrold\n"), 0o644))
	for _, step := range [...]struct{ args, shows string }{
		{"grep wrold", "main.go\n1:hello, wrold\n"},
		{"edit main.go --expected-text wrold --replacement-text world", "made 1 replacement"},
		{"undo --no-diff", "undid edit"},
		{"read main.go", "hello, wrold\n"},
	} {
		args := []string{"--root", folder, "--state-dir", state, "--allow-write", "--format", "text"}
		if got := run(t, fsbox, append(args, strings.Fields(step.args)...)...); !strings.Contains(got, step.shows) {
			t.Errorf("%s: %q", step.args, got)
		}
	}
}

// manualPage looks whether man finds the page, where there is man, and shows it.
func manualPage(t *testing.T, folder string) {
	if _, err := exec.LookPath("man"); err != nil {
		t.Log("man is not installed: the page is not looked at")
		return
	}
	t.Setenv("MANPATH", folder)
	t.Setenv("MAN_KEEP_FORMATTING", "")
	if page := run(t, "man", "-P", "cat", "fsbox"); !strings.Contains(page, "fsbox - file tools inside one workspace directory") {
		t.Errorf("man shows %.300q", page)
	}
}
