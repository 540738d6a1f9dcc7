package patch

import (
	"bytes"
	"context"
	"unsafe"

	"fsbox/commands/answer"
	"fsbox/commands/change"
	"fsbox/commands/command"
	"fsbox/commands/request"
)

// text reads the patch from the request's own field, from a file or from stdin.
func (p *Request) text(ctx context.Context, env *command.Env) (text []byte, err error) {
	switch {
	case p.Patch != "" && p.PatchFile != "":
		return nil, answer.Failf(answer.CodeInvalidInput, "%q and %q are mutually exclusive", "patch", "patch-file")
	case p.PatchFile != "":
		text, err = change.ContentFile(ctx, env, p.PatchFile, request.MaxPatchBytes)
	case p.Patch == "":
		return nil, answer.Failf(answer.CodeInvalidInput, "%q is missing", "patch").
			WithHint("give the text of a diff; from a shell, --patch-file takes it from a file, and git diff | fsbox patch from stdin")
	default:
		text = p.bytes()
	}
	if err == nil {
		err = answer.AsError(request.CheckPatchSize("the patch", len(text)))
	}
	text = bytes.TrimPrefix(text, []byte(command.ByteOrderMark))
	if err == nil && len(bytes.TrimSpace(text)) == 0 {
		return nil, answer.Failf(answer.CodeInvalidInput, "the patch is empty").WithHint(HintEmptyPatch)
	}
	return text, err
}

// HintEmptyPatch is for a patch without any text.
const HintEmptyPatch = "git diff prints nothing where nothing has changed"

// bytes is the request's own patch, without a copy of what may be long: nobody writes to it.
func (p *Request) bytes() []byte { return unsafe.Slice(unsafe.StringData(p.Patch), len(p.Patch)) }

// LoadText takes the patch into the request.
func (p *Request) LoadText(ctx context.Context, env *command.Env) error {
	text, err := p.text(ctx, env)
	if err == nil {
		p.Patch, p.PatchFile = string(text), ""
	}
	return err
}
