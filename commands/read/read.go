package read

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/request"
	"fsbox/commands/words"
	"fsbox/textio"
)

var Command = command.Command{
	Name: "read", Help: "Read lines of a text file.", New: func() command.Request { return new(Request) },
	Aliases: []string{"read_file", "file_read", "view", "cat"},
	Idle:    []string{"forceReadLargeFiles", "pages", "explanation", "should_read_entire_file"},
	Title:   "Read a file", Results: []answer.Result{(*Result)(nil), (*BytesResult)(nil)},
	Text: "Read lines of a text file. Long files come in pages.",
	Examples: []string{"fsbox read go.mod", "fsbox read src/main.go --start-line 120 --max-lines 40 --line-numbers",
		"fsbox read server.log --start-line -100"},
	Codes: []answer.Code{answer.CodeIsBinary, answer.CodeInvalidEncoding, answer.CodeFileTooLarge, answer.CodeLineOutOfRange,
		answer.CodeInvalidCursor, answer.CodeStale},
	Remedies: command.Remedies{AtFolder: "list it with ls"},
	Extra:    request.OnePath + "; choose the lines with --start-line and --max-lines",
	FlagHints: []string{"n line numbers: --line-numbers; how many lines: --max-lines", "N line numbers: --line-numbers",
		"c so many bytes: --max-bytes", "l so many lines: --max-lines", "arbe as bytes: --encoding base64; with their line ends: --raw"},
}

// Request reads lines of a text file.
type Request struct {
	Path         string    `arg:"" optional:"" need:"" json:"path" help:"File, relative to the root."`
	StartLine    int64     `json:"start_line" default:"1" signed:"" placeholder:"N" help:"First line; -20 reads the last 20."`
	MaxLines     int64     `json:"max_lines" default:"2000" cap:"results" aliases:"limit" placeholder:"N" help:"Maximum lines to read."`
	ViewRange    lineRange `json:"view_range" type:"items" habit:"start_line,max_lines" hidden:"" help:"First and last line, such as [5, 10]; [5, -1] reads to the end."`
	Offset       *int64    `json:"offset" habit:"start_line" hidden:"" help:"First line, counted from 1; 0 also means the first."`
	EndLine      *int64    `json:"end_line" habit:"max_lines" hidden:"" help:"Last line; -1 reads to the end."`
	MaxBytes     int64     `json:"max_bytes" rare:"" default:"51200" cap:"output" placeholder:"N" help:"Maximum bytes to read, rounded down to whole lines."`
	MaxLineChars int64     `json:"max_line_chars" rare:"" default:"2000" zero:"" placeholder:"N" help:"Cut lines longer than this many characters; 0 means no limit besides max_bytes."`
	LineNumbers  bool      `json:"line_numbers" help:"Number each line."`
	Anchors      bool      `json:"anchors" help:"Show each line's anchor, for edit."`
	Encoding     string    `json:"encoding" default:"auto" placeholder:"NAME" help:"auto (BOM, else UTF-8), a name (windows-1252), or base64 for bytes."`
	OnInvalid    string    `json:"on_invalid" rare:"" default:"replace" oneof:"replace,error" placeholder:"WORD" help:"replace (default) shows invalid bytes as U+FFFD; error refuses the file."`
	Raw          bool      `json:"raw" rare:"" help:"Show CRLF as is, not as LF."`
	Cursor       string    `json:"cursor" placeholder:"CURSOR" help:"Last page's next_cursor."`
}

// Result is one page of a file. Line numbers are negative where the file is too long to count
// and was read from its end.
type Result struct {
	words.PathName
	StartLine  int64  `json:"start_line"`
	EndLine    int64  `json:"end_line"` // inclusive; start_line-1 if the page has no lines
	TotalLines *int64 `json:"total_lines"`
	Truncated  bool   `json:"truncated"` // there is more
	// max_lines, max_bytes, max_answer_chars, or max_output_bytes because of the size of
	// clipped_lines
	TruncatedBy    string        `json:"truncated_by,omitzero"`
	NextStartLine  *int64        `json:"next_start_line"`
	NextCursor     string        `json:"next_cursor,omitzero"`
	Content        string        `json:"content"`
	Size           int64         `json:"size"` // of the file, bytes
	Encoding       string        `json:"encoding"`
	EncodingErrors bool          `json:"encoding_errors"`
	named          bool          // the request names the encoding
	remedy         string        // how to see more of clipped lines
	BOM            bool          `json:"bom"`
	EOL            string        `json:"eol"` // lf, crlf, cr, mixed, none
	FinalNewline   *bool         `json:"final_newline,omitzero"`
	ClippedLines   []textio.Clip `json:"clipped_lines"`
	Etag           string        `json:"etag"`
}

