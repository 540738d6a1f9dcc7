package command

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/settings"
	"fsbox/commands/words"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/pathname"
	"fsbox/search/walk"
	"fsbox/wildcard"
)

// ReadGlobs are the globs of a request as walk reads them: relative to the folder that is walked,
// and with a backslash before the signs that are part of a name.
type ReadGlobs struct {
	Globs []string
	Note  string // says which names are taken to the letter, "" for none
	Both  string // says which glob is taken to the letter as well, "" for none
}

// Globs reads a list of globs that choose paths below a folder. A last component that is also the
// name of something there finds that besides what its signs match.
func (e *Env) Globs(folder string, globs []string) (r ReadGlobs, err error) {
	for _, glob := range globs {
		body, excludes, wrong := wildcard.CutExclusion(glob)
		if wrong != nil {
			return r, &walk.GlobError{Pattern: glob, Err: wrong}
		}
		all, err := e.relativeGlobs(folder, body, excludes)
		if err != nil {
			return r, err
		}
		for _, body := range all {
			if excludes {
				r.Globs = append(r.Globs, "!"+body)
				continue
			}
			named := e.named(folder, body)
			r.Globs = append(r.Globs, named.globs()...)
			r.note(named)
			if len(named.globs()) > 1 && r.Both == "" {
				r.Both = words.Phrase("%q is the name of something that exists, and is taken as a glob as well: %q is the name alone", named.asked,
					named.literal)
			}
		}
	}
	return r, nil
}

// Glob compiles a glob relative to a folder. Folders at its beginning that exist are taken to the
// letter. One with invalid syntax is taken literally if something there has exactly that name, or
// if a deny rule covers it.
func (e *Env) Glob(folder, pattern string, hidden bool) (*walk.Glob, string, error) {
	var r ReadGlobs
	named := e.named(folder, strings.TrimLeft(pattern, "/"))
	glob, err := walk.NewGlob(named.glob, hidden)
	if err != nil && pattern != "" && named.literal != "" {
		glob, err = walk.NewGlob(named.literal, hidden)
		return glob, "", err
	}
	r.note(named)
	return glob, r.Note, err
}

// RelativeGlob gives a glob relative to a folder, if it is an absolute path beneath the root or
// begins with "~/", or one of the alternatives in braces at its beginning is or does.
func (e *Env) RelativeGlob(folder, glob string) (string, error) {
	all, err := e.relativeGlobs(folder, glob, false)
	return wildcard.Join(all), err
}

// relativeGlobs gives a glob relative to a folder, or its alternatives if one of them is an
// absolute path: {/a,b} becomes /a and b.
func (e *Env) relativeGlobs(folder, glob string, excludes bool) ([]string, error) {
	spelled, err := wildcard.NewBudget().Rooted(glob, settings.IsAbsolute, e.underRoot)
	if err != nil {
		return nil, &walk.GlobError{Pattern: glob, Err: err}
	}
	if len(spelled) == 1 && !spelled[0].Under && !spelled[0].Outside {
		return []string{glob}, nil
	}
	all := make([]string, len(spelled))
	for i, a := range spelled {
		switch {
		case a.Outside:
			return nil, e.outsideGlob(glob, a.Glob)
		case a.Under:
			if all[i], err = below(folder, a.Glob, glob); err != nil {
				return nil, err
			}
		case excludes:
			all[i] = a.Glob
		default:
			all[i] = "./" + strings.TrimPrefix(a.Glob, "./") // as in {x/a,b}
		}
	}
	return all, nil
}

// underRoot takes the root off an absolute path.
func (e *Env) underRoot(glob string) (rest string, ok bool) {
	if below, home := strings.CutPrefix(glob, "~/"); home {
		if e.Settings.Home == "" {
			return "", false
		}
		glob = filepath.ToSlash(e.Settings.Home) + "/" + below
	}
	return e.Workspace.Inside(glob)
}

