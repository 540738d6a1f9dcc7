package main

import (
	_ "embed"
	"encoding/json"
	"path/filepath"
)

// launcher is the program of the npm package: it starts the binary of the platform's package.
//
//go:embed npm/launcher.js
var launcher []byte

// installer puts that binary in the launcher's place, where npm lets it.
//
//go:embed npm/install.js
var installer []byte

// npmName is the name of the package of a platform.
func (p platform) npmName() string { return "@fsbox/" + p.npmOS + "-" + p.npmCPU }

// writeNPM writes a package a platform, which npm installs only there, and the main package, which
// has all of them as optional dependencies. Nothing is loaded at installation.
func (r release) writeNPM(all []built, license []byte, to string) error {
	optional := object{}
	for _, b := range all {
		optional[b.npmName()] = r.version
		about := r.npmPackage(b.npmName(), "The binary of fsbox for "+b.npmOS+" on "+b.npmCPU+".")
		about["os"], about["cpu"], about["preferUnplugged"] = []string{b.npmOS}, []string{b.npmCPU}, true
		files := []entry{{"package/bin/" + b.executable, b.binary, true}}
		if err := r.writeTarball(about, files, license, filepath.Join(to, "npm",
			"fsbox-"+b.npmOS+"-"+b.npmCPU+"-"+r.version+".tgz")); err != nil {
			return err
		}
	}
	main := r.npmPackage("fsbox", about)
	main["bin"], main["optionalDependencies"], main["mcpName"] = object{"fsbox": "bin/fsbox"}, optional, r.mcpName()
	main["engines"], main["keywords"] = object{"node": ">=16"}, []string{"mcp", "mcp-server", "ai", "agent", "files", "grep", "edit"}
	readme := []byte("# fsbox\n\n" + about + "\n\n    npx fsbox --help\n    npx fsbox mcp --root .\n\nMore: " + r.home() + "\n")
	manual, err := printed("man")
	if err != nil {
		return err
	}
	main["man"], main["scripts"] = []string{"./man/fsbox.1"}, object{"postinstall": "node install.js"}
	files := []entry{{"package/bin/fsbox", launcher, true}, {"package/install.js", installer, false}, {"package/README.md", readme, false},
		{"package/man/fsbox.1", manual, false}}
	return r.writeTarball(main, files, license, filepath.Join(to, "npm", "fsbox-"+r.version+".tgz"))
}

func (r release) npmPackage(name, description string) object {
	return object{"name": name, "version": r.version, "description": description, "license": "MIT", "homepage": r.home(),
		"repository": object{"type": "git", "url": "git+" + r.home() + ".git"}}
}

func (r release) writeTarball(about object, files []entry, license []byte, name string) error {
	text, err := json.MarshalIndent(about, "", "  ")
	if err != nil {
		return err
	}
	content, err := tarred(append([]entry{{"package/package.json", text, false}, {"package/LICENSE", license, false}}, files...))
	if err != nil {
		return err
	}
	return writeFile(name, content, 0o644)
}
