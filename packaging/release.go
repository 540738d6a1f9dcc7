package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// release is what packages are made from.
type release struct {
	version string // 1.2.3 or 1.2.3-rc.1
	top     string // folder of the repository, "" for the current one
	from    string // folder with the binaries
	owner   string // of the repository
	url     string // of the folder that the bundles are published in; "" if they aren't
}

// about is the sentence that every package has.
const about = "File tools for AI agents and scripts inside one workspace directory: one static binary, a command line and an MCP server."

func (r release) home() string { return "https://github.com/" + r.owner + "/fsbox" }

// mcpName is the name in the MCP registry. The npm package and the wheel repeat it, which proves
// that all have the same owner.
func (r release) mcpName() string { return "io.github." + r.owner + "/fsbox" }

// platform is a system and processor, as each kind of package calls it.
type platform struct {
	goos, goarch  string
	npmOS, npmCPU string
	executable    string // the binary's file name
	wheel         string // tag; "" if pip has none that fits, nor are there MCP hosts that take bundles
}

// platforms are those of goreleaser.yaml. The binaries for Linux are static, so they fit glibc and
// musl. Go's own lowest macOS is 12.
func platforms() []platform {
	return []platform{
		{"linux", "amd64", "linux", "x64", "fsbox", "py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64"},
		{"linux", "arm64", "linux", "arm64", "fsbox", "py3-none-manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64"},
		{"darwin", "amd64", "darwin", "x64", "fsbox", "py3-none-macosx_12_0_x86_64"},
		{"darwin", "arm64", "darwin", "arm64", "fsbox", "py3-none-macosx_12_0_arm64"},
		{"windows", "amd64", "win32", "x64", "fsbox.exe", "py3-none-win_amd64"},
		{"windows", "arm64", "win32", "arm64", "fsbox.exe", "py3-none-win_arm64"},
		{"freebsd", "amd64", "freebsd", "x64", "fsbox", ""},
		{"freebsd", "arm64", "freebsd", "arm64", "fsbox", ""},
	}
}

// built is a platform with its binary.
type built struct {
	platform
	binary []byte
}

// binaries reads those that are there.
func (r release) binaries() ([]built, error) {
	var all []built
	for _, p := range platforms() {
		found, err := filepath.Glob(filepath.Join(r.from, "*"+p.goos+"_"+p.goarch+"*", p.executable))
		switch {
		case err != nil:
			return nil, err
		case len(found) > 1:
			return nil, fmt.Errorf("several binaries for %s/%s: %q", p.goos, p.goarch, found)
		case len(found) == 0:
			continue
		}
		content, err := os.ReadFile(found[0])
		if err != nil {
			return nil, err
		}
		all = append(all, built{p, content})
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no binaries in %q: they are expected in directories such as linux_amd64", r.from)
	}
	return all, nil
}

// versionForm is what npm and Python can both have.
var versionForm = regexp.MustCompile(`^(\d+\.\d+\.\d+)(?:-(alpha|beta|rc)\.?(\d+))?$`)

// pythonVersion writes 1.2.3-rc.1 as 1.2.3rc1.
func (r release) pythonVersion() string {
	m := versionForm.FindStringSubmatch(r.version)
	return m[1] + map[string]string{"alpha": "a", "beta": "b", "rc": "rc"}[m[2]] + m[3]
}

// makePackages writes all packages.
func makePackages(r release, to string) error {
	if !versionForm.MatchString(r.version) {
		return fmt.Errorf("%q is no version such as 1.2.3 or 1.2.3-rc.1", r.version)
	}
	all, err := r.binaries()
	if err != nil {
		return err
	}
	license, err := os.ReadFile(filepath.Join(r.top, "LICENSE"))
	if err != nil {
		return err
	}
	return cmp.Or(r.writeNPM(all, license, to), r.writeWheels(all, license, to), r.writeMCP(all, license, to))
}

// object is a JSON object whose members come sorted, so that packages are the same each time.
type object = map[string]any
