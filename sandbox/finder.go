package sandbox

import (
	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/filesystem"
	"fsbox/sandbox/policy"
)

// finder finds what the paths of requests lead to, and refuses what isn't allowed. It starts at the
// root's descriptor. Guards protect paths of the host: see Guard.
type finder struct {
	RootFolder dir.Folder
	given      string // absolute path of the root as the operator gave it
	real       func() string
	policy     *policy.Rules
	guards     []Guard
	shared     bool               // others may use the root through another mount: see filesystem.System
	caches     filesystem.Caches  // of the root's mount
	mounts     *filesystem.Mounts // of a root on SMB: see isOtherNow
	only       map[string]Agreed  // what may be changed, by resolved path; nil for everything: see Workspace.Only
}

// Guard is a host path that affects later calls, such as the state folder or a config file. If the
// way to it leads through the workspace, no request may change what is on that way: every folder
// and link that the path passes, before and after links are resolved, must keep its name. They are
// known by device and inode, so that other names for them don't help. If names on the way are
// missing, requests may make them only as plain folders.
type Guard struct {
	Path   string // absolute
	Name   string // what messages call it
	Hidden bool   // it and everything in it may not be read either
}

// Purpose is why a path is located.
type Purpose struct {
	Follow bool // follow a link at the end
	Write  bool // deny_write holds as well
	File   bool // a file may be created: its name must not end in a slash
	Folder bool // only a folder may be created
	Opens  bool // a regular file is opened next: see finder.look
	Agreed bool // it is read for a change, so Only holds as well
}

// request is a requested path, checked as text.
type request struct {
	asked  string   // relative, slash-separated, without "." and empty components; "." for the root
	names  []string // its components, none for the root
	folder bool     // it ended in a slash, or in "/.", so it must be a folder
	reads  bool     // the path is only read, so that it gets no lock
	opens  bool     // see Purpose
}
