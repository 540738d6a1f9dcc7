package grep

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/listing"
	"fsbox/commands/request"
	"fsbox/commands/words"
	"fsbox/search/match"
	"fsbox/textio/anchor"
)

var Command = command.Command{
	Name: "grep", Help: "Search file contents.", Partial: true, New: func() command.Request { return new(Request) },
	Aliases: []string{"search_text", "search", "grep_search", "rg"},
	Implies: []command.Implied{{Alias: "grep_search", Field: "use_regex"}, {Alias: "rg", Field: "use_regex"}},
	Idle:    []string{"explanation", "MatchPerLine"},
	Title:   "Search in files", Results: []answer.Result{(*Result)(nil)},
	Text: "Search file contents for text or a regular expression (regex), in a directory or a file. Skips binary, hidden " +
		"and ignored files.",
	Examples: []string{"fsbox grep TODO", `fsbox grep --use-regex 'func \w+\(ctx' --glob '*.go' -A 2`,
		"fsbox grep -i -w error logs --output-mode counts"},
	Codes: []answer.Code{answer.CodeInvalidRegex, answer.CodeInvalidGlob, answer.CodeInvalidCursor, answer.CodeFileTooLarge,
		answer.CodeIsBinary},
	Remedies: command.Remedies{ForList: request.OnePath + `, or omit path and list them in "glob"`,
		ForGlob: `path is one file or directory, and a glob goes into "glob": {path} glob to {glob}`},
	Extra: "path is one file or directory: omit it and choose files with --glob, or send a request for each; a query with blanks goes " +
		"in quotes",
	FlagHints: []string{"l only the names of files: --output-mode files", "c numbers of matches: --output-mode counts",
		"rR directories are searched recursively anyway", "H each match has its file and line anyway",
		"a binary files are counted, not searched", "t files of one type: --file-type go", "g files by name: --glob '*.go'",
		"eEP a regular expression, in RE2 syntax: --use-regex", "F the query is literal text anyway, without --use-regex",
		"m at most so many matches: --max-matches, or --max-matches-per-file", "U across lines: --multiline --use-regex",
		"u ignored files, too: --no-ignore, and --include-hidden", "S any case: -i",
		"o the answer says where in the line the match is: match_start, match_end and submatches",
		"vL lines and files without a match can't be listed", "q no match is a success, too: see files_matched in the answer",
		"s what can't be read is listed under skipped anyway"},
}

// Request searches file contents.
type Request struct {
	Query             string   `arg:"" optional:"" need:"" json:"query" aliases:"pattern" help:"Text, or with use_regex a regular expression."`
	Path              string   `arg:"" optional:"" json:"path" default:"." help:"File or directory to search."`
	Glob              []string `json:"glob" sep:"none" aliases:"include,include_pattern,file_pattern" placeholder:"GLOB" help:"Files to search: *.go at any depth, src/**/*.go; !*_test.go excludes."`
	UseRegex          bool     `json:"use_regex" help:"query is a regular expression (RE2: no lookaround)."`
	CaseSensitive     bool     `json:"case_sensitive" default:"true" negatable:"" help:"Match case."`
	IgnoreCase        bool     `json:"-i" name:"ignore-case" short:"i" habit:"case_sensitive" help:"Same as --no-case-sensitive."`
	AnyCase           *bool    `json:"ignoreCase" name:"ignoreCase" habit:"!case_sensitive" hidden:"" help:"The opposite of case_sensitive."`
	FixedStrings      *bool    `json:"fixed_strings" habit:"!use_regex" hidden:"" help:"The opposite of use_regex."`
	RespectGitIgnore  *bool    `json:"respect_git_ignore" habit:"!no_ignore" hidden:"" help:"The opposite of no_ignore."`
	NamesOnly         bool     `json:"names_only" habit:"output_mode" hidden:"" help:"Same as --output-mode files."`
	LineNumber        bool     `json:"-n" name:"line-number" short:"n" habit:"" hidden:"" help:"No effect: each match has its file and line anyway."`
	WholeWord         bool     `json:"whole_word" short:"w" aliases:"-w" help:"Whole words only."`
	Multiline         bool     `json:"multiline" help:"Let matches span lines; . matches newlines too."`
	Before            int64    `json:"before" rare:"" default:"0" short:"B" aliases:"-B" cap:"context" placeholder:"N" help:"Lines to show before each match."`
	After             int64    `json:"after" rare:"" default:"0" short:"A" aliases:"-A" cap:"context" placeholder:"N" help:"Lines to show after each match."`
	Context           int64    `json:"context" default:"0" short:"C" aliases:"-C" cap:"context" placeholder:"N" help:"Lines around each match."`
	Anchors           bool     `json:"anchors" help:"Show the anchor of each match, for edit."`
	MaxMatches        int64    `json:"max_matches" default:"50" cap:"results" aliases:"head_limit,limit,total_max_matches" placeholder:"N" help:"Maximum matching lines or files."`
	MaxMatchesPerFile int64    `json:"max_matches_per_file" rare:"" default:"0" placeholder:"N" help:"Maximum matching lines per file; 0 means no limit."`
	OutputMode        string   `json:"output_mode" default:"matches" oneof:"matches,files,counts,content=matches,files_with_matches=files,count=counts" placeholder:"WORD" help:"matches (default), files (paths only) or counts (lines per file)."`
	FileType          []string `json:"file_type" sep:"none" aliases:"type" placeholder:"TYPE" help:"Type of file: go, py, js, ts, ..."`
	IncludeHidden     bool     `json:"include_hidden" help:"Include dotfiles."`
	NoIgnore          bool     `json:"no_ignore" help:"Include ignored files."`
	Cursor            string   `json:"cursor" placeholder:"CURSOR" help:"Last page's next_cursor."`
	Print0            bool     `json:"-" name:"print0" help:"With --output-mode files, print only the paths, each followed by a NUL byte (for xargs -0)."`
}

