package hint

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"fsbox/commands/words"
	"fsbox/wildcard"
)

// globSigns are what a glob has and few names have.
const globSigns = "*?[{"

// HasGlob reports whether a path may be meant as a glob.
func HasGlob(path string) bool { return strings.ContainsAny(path, globSigns) }

// HasWildcard reports whether a path is hardly anything but a glob. Brackets and braces are in
// names such as "[id]".
func HasWildcard(path string) bool { return strings.ContainsAny(path, "*?") }

// SplitGlob cuts a glob that was given as a path: the folder that it names, and the glob in it.
func SplitGlob(asked string) (folder, glob string) {
	folder, glob = ".", asked
	for {
		first, rest, more := strings.Cut(glob, "/")
		if !more || HasGlob(first) {
			return folder, glob
		}
		folder, glob = path.Join(folder, first), rest
	}
}

// MeantGlobs are globs that one may be meant as: without blanks and quotes around it, with what a
// regular expression has for wildcards, and with slashes between folders.
func MeantGlobs(glob string) (all []string) {
	plain := strings.TrimSpace(strings.Trim(strings.TrimSpace(glob), "\"'`"))
	regex := strings.TrimSuffix(strings.TrimPrefix(plain, "^"), "$")
	regex = strings.NewReplacer(`\d+`, "[0-9]*", `\d`, "[0-9]", `\w+`, "?*", `\w`, "?", "**", "**", ".*", "*", ".+", "?*", `\.`, ".",
		"(", "{", "|", ",", ")", "}").Replace(regex)
	if strings.Contains(plain, "|") && !strings.Contains(plain, "(") {
		regex = "{" + regex + "}"
	}
	same, _ := wildcard.Dialect(plain)
	for _, meant := range [...]string{Bracketed(glob), plain, same, regex, strings.ReplaceAll(plain, `\`, "/")} {
		if meant != glob && meant != "" && !slices.Contains(all, meant) {
			all = append(all, meant)
		}
	}
	return all
}

// Bracketed is a glob whose brackets and braces are those of a name, such as "[id]".
func Bracketed(glob string) string {
	if strings.Contains(glob, `\`) {
		return glob
	}
	return strings.NewReplacer("[", `\[`, "]", `\]`, "{", `\{`, "}", `\}`).Replace(glob)
}

// MeantPatterns are patterns that one for whole paths may be meant as, the likeliest first: those
// of MeantGlobs, and for a word names that have it at their end or in them; each also at any depth.
func MeantPatterns(pattern string) (all []string) {
	meant := MeantGlobs(pattern)
	if !strings.ContainsAny(pattern, globSigns+"/") {
		meant = append(meant, "*"+pattern, "*"+pattern+"*")
	}
	for _, glob := range meant {
		all = append(all, glob, "**/"+glob)
	}
	return all
}

// OtherDialect says how a pattern is written here that has the form of other programs', "" if it
// hasn't.
func OtherDialect(pattern string) string {
	if same, ok := wildcard.Dialect(pattern); ok {
		return words.Phrase("that syntax isn't supported: use %q", same)
	}
	if hasExtended(pattern) {
		return "patterns such as !(a), +(a) and *(a|b) aren't supported: * ? [abc] {a,b} and ** are"
	}
	if open := strings.IndexByte(pattern, '('); open >= 0 && strings.Contains(pattern[open:], "|") && strings.Contains(pattern[open:], ")") {
		return words.Phrase("alternatives are in braces: use %q", strings.NewReplacer("(", "{", "|", ",", ")", "}").Replace(pattern))
	}
	return ""
}

// GlobForm says what is wrong with the form of a glob that chooses files below a folder, "" if
// nothing seems to be.
func GlobForm(glob, folder string) string {
	parts := strings.FieldsFunc(glob, func(r rune) bool { return strings.ContainsRune(", ;|", r) })
	rest, below := strings.CutPrefix(strings.TrimPrefix(glob, "./"), folder+"/")
	if other := OtherDialect(glob); other != "" {
		return other
	}
	switch {
	case len(parts) > 1 && !strings.Contains(glob, "{"):
		return fmt.Sprintf(`a glob is one pattern: give several as a list, "glob": ["%s"]`, strings.Join(parts, `", "`))
	case below:
		return words.Phrase("globs are relative to path: set glob to %q", rest)
	case strings.HasPrefix(glob, "/"), strings.HasPrefix(glob, "~"):
		return "globs are relative to path, and the root is where path begins: remove what comes before it"
	case strings.HasSuffix(glob, "$"), strings.HasPrefix(glob, "^"), strings.Contains(glob, `\.`):
		return words.Phrase("a glob is not a regular expression: %q matches names by their ending", "*"+lastExt(glob))
	case strings.HasPrefix(glob, ".") && !strings.ContainsAny(glob, "/*?"):
		return words.Phrase("a glob matches whole names: %q matches all that end so", "*"+glob)
	case !strings.ContainsAny(glob, "./*?[{"):
		return words.Phrase("a glob matches whole names: %q matches all that end so, and file_type knows kinds of files", "*."+glob)
	}
	return ""
}

// PatternForm says what is wrong with the form of a pattern for whole paths, "" if nothing seems to
// be.
func PatternForm(pattern string) string {
	parts := strings.FieldsFunc(pattern, func(r rune) bool { return strings.ContainsRune(", ;|", r) })
	switch {
	case len(parts) > 1 && !strings.ContainsAny(pattern, "{(") && (strings.Count(pattern, "*") > 1 || areAllPaths(parts)):
		return words.Phrase("a pattern is one glob: write several as %q", "{"+strings.Join(parts, ",")+"}")
	case strings.Contains(pattern, "{") && strings.Contains(pattern, ", "):
		return words.Phrase("a blank in braces is part of the name: %q has none", strings.ReplaceAll(pattern, ", ", ","))
	case strings.HasSuffix(pattern, "/") && HasGlob(pattern):
		return "a slash at the end means directories: set type to any to find them, or remove it"
	case strings.HasPrefix(pattern, "!") && !strings.HasPrefix(pattern, "!("):
		return words.Phrase("a pattern says what to find and excludes nothing: \"**/*\" finds all, and the glob of grep takes %q", pattern)
	case strings.HasSuffix(pattern, "$"), strings.HasPrefix(pattern, "^"):
		return words.Phrase("a pattern is a glob, not a regular expression: %q finds names by their ending", "**/*"+lastExt(pattern))
	case strings.HasPrefix(pattern, "~"), strings.HasPrefix(pattern, "file:"), strings.HasPrefix(pattern, "$"):
		return "a pattern is relative to path, which is the root by default: remove what comes before it"
	}
	return ""
}

// hasExtended reports whether a pattern has a choice of ksh and bash that has no other form here.
// "*(1)" is more often part of a name.
func hasExtended(pattern string) bool {
	for i := range pattern {
		choice, _, closed := strings.Cut(pattern[i+1:], ")")
		sign := pattern[i]
		isChoice := sign == '!' || sign == '+' || sign == '*' && strings.Contains(choice, "|")
		if isChoice && closed && strings.HasPrefix(choice, "(") {
			return true
		}
	}
	return false
}

func areAllPaths(parts []string) bool {
	return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(part, "/") })
}

// lastExt is the ending that a regular expression for names asks for, ".*" if none.
func lastExt(regex string) string {
	if ext := path.Ext(strings.TrimRight(strings.ReplaceAll(regex, `\`, ""), "$")); ext != "" {
		return ext
	}
	return ".*"
}
