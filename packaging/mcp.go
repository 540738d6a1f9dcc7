package main

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"path/filepath"
	"text/template"

	"fsbox/commands"
)

// forms are the manifest of a bundle, and what the MCP registry is told. The manifest asks the
// person for the folder, and whether it may be changed: both no by default.
//
//go:embed mcp
var forms embed.FS

// bundle is an MCP bundle that was written.
type bundle struct{ Name, SHA256 string }

// writeMCP writes an MCP bundle a platform: a zip file with a manifest, which a host unpacks and
// starts; and server.json, which the registry is told. That names bundles only if there is a place
// to load them from.
func (r release) writeMCP(all []built, license []byte, to string) error {
	var bundles []bundle
	for _, b := range all {
		if b.wheel == "" {
			continue
		}
		manifest, err := r.manifest(b.platform)
		if err != nil {
			return err
		}
		content, err := zipped([]entry{{"manifest.json", manifest, false}, {"LICENSE", license, false},
			{"server/" + b.executable, b.binary, true}})
		if err != nil {
			return err
		}
		name, sum := "fsbox-"+r.version+"-"+b.goos+"-"+b.goarch+".mcpb", sha256.Sum256(content)
		if err := writeFile(filepath.Join(to, "mcp", name), content, 0o644); err != nil {
			return err
		}
		bundles = append(bundles, bundle{name, hex.EncodeToString(sum[:])})
	}
	server, err := filled("server.json", object{"Name": r.mcpName(), "Version": r.version, "PythonVersion": r.pythonVersion(),
		"Home": r.home(), "URL": r.url, "Bundles": bundles})
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(to, "mcp", "server.json"), server, 0o644)
}

func (r release) manifest(p platform) ([]byte, error) {
	tools := []object{}
	for _, t := range commands.All() {
		if !t.HostOnly {
			tools = append(tools, object{"name": t.Name, "description": t.Help})
		}
	}
	return filled("manifest.json", object{"Version": r.version, "About": about, "Home": r.home(), "Executable": p.executable,
		"Tools": tools, "System": p.npmOS})
}

// filled is a form with its values.
func filled(name string, values object) ([]byte, error) {
	asJSON := func(v any) (string, error) {
		text, err := json.Marshal(v)
		return string(text), err
	}
	form, err := template.New(name).Funcs(template.FuncMap{"json": asJSON}).ParseFS(forms, "mcp/"+name)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = form.Execute(&out, values)
	return out.Bytes(), err
}