// PrintsNul reports whether the paths alone are asked for.
func (g *Request) PrintsNul() bool { return g.Print0 }

// CheckGiven refuses print0 where the answer is no list of files.
func (g *Request) CheckGiven(map[string]bool) *answer.Failure {
	if g.Print0 && g.OutputMode != "files" {
		return answer.Failf(answer.CodeInvalidInput, "print0 is for lists of files").WithHint("add --output-mode files")
	}
	return nil
}

// TakeHabits puts names_only into output_mode, which it stands for.
func (g *Request) TakeHabits(given map[string]bool) *answer.Failure {
	if g.NamesOnly {
		g.OutputMode, given["output_mode"] = "files", true
	}
	return nil
}

// Result is one page of results: matches, files or counts, depending on output_mode.
type Result struct {
	Query         string           `json:"query"`
	UseRegex      bool             `json:"use_regex"`
	OutputMode    string           `json:"output_mode"`
	FilesSearched int64            `json:"files_searched"`
	FilesMatched  int64            `json:"files_matched"`
	FilesCapped   int64            `json:"files_capped,omitzero"` // files with more than max_matches_per_file
	Matches       Matches          `json:"matches,omitzero"`
	Files         []string         `json:"files,omitzero"`
	ExactNames    []words.PathName `json:"exact_names,omitzero"` // of files that aren't UTF-8
	Counts        []Count          `json:"counts,omitzero"`
	listing.PageEnd
	answer.LeftOut
	listing.Unread
	brief     bool  // it goes out beside the text form
	context   bool  // lines around the matches are asked for
	multiline bool  // matches are counted, not lines
	left      left  // after a page of counts
	readable  int64 // how many characters of a line read can show
}

// left is what a search has after a page of counts that is full.
type left struct {
	files, matches int64
	isPart         bool      // there may be more
	until          time.Time // when to stop counting
}

// text says how much it is; "" if it isn't known.
func (l *left) text() string {
	if l.files == 0 {
		return ""
	}
	least := ""
	if l.isPart {
		least = "at least "
	}
	return least + words.Plural(l.files, "more file") + " with " + words.Plural(l.matches, "match")
}

// Match is one matching line, or one match of a multiline search. Offsets count code points
// from the start of the line.
type Match struct {
	File         string   `json:"file" mcp:"if"`        // over MCP, absent if it is the same as in the previous match
	PathBase64   string   `json:"path_base64,omitzero"` // the exact name of file, if it isn't UTF-8
	Line         int64    `json:"line"`
	Anchor       string   `json:"anchor,omitzero"`        // of the line
	EndLine      int64    `json:"end_line,omitzero"`      // of a match that spans lines
	Snippet      string   `json:"snippet"`                // the line, or all lines of a match that spans several; at most 200 code points
	SnippetStart *int     `json:"snippet_start,omitzero"` // offset in the line, if the snippet is only a part of it
	MatchStart   int      `json:"match_start" mcp:"-"`    // offset in the line of its first match
	MatchEnd     int      `json:"match_end" mcp:"-"`
	Submatches   [][2]int `json:"submatches,omitzero" mcp:"-"` // start and end of every match that begins in the snippet, if there are several

	SubmatchesTruncated bool `json:"submatches_truncated,omitzero" mcp:"-"` // the line has more matches

	Before     []string `json:"before,omitzero"` // context lines, each cut to its first 200 code points; over MCP, without those shown with another match
	After      []string `json:"after,omitzero"`
	ContextCut bool     `json:"context_cut,omitzero"` // a line of before or after was cut
	anchored   *anchor.Lines
	dropped    bool // lines of context are left out, since the match alone fills a page
}

