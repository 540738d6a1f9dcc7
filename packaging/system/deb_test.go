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
	_ "github.com/goreleaser/nfpm/v2/deb"
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
	check(t, filled.Execute(&text, map[string]any{"Version": version, "FullCommit": commit, "CommitDate": date, "CommitTimestamp": "1767323045", "Env": map[string]string{"FSBOX_PUBLISH_TOKEN": ""}}))
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

// debianPackage makes the package from the section nfpms.
func debianPackage(t *testing.T) (name string) {
	t.Helper()
	config := releaseConfig(t)
	binary := filepath.Join(t.TempDir(), "fsbox")
	args := append([]string{"build", "-C", repository, "-o", binary}, config.Builds[0].Flags...)
	t.Setenv("CGO_ENABLED", "0")
	run(t, "go", append(args, "-ldflags", strings.Join(config.Builds[0].Ldflags, " "), ".")...)
	t.Chdir(repository) // the files that the section names are relative to it
	section := config.NFPMs[0]
	section["name"], section["version"], section["arch"] = section["package_name"], version, runtime.GOARCH
	section["contents"] = append(section["contents"].([]any), map[string]any{"src": binary, "dst": section["bindir"].(string) + "/fsbox",
		"file_info": map[string]any{"mode": 0o755, "mtime": date}})
	for _, key := range []string{"package_name", "formats", "bindir"} { // words of goreleaser's own
		delete(section, key)
	}
	asYAML, err := yaml.Marshal(section)
	check(t, err)
	first, second := pack(t, asYAML), pack(t, asYAML)
	if !bytes.Equal(first, second) {
		t.Error("two packages of the same files differ")
	}
	name = filepath.Join(t.TempDir(), "fsbox.deb")
	check(t, os.WriteFile(name, first, 0o644))
	return name
}

func pack(t *testing.T, section []byte) []byte {
	t.Helper()
	config, err := nfpm.Parse(bytes.NewReader(section))
	check(t, err)
	info, err := config.Get("deb")
	check(t, err)
	info = nfpm.WithDefaults(info)
	check(t, nfpm.PrepareForPackager(info, "deb"))
	packager, err := nfpm.Get("deb")
	check(t, err)
	var out bytes.Buffer
	check(t, packager.Package(info, &out))
	return out.Bytes()
}

// The package is installed in a folder that stands for a system, works from there, and goes away.
func TestDebianPackage(t *testing.T) {
	if _, err := exec.LookPath("dpkg"); err != nil || os.Geteuid() != 0 {
		t.Skip("needs dpkg and root")
	}
	deb, system := debianPackage(t), t.TempDir()
	for _, folder := range []string{"updates", "info", "triggers"} {
		check(t, os.MkdirAll(filepath.Join(system, "var/lib/dpkg", folder), 0o755))
	}
	check(t, os.WriteFile(filepath.Join(system, "var/lib/dpkg/status"), nil, 0o644))
	run(t, "dpkg", "--root="+system, "--install", deb)
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
	got := run(t, "bash", "-c", `source "$1"; COMP_WORDS=(fsbox gr) COMP_CWORD=1; _fsbox; echo "${COMPREPLY[@]}"`, "bash", at("usr/share/bash-completion/completions/fsbox"))
	if got != "grep\n" {
		t.Errorf("completion of gr: %q", got)
	}
	manualPage(t, at("usr/share/man"))
	for _, path := range []string{"usr/share/zsh/site-functions/_fsbox", "usr/share/fish/vendor_completions.d/fsbox.fish"} {
		if info, err := os.Stat(at(path)); err != nil || info.Size() == 0 || info.Mode() != 0o644 {
			t.Errorf("%s: %v, %v", path, info, err)
		}
	}

	run(t, "dpkg", "--root="+system, "--purge", "fsbox")
	if left, _ := filepath.Glob(at("usr/*")); len(left) > 0 {
		t.Errorf("%q is left after the package is gone", left)
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
	if page := run(t, "man", "-P", "cat", "fsbox"); !strings.Contains(page, "fsbox - file tools inside one workspace folder") {
		t.Errorf("man shows %.300q", page)
	}
}
