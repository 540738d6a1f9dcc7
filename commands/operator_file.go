package commands

import (
	"slices"

	"fsbox/sandbox"
)

// operatorRules keep requests away from files that the operator names, which lie outside of the
// workspace unless the root is so wide that it holds them.
type operatorRules struct {
	deny, denyWrite []string
	guards          []sandbox.Guard
}

// operatorFile is a file that the operator names by a setting.
type operatorFile struct {
	path   string // absolute
	name   string // what messages call it
	secret bool   // requests may not read it either
}

// operatorFiles are the files besides the config file that no request may change.
func (s *Settings) operatorFiles(system environment) (files []operatorFile, fail *Failure) {
	for _, f := range [...]operatorFile{{path: s.logFile(), name: logName}, {path: s.ApprovalKey, name: keyName, secret: true}} {
		if f.path == "" {
			continue
		}
		path, err := expandHome(f.path, system)
		if err != nil {
			return nil, err
		}
		host, hostErr := hostPath(path)
		if hostErr != nil {
			return nil, failf(CodeInvalidInput, "%s %q can't be found: %v", f.name, path, hostErr)
		}
		f.path = host
		files = append(files, f)
	}
	return files, nil
}

// guardFiles refuses a file that lies inside an ordinary workspace, or is reached through it: what
// lies there could be replaced by a link that leads elsewhere. In a wide root, rules and guards
// protect the file and the way to it, as they do a config file.
func guardFiles(files []operatorFile, root string, wide bool) (r operatorRules, fail *Failure) {
	for _, f := range files {
		inside, on := sandbox.OnTheWay(root, f.path)
		switch {
		case !on:
			continue
		case !wide:
			return r, refuseInside(f.name, f.path, inside)
		}
		r.guards = append(r.guards, sandbox.Guard{Path: f.path, Name: f.name, Hidden: f.secret})
		rules := &r.denyWrite
		if f.secret {
			rules = &r.deny
		}
		for _, rel := range [...]string{relative(root, f.path), inside} {
			if rule := "/" + globQuote(rel); rel != "" && rel != "." && !slices.Contains(*rules, rule) {
				*rules = append(*rules, rule)
			}
		}
	}
	return r, nil
}

func refuseInside(name, file, inside string) *Failure {
	where := "lies inside the workspace"
	if inside == "" {
		where = "is reached through the workspace"
	}
	return failf(CodeInvalidInput, "%s %q %s", name, file, where).hint("move it out: requests must not be able to change it")
}
