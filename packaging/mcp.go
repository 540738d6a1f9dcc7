package main

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"

	"fsbox/commands"
)

// bundle is an MCP bundle that was written.
type bundle struct{ name, sha256 string }

// writeBundles writes an MCP bundle a platform: a zip file with a manifest, which a host unpacks
// and starts.
func (r release) writeBundles(all []built, license []byte, to string) ([]bundle, error) {
	var bundles []bundle
	for _, b := range all {
		if !b.bundle {
			continue
		}
		manifest, err := indented(r.manifest(b.platform))
		if err != nil {
			return nil, err
		}
		content, err := zipped([]entry{{"manifest.json", manifest, false}, {"LICENSE", license, false},
			{"server/" + b.executable(), b.binary, true}})
		if err != nil {
			return nil, err
		}
		name := "fsbox-" + r.version + "-" + b.goos + "-" + b.goarch + ".mcpb"
		if err := writeFile(filepath.Join(to, "mcp", name), content, 0o644); err != nil {
			return nil, err
		}
		sum := sha256.Sum256(content)
		bundles = append(bundles, bundle{name, hex.EncodeToString(sum[:])})
	}
	return bundles, nil
}

// manifest asks the person for the folder, and whether it may be changed: both no by default.
func (r release) manifest(p platform) object {
	tools := []object{}
	for _, t := range commands.Tools() {
		if !t.ForHost {
			tools = append(tools, object{"name": t.Name, "description": t.Help})
		}
	}
	program := "server/" + p.executable()
	ask := func(title, description string) object {
		return object{"type": "boolean", "title": title, "description": description, "default": false, "required": false}
	}
	return object{
		"manifest_version": "0.3", "name": "fsbox", "display_name": "fsbox", "version": r.version, "description": about,
		"author": object{"name": "The fsbox authors", "url": r.home()}, "license": "MIT", "homepage": r.home(),
		"repository": object{"type": "git", "url": r.home()},
		"keywords":   []string{"files", "search", "edit"},
		"server": object{"type": "binary", "entry_point": program, "mcp_config": object{
			"command": "${__dirname}/" + program,
			"args":    []string{"mcp", "--root", "${user_config.folder}"},
			"env":     object{"FSBOX_ALLOW_WRITE": "${user_config.allow_write}", "FSBOX_ALLOW_DELETE": "${user_config.allow_delete}"},
		}},
		"tools": tools,
		"user_config": object{
			"folder": object{"type": "directory", "title": "Folder", "description": "The only folder that the tools can see.",
				"required": true},
			"allow_write":  ask("Allow changes", "Files may be made and changed."),
			"allow_delete": ask("Allow deletes", "Files may be removed and renamed, too."),
		},
		"compatibility": object{"platforms": []string{p.npmOS}},
	}
}

// writeServerJSON writes what the MCP registry is told.
func (r release) writeServerJSON(bundles []bundle, to string) error {
	stdio := object{"type": "stdio"}
	arguments := []object{
		{"type": "positional", "value": "mcp"},
		{"type": "named", "name": "--root", "description": "The only folder that the tools can see.", "format": "filepath", "default": "."},
	}
	of := func(kind, version string) object {
		return object{"registryType": kind, "identifier": "fsbox", "version": version, "transport": stdio, "packageArguments": arguments}
	}
	packages := []object{of("npm", r.version), of("pypi", r.pythonVersion())}
	for _, b := range bundles {
		if r.url != "" {
			packages = append(packages, object{"registryType": "mcpb", "identifier": r.url + "/" + b.name, "fileSha256": b.sha256,
				"transport": stdio})
		}
	}
	text, err := indented(object{
		"$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
		"name":    r.mcpName(), "title": "fsbox", "version": r.version,
		"description": "File tools inside one workspace folder: read, search, edit, patch and undo.", // at most 100 characters
		"repository":  object{"url": r.home(), "source": "github"},
		"packages":    packages,
	})
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(to, "mcp", "server.json"), text, 0o644)
}
