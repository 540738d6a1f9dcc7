package main

import (
	"slices"
	"strings"
	"unicode/utf16"
)

// host is how a program is installed, configured and run without a person.
type host struct {
	name     string   // its name here
	title    string   // in docs/hosts.md
	packages []string // from npm, pinned; the first one's version is the host's
	previous []string // the versions before these, of the first packages
	program  string   // below node_modules
	// files are configurations, by place: {home}/… or {ws}/…. A content that begins with @ is a file
	// of examples/, with what follows in further lines around it.
	files   map[string]string
	edit    func(content string) string // of every configuration, for a trial
	env     []string
	before  []string // a command that is run first, without the program
	args    []string
	tools   string // how the server's tools are called in requests, with NAME for the tool's name
	search  string // the tool by which a model finds the others, if they are not in its list
	query   any    // its arguments
	through string // the tool by which it calls those
	bound   bound
}

// pinned is the host with another version of a package, if it has that.
func (h host) pinned(version string) host {
	name, _, _ := strings.Cut(strings.TrimPrefix(version, "@"), "@")
	h.packages = slices.Clone(h.packages)
	for i, p := range h.packages {
		if other, _, _ := strings.Cut(strings.TrimPrefix(p, "@"), "@"); other == name {
			h.packages[i] = version
		}
	}
	return h
}

// earlier is the host in the version before.
func (h host) earlier() host {
	for i, version := range h.previous {
		h = h.pinned(h.packages[i][:strings.LastIndex(h.packages[i], "@")] + "@" + version)
	}
	return h
}

// bound is what one answer may have to be passed on whole, as it was measured; 0 is no limit.
type bound struct {
	size  int
	unit  string // how the host counts
	lines int
}

// count is how much of the bound a text takes.
func (b bound) count(text string) int {
	switch b.unit {
	case "bytes":
		return len(text)
	case "JSON characters":
		return len(text) + strings.Count(text, "\n") + strings.Count(text, "\t") + strings.Count(text, `"`) + strings.Count(text, `\`)
	}
	return len(utf16.Encode([]rune(text)))
}

// values are put in for names in braces.
type values struct{ url, home, ws, install string }

func (v values) fill(text string) string {
	return strings.NewReplacer("{url}", v.url, "{home}", v.home, "{ws}", v.ws, "{install}", v.install).Replace(text)
}
