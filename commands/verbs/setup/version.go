package setup

import (
	"runtime/debug"
	"strings"
)

// The linker sets these three in releases. Without them, buildInfo takes what the go command
// records in a binary that it builds in a clone of the repository.
var buildVersion, buildCommit, buildDate string

// build says what the binary was made from. What isn't known is empty.
type build struct {
	version string // 1.2.3
	commit  string // in full; with +dirty if files were changed since
	date    string // of the commit, RFC 3339
}

func buildInfo() build {
	b := build{version: buildVersion, commit: buildCommit, date: buildDate}
	if b.version == "" {
		if info, ok := debug.ReadBuildInfo(); ok {
			b.read(info)
		}
	}
	b.version = strings.TrimPrefix(b.version, "v")
	if b.version == "" || b.version == "(devel)" {
		b.version = "devel"
	}
	return b
}

// read takes what the go command noted. The version is the tag of the commit, or is derived from
// the newest tag before it.
func (b *build) read(info *debug.BuildInfo) {
	b.version = info.Main.Version
	dirty := false
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.commit = s.Value
		case "vcs.time":
			b.date = s.Value
		case "vcs.modified":
			dirty = s.Value == "true"
		}
	}
	if dirty {
		b.commit += "+dirty"
	}
}

func Version() string { return buildInfo().version }

// VersionLine is for people: the version first, so that a script can take the first word.
func VersionLine() string {
	b := buildInfo()
	if b.commit == "" {
		return b.version
	}
	return strings.TrimSuffix(b.version+" (commit "+b.commit+", "+b.date, ", ") + ")"
}