// Paths are the files of the page, byte for byte.
func (r *Result) Paths() []string { return r.Files }

// LongList is the list whose items are made one by one.
func (r *Result) LongList() answer.Items {
	if r.brief {
		return briefMatches{r.Matches}
	}
	return r.Matches
}

// Count is the number of matching lines in a file, or of matches in a multiline search.
type Count struct {
	File       string `json:"file"`
	PathBase64 string `json:"path_base64,omitzero"` // the exact name of file, if it isn't UTF-8
	Count      int64  `json:"count"`
}

// Run searches a folder, or the one file that path names.
func (g *Request) Run(ctx context.Context, env *command.Env) (answer.Result, error) {
	if g.UseRegex {
		if err := awaitSlow(ctx, env); err != nil {
			return nil, err
		}
	}
	matcher, err := g.compile()
	if err != nil {
		return nil, err
	}
	page, err := g.page(env)
	if err != nil {
		return nil, err
	}
	tally, err := page.search(ctx, matcher)
	timedOut, err := page.EndOfWalk(tally, err)
	if err != nil {
		return nil, err
	}
	if timedOut && page.CutBy != "" { // it was counting what is left
		timedOut, page.result.left.isPart = false, true
	}
	result := page.finish(tally, timedOut)
	result.Next = cmp.Or(page.nothingHint(ctx), page.plainHint(), page.also.hint(result), page.letter)
	return result, nil
}

// maxLiteral is the longest query that is no regular expression, in bytes.
const maxLiteral = 64 << 10

func (g *Request) compile() (*match.Matcher, error) {
	if strings.Contains(g.Query, "\n") && !g.UseRegex && !g.Multiline {
		return nil, answer.Failf(answer.CodeInvalidInput, "%q spans lines", "query").WithHint("set multiline, or search for one of its lines")
	}
	if !g.UseRegex && len(g.Query) > maxLiteral {
		return nil, answer.Failf(answer.CodeInvalidInput, "%q is longer than 65,536 bytes", "query").
			WithHint("search for a part of the text: a line of it is enough")
	}
	if g.Query == "" {
		return nil, answer.Failf(answer.CodeInvalidInput, "%q is empty", "query").WithHint("every line would match; use read or ls")
	}
	return match.Compile(g.query())
}

func (g *Request) query() match.Query {
	return match.Query{Text: g.Query, Regex: g.UseRegex, IgnoreCase: g.ignoresCase(), WholeWord: g.WholeWord, Multiline: g.Multiline}
}

// with is the same search for another query.
func (g *Request) with(q match.Query) Request {
	other := *g
	other.Query, other.UseRegex, other.WholeWord, other.Multiline = q.Text, q.Regex, q.WholeWord, q.Multiline
	other.CaseSensitive, other.IgnoreCase = !q.IgnoreCase, false
	return other
}

// ignoresCase combines the two flags that mean the same.
func (g *Request) ignoresCase() bool { return g.IgnoreCase || !g.CaseSensitive }

// Summary says how much was found.
func (r *Result) Summary() string {
	more := r.More()
	if r.TruncatedBy == "timeout" {
		more = " before time ran out"
	}
	switch r.OutputMode {
	case "files":
		return fmt.Sprintf("found %s%s", words.Plural(int64(len(r.Files)), "matching file"), more)
	case "counts":
		if left := r.left.text(); left != "" {
			more = ", and there are " + left
		}
		return fmt.Sprintf("counted matches in %s%s", words.Plural(int64(len(r.Counts)), "file"), more)
	}
	thing := "matching line"
	if r.multiline {
		thing = "match"
	}
	return fmt.Sprintf("found %s in %s%s", words.Plural(int64(len(r.Matches)), thing), words.Plural(r.FilesMatched, "file"), more)
}

func (r *Result) AddLogStats(m *command.LogStats) {
	m.AddList("matches", len(r.Matches)+len(r.Files)+len(r.Counts), r.Truncated)
}

// searchTakes is what the buffers of a search take, in bytes.
const searchTakes = 4 << 20

// MemoryEstimate says that a multiline search holds a whole file in memory.
func (g *Request) MemoryEstimate() (times, more int) {
	if g.Multiline {
		return command.HeldWhole, 0
	}
	return 0, searchTakes
}
