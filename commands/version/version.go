package version

import (
	"runtime/debug"
	"strings"
)

// The linker sets these three in releases. Without them, BuildInfo takes what the go command
// records in a binary that it builds in a clone of the repository.
var buildVersion, buildCommit, buildDate string

// Build says what the binary was made from. What isn't known is empty.
type Build struct {
	Version string // 1.2.3
	Commit  string // in full; with +dirty if files were changed since
	Date    string // of the commit, RFC 3339
}

func Info() Build {
	b := Build{Version: buildVersion, Commit: buildCommit, Date: buildDate}
	if b.Version == "" {
		if info, ok := debug.ReadBuildInfo(); ok {
			b.read(info)
		}
	}
	b.Version = strings.TrimPrefix(b.Version, "v")
	if b.Version == "" || b.Version == "(devel)" {
		b.Version = "devel"
	}
	return b
}

// read takes what the go command noted. The version is the tag of the commit, or is derived from
// the newest tag before it.
func (b *Build) read(info *debug.BuildInfo) {
	noted := map[string]string{}
	for _, s := range info.Settings {
		noted[s.Key] = s.Value
	}
	b.Version, b.Commit, b.Date = info.Main.Version, noted["vcs.revision"], noted["vcs.time"]
	if noted["vcs.modified"] == "true" {
		b.Commit += "+dirty"
	}
}

// Line is for people: the version first, so that a script can take the first word.
func Line() string {
	b := Info()
	if b.Commit == "" {
		return b.Version
	}
	return strings.TrimSuffix(b.Version+" (commit "+b.Commit+", "+b.Date, ", ") + ")"
}
