package info

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/request"
	"fsbox/commands/words"
	"fsbox/sandbox"
	"fsbox/sandbox/disk/openfile"
	"fsbox/textio"
)

var Command = command.Command{
	Name: "info", Help: "Describe a path.", New: func() command.Request { return new(Request) },
	Aliases: []string{"get_path_info", "get_file_info"},
	Title:   "Describe a path", Results: []answer.Result{(*Result)(nil)},
	Text:     "Show if a path exists, and its type, size, time and etag; for text also encoding, line endings, line count and indentation.",
	Examples: []string{"fsbox info src/main.go", "fsbox info --hash dist/app.tar.gz"},
	Extra:    request.OnePath,
}

// Request describes a path.
type Request struct {
	Path     string `arg:"" optional:"" json:"path" default:"." help:"File or directory."`
	Hash     bool   `json:"hash" rare:"" help:"Add the file's SHA-256."`
	Absolute bool   `json:"absolute" rare:"" help:"Add the absolute path on this host."`
}

// Result says what is at a path. If nothing is there, everything except the path itself is null
// or absent.
type Result struct {
	words.PathName
	Exists           bool          `json:"exists"`
	Type             *string       `json:"type"`     // file, directory, symlink, other, null
	Size             *int64        `json:"size"`     // bytes
	Modified         *float64      `json:"modified"` // seconds since 1970
	Mode             *string       `json:"mode"`     // octal
	IsReadable       bool          `json:"is_readable"`
	IsWritable       bool          `json:"is_writable"`                 // by the file's permissions, whatever --allow-write says
	LinkTarget       *string       `json:"link_target,omitzero"`        // target of a symlink, relative to the root
	LinkTargetBase64 string        `json:"link_target_base64,omitzero"` // the exact name, if it isn't UTF-8
	Target           **LinkedInfo  `json:"target,omitzero"`             // of a symlink; null if the target doesn't exist
	HardLinks        *uint64       `json:"hard_links,omitzero"`
	Etag             *string       `json:"etag"` // of a file, else null
	Text             *textio.Facts `json:"text,omitzero"`
	MediaType        *string       `json:"media_type,omitzero"`
	SHA256           *string       `json:"sha256,omitzero"`
	AbsolutePath     *string       `json:"absolute_path,omitzero"`

	nextStep string
}

// NextStep names paths that may have been meant instead of a missing one.
func (r *Result) NextStep() string { return r.nextStep }

// LinkedInfo says what a symlink leads to.
type LinkedInfo struct {
	words.PathName
	Type string `json:"type"`
}

// Run describes the path, and if it is a file also its content.
func (i *Request) Run(ctx context.Context, env *command.Env) (answer.Result, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	asked, err := env.Workspace.Clean(i.Path)
	if err != nil {
		return nil, err
	}
	stat, file, err := env.Workspace.Look(i.Path)
	if err != nil {
		return nil, err
	}
	r := &Result{PathName: words.PathOf(asked), Exists: stat.Exists}
	if i.Absolute {
		r.AbsolutePath = words.OrNull(filepath.Join(env.Workspace.Root(), filepath.FromSlash(asked)))
	}
	switch {
	case file != nil:
		defer file.Close()
		return r, i.lookInside(ctx, env, r, stat, file)
	case stat.Exists:
		r.describe(stat)
	default:
		r.nextStep = env.MeantHint(ctx, asked)
	}
	env.WarnIf(stat.Exists && stat.Mode.IsRegular(), "the file can't be read: no etag, no text facts")
	return r, nil
}

func (r *Result) describe(s *sandbox.Stat) {
	kind, modified, mode := s.Type(), words.Seconds(s.Modified), command.Octal(s.Mode)
	r.Type, r.Size, r.Modified, r.Mode = &kind, &s.Size, &modified, &mode
	r.IsReadable, r.IsWritable = s.Readable, s.Writable
	if kind == "file" {
		r.HardLinks = &s.Links
	}
	if kind == "symlink" {
		var target *LinkedInfo
		if s.Target != nil {
			target = &LinkedInfo{PathName: words.PathOf(s.Target.Path), Type: s.Target.Type()}
		}
		r.LinkTarget, r.LinkTargetBase64, r.Target = &s.LinkTarget, words.Base64(s.LinkTarget), &target
	}
}

// lookInside describes an open file, with what can only be told from the content.
func (i *Request) lookInside(ctx context.Context, env *command.Env, r *Result, stat *sandbox.Stat, f *openfile.File) error {
	content, err := f.ReadUpTo(ctx, env.Limits.MaxReadBytes)
	if err != nil {
		return err
	}
	stat.Info = f.Info // it may have grown past what is read whole
	r.describe(stat)
	etag, err := env.Workspace.ETag(ctx, f, content)
	if err != nil {
		return err
	}
	r.Etag = &etag
	if err := r.classify(f, content); err != nil {
		return err
	}
	if i.Hash {
		return r.hash(ctx, f, content)
	}
	return nil
}

// classify tells text from binary by the first bytes, and describes text that was read whole.
func (r *Result) classify(f *openfile.File, content []byte) error {
	head, err := command.HeadOf(f, content)
	if err != nil {
		return err
	}
	r.MediaType = &head.MediaType
	if !head.Binary && content != nil {
		facts := textio.Describe(content, head.Encoding)
		r.Text = &facts
	}
	return nil
}

func (r *Result) hash(ctx context.Context, f *openfile.File, content []byte) error {
	sum := sha256.New()
	if content != nil {
		sum.Write(content)
	} else if err := f.CopyTo(ctx, sum); err != nil {
		return err
	}
	r.SHA256 = words.OrNull(hex.EncodeToString(sum.Sum(nil)))
	return nil
}

// Summary says what is there.
func (r *Result) Summary() string {
	switch {
	case !r.Exists:
		return fmt.Sprintf("%q does not exist", r.Path)
	case r.Text != nil:
		return fmt.Sprintf("%q is a text file of %s", r.Path, words.Plural(r.Text.Lines, "line"))
	case *r.Type == "file":
		return fmt.Sprintf("%q is a file of %s", r.Path, words.Plural(*r.Size, "byte"))
	case *r.Type == "other":
		return fmt.Sprintf("%q is neither file nor directory", r.Path)
	}
	return fmt.Sprintf("%q is a %s", r.Path, *r.Type)
}

// MemoryEstimate says that info holds a text in memory once.
func (i *Request) MemoryEstimate() (times, more int) { return 1, 0 }

// WriteText writes what is known of a path.
func (r *Result) WriteText(t *answer.Text, a answer.Answer) {
	if r.Exists {
		t.Facts(r)
	} else {
		t.Line("path: ", words.Exact(r.Path))
		t.Line("exists: false")
	}
	t.Note(a.Hint)
}