func (e *Env) outsideGlob(glob, part string) error {
	if strings.HasPrefix(part, "~/") && e.Settings.Home == "" {
		return answer.Failf(answer.CodeInvalidInput, "the glob %q begins with ~, and there is no home directory", glob)
	}
	relative := "./" + strings.TrimLeft(strings.TrimPrefix(part, "~"), "/")
	return answer.Failf(answer.CodeInvalidInput, "the glob %q is an absolute path outside the root", glob).
		WithHint("globs are relative to path, which is the root by default: %q begins there", relative)
}

// below gives a path relative to the root relative to a folder in it.
func below(folder, path, glob string) (string, error) {
	if folder != "." && path != "" {
		rest, ok := strings.CutPrefix(path+"/", folder+"/")
		if !ok {
			return "", answer.Failf(answer.CodeInvalidInput, "the pattern %q doesn't lie below %q", glob, folder).
				WithHint("omit path, or give the pattern relative to it")
		}
		path = strings.TrimSuffix(rest, "/")
	}
	if path == "" {
		return "**", nil
	}
	return "./" + path, nil
}

// namedGlob is a glob of which some components are names that exist to the letter.
type namedGlob struct {
	asked   string
	glob    string   // its folders at the beginning that exist are quoted
	literal string   // quoted as a whole, if it is the path of something; else ""
	folders []string // that are quoted in glob
}

// named looks at the beginning of a glob for names that have the signs of a glob in them. One that
// is a path as a whole may be meant as a glob as well.
func (e *Env) named(folder, glob string) namedGlob {
	n := namedGlob{asked: glob, glob: glob}
	if !strings.ContainsAny(glob, letterSigns) {
		return n
	}
	parts := strings.Split(glob, "/")
	last := len(strings.Split(strings.TrimRight(glob, "/"), "/")) - 1
	if strings.HasSuffix(glob, "/") {
		last++ // a folder is meant: its name is taken as in "app/[id]/**"
	}
	quoted := slices.Clone(parts)
	at := folder
	for i, name := range parts[:last+1] {
		if i == last && name == "" {
			return n
		}
		if name != "" && name != "." {
			at = words.Under(at, name)
		}
		hasSigns := strings.ContainsAny(name, letterSigns)
		switch {
		case name == "..", !hasSigns && strings.ContainsAny(name, "*?"), (hasSigns || i == last) && !e.exists(at):
			return n
		case i == last:
			quoted[i] = settings.GlobQuote(name)
			return namedGlob{asked: glob, glob: glob, literal: strings.Join(quoted, "/")}
		case hasSigns:
			quoted[i] = settings.GlobQuote(name)
			n.folders = append(n.folders, name)
			n.glob = strings.Join(append(slices.Clone(quoted[:i+1]), parts[i+1:]...), "/")
		}
	}
	return n
}

// exists reports whether there is something, even if a rule denies it.
func (e *Env) exists(path string) bool {
	_, err := e.Workspace.Lstat(pathname.InRoot(path))
	return err == nil || errors.Is(err, fserr.ErrBlocked)
}

// letterSigns are what a glob has and a name may have, except "*" and "?", which match themselves.
const letterSigns = `[{}\`

// globs are the ways in which a glob that finds is read.
func (n namedGlob) globs() []string {
	if n.literal == "" {
		return []string{n.glob}
	}
	if _, err := wildcard.NewBudget().Expand(n.glob); err != nil {
		return []string{n.literal}
	}
	return []string{n.literal, n.glob}
}

// note says of which glob names are taken to the letter, if it has wildcards as well.
func (r *ReadGlobs) note(n namedGlob) {
	if len(n.folders) == 0 || r.Note != "" {
		return
	}
	name := n.folders[0]
	as := strings.Replace(n.asked, name, "{"+name+"}", 1)
	r.Note = words.Phrase("%q is taken as the name of a directory, which exists; %q takes it as a glob", name, as)
}
