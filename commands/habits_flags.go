package commands

import "strings"

// flagHabit says what does the work of a short flag that ls, grep, rg, cat, rm or cp has, "" for
// any other. They aren't accepted: some mean another thing here, and nobody would notice.
func flagHabit(command, flag string) string {
	for _, h := range flagHabits(command) {
		letters, hint, _ := strings.Cut(h, " ")
		if len(flag) == 2 && flag[0] == '-' && strings.IndexByte(letters, flag[1]) >= 0 {
			return hint
		}
	}
	return ""
}

// flagHabits are letters, a blank, and what to do instead.
func flagHabits(command string) []string {
	switch command {
	case "ls":
		return []string{"l every entry has its type, size and time anyway; for people: --format text", "t the newest first: --sort modified",
			"S the largest first: --sort size", "R all below the folder: --recursive", "aA names that begin with a dot: --include-hidden",
			"r the order can't be turned round; --sort is path, modified or size", "1 one path a line: --format text",
			"d to describe the folder itself: fsbox info", "niF ls has no such flag: it says type, size and time of each entry"}
	case "grep":
		return []string{"l only the names of files: --output-mode files", "c numbers of matches: --output-mode counts",
			"rR folders are searched with all below them anyway", "nH each match has its file and line anyway",
			"a binary files are counted, not searched", "t files of one type: --file-type go", "g files by name: --glob '*.go'",
			"eEP a regular expression, in RE2 syntax: --use-regex", "F the query is literal text anyway, without --use-regex",
			"m at most so many matches: --max-matches, or --max-matches-per-file", "U across lines: --multiline --use-regex",
			"u ignored files, too: --no-ignore, and --include-hidden", "S any case: -i", "o where in the line each match is says submatches",
			"vL lines and files without a match can't be asked for", "s what can't be read is listed under skipped anyway"}
	case "glob":
		return []string{"t files, folders or both: --type file|directory|any", "aH names that begin with a dot: --include-hidden",
			"Iu ignored names, too: --no-ignore", "i case counts in patterns: [aA] is either", "n the name is the argument: fsbox glob '**/*.go'",
			"l fsbox ls gives sizes and times", "r folders at any depth are **/ in the pattern"}
	case "read":
		return []string{"n line numbers: --line-numbers; how many lines: --max-lines", "N line numbers: --line-numbers",
			"c so many bytes: --max-bytes", "l so many lines: --max-lines", "arbe as bytes: --encoding base64; with their line ends: --raw"}
	case "edit":
		return []string{"i the file itself is changed anyway; to see the change first: --dry-run", "g every place: --replace-all", "n to see the change first: --dry-run",
			"erE the text is exact, no regular expression: --expected-text and --replacement-text"}
	case "mkdir":
		return []string{"p missing parents are made anyway"}
	case "delete":
		return []string{"rR a folder with all in it: --recursive", "f delete never asks, and a missing path is not_found", "iv to see what would go: --dry-run"}
	case "copy", "move":
		return []string{"rRa a folder goes with all in it anyway", "f to replace what has the name: --overwrite", "n nothing is replaced without --overwrite",
			"iv to see what would happen: --dry-run", "p parents are made, and mode and times kept, anyway"}
	}
	return nil
}