// Run reads one page. Files up to max_read_bytes are read whole, for their line count and etag. Of
// larger files only the part for the page is read.
func (r *Request) Run(ctx context.Context, env *command.Env) (answer.Result, error) {
	if r.Cursor != "" && r.StartLine != 1 {
		return nil, answer.Failf(answer.CodeInvalidInput, "%q and %q are mutually exclusive", "cursor", "start_line")
	}
	f, err := env.Workspace.OpenFile(r.Path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if command.IsBase64(r.Encoding) {
		return readBytes(ctx, env, f)
	}
	t, err := command.OpenText(ctx, env, f, r.Encoding)
	if isShown(env, f, err) {
		return readBytes(ctx, env, f)
	}
	if err != nil {
		return nil, err
	}
	page, err := r.page(ctx, t, env.Limits, env.TextRoom())
	if err != nil {
		return nil, err
	}
	r.warnClipped(env, page)
	result, err := r.result(t, page)
	if err == nil {
		result.remedy = r.remedy(env, page)
	}
	return result, err
}

// clipSize is what an entry of clipped_lines takes, in bytes.
const clipSize = len(`{"line":1234567890,"chars":123456},`)

func (r *Request) page(ctx context.Context, t *command.OpenedText, limits request.Limits, room textio.TextRoom) (*textio.Page, error) {
	request := textio.PageRequest{
		StartLine: r.StartLine, MaxLines: int(r.MaxLines), MaxBytes: int(r.MaxBytes),
		MaxLineChars: int(r.MaxLineChars), LineNumbers: r.LineNumbers, Anchors: r.Anchors, Raw: r.Raw,
		Encoding: t.Form.Encoding, BOM: t.Form.BOM, CountLimit: limits.MaxReadBytes,
		MaxAnswer: limits.MaxOutputBytes, ClipSize: clipSize, Text: room,
	}
	place, err := r.place(t, limits.MaxReadBytes)
	if err != nil {
		return nil, err
	}
	if place != nil {
		request.From, request.FromSize = &place.at, place.size
	}
	page, err := textio.ReadPage(ctx, t.Source, t.Size(), request)
	if out, ok := errors.AsType[*textio.LineRangeError](err); ok {
		return nil, command.LineFailure(t.Path, out)
	}
	if err == nil && page.EncodingErrors && r.OnInvalid == "error" {
		hint := "name its encoding, or set on_invalid to replace"
		if t.Form.BOM > 0 { // no other encoding helps
			hint = "the byte order mark says that this is its encoding, so the line is damaged: set on_invalid to replace"
		}
		return nil, answer.Failf(answer.CodeInvalidEncoding, "line %d of %q is not valid %s", page.InvalidLine, t.Path, t.Form.Encoding.Name()).
			WithDetails(&answer.PathDetails{PathName: words.PathOf(t.Path), Line: page.InvalidLine}).
			WithHint("%s", hint)
	}
	return page, err
}

func (r *Request) result(t *command.OpenedText, p *textio.Page) (result *Result, err error) {
	result = &Result{
		PathName: words.PathOf(t.Path), StartLine: p.StartLine, EndLine: p.EndLine, TotalLines: p.TotalLines,
		Truncated: p.Truncated, TruncatedBy: p.TruncatedBy, Content: string(p.Content), Size: t.Size(),
		named: r.Encoding != "auto", Encoding: t.Form.Encoding.Name(), EncodingErrors: p.EncodingErrors, BOM: t.Form.BOM > 0, EOL: p.EOL,
		FinalNewline: p.FinalNewline, Etag: t.Etag, ClippedLines: p.Clipped,
	}
	if p.Next != nil {
		result.NextStartLine = &p.Next.Line
		result.NextCursor, err = cursorOf(t, *p.Next)
	}
	return result, err
}

// NextStep says what to do about bytes that could not be read, and about line ends that don't show.
func (r *Result) NextStep() string {
	var notes []string
	if r.EncodingErrors {
		note := "bytes that aren't " + r.Encoding + " show as U+FFFD; "
		switch {
		case r.BOM:
			notes = append(notes, note+"the byte order mark says that this is its encoding, so these bytes are damaged")
		case r.named:
			notes = append(notes, note+"they are damaged, or the encoding is not the one given")
		default:
			notes = append(notes, note+"name the file's encoding, such as windows-1252")
		}
	}
	if strings.Count(r.Content, "\r") > strings.Count(r.Content, "\r\n") {
		notes = append(notes, `a CR without LF doesn't end a line: an expected text has it as \r`)
	}
	return strings.Join(notes, "; ")
}

// Summary says how much was read.
func (r *Result) Summary() string {
	clipped := ""
	if n := len(r.ClippedLines); n > 0 {
		clipped = fmt.Sprintf(", %d of them cut", n)
	}
	n := r.EndLine - r.StartLine + 1
	if r.TotalLines != nil && r.Truncated {
		return fmt.Sprintf("read %s of %d of %q%s", words.Plural(n, "line"), *r.TotalLines, r.Path, clipped)
	}
	return "read " + words.Plural(n, "line") + " of " + strconv.Quote(r.Path) + clipped
}

func (r *Result) AddLogStats(m *command.LogStats) {
	m.Add("bytes", int64(len(r.Content)))
	m.AddList("lines", int(r.EndLine-r.StartLine+1), r.Truncated)
}

// MemoryEstimate says that read holds a text in memory once, and bytes a second time as base64.
func (r *Request) MemoryEstimate() (times, more int) {
	if command.IsBase64(r.Encoding) {
		return command.HeldWhole, 0
	}
	return 1, 0
}
