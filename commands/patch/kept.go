package patch

import (
	"fmt"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/change"
	"fsbox/commands/command"
	"fsbox/commands/request"
	"fsbox/commands/words"
	"fsbox/textio/patch"
)

// Of a patch that fails, what fits is kept for the next calls of the same stream: then only the
// hunks that fail have to be sent again, corrected, with continue_patch. What is kept is parsed,
// and nothing of it is made: together with the corrected part it is planned again from the files as
// they are then, all or nothing.

// bytesOfLine is about what a parsed line of a patch takes besides its text.
const bytesOfLine = 48

// continued is the patch together with what is kept under the ID of the request.
func (p *Request) continued(env *command.Env, parsed *patch.Patch) (*patch.Patch, error) {
	if p.ContinuePatch == "" {
		return parsed, nil
	}
	kept, is := env.Kept.Get(p.ContinuePatch).(*patch.Patch)
	if !is {
		f := answer.Failf(answer.CodeNotFound, "no patch is kept as %q", p.ContinuePatch).WithHint("send the whole patch again")
		if env.Kept == nil {
			f.Hint = "patches are kept in batch and mcp only: send the whole patch"
		}
		return nil, f
	}
	all := kept.With(parsed)
	if added := all.Added(); added > env.Limits.MaxWriteBytes {
		return nil, change.TooMuchAdded(env, added).WithHint(request.HintParts)
	}
	return all, nil
}

// keep keeps what fits of a patch that fails, and says in the failure how to send the rest.
func (p *Request) keep(env *command.Env, f *answer.Failure, parsed *patch.Patch, failed []FailedFile) {
	if env.Kept == nil {
		return
	}
	hunks, sections, corrected := map[int]bool{}, map[*patch.File]bool{}, 0
	if showKeptLines(f, failed) {
		f.Hint = "what was kept of the patch no longer fits, since the files have changed: send the whole patch again"
		p.drop(env)
		return
	}
	for _, file := range failed {
		if file.plan == nil || file.failed > len(file.Hunks) {
			return // not all that fails is known
		}
		for _, h := range file.Hunks {
			hunks[h.Line] = true
		}
		if corrected += len(file.Hunks); len(file.Hunks) == 0 {
			for _, s := range file.plan.Sections {
				sections[s], corrected = true, corrected+1
			}
		}
	}
	rest, count := parsed.Rest(hunks, sections)
	if count == 0 || corrected == 0 {
		return
	}
	id := env.Kept.Put(rest, len(p.Patch)+bytesOfLine*strings.Count(p.Patch, "\n")+p.keptSize(env))
	if id == "" {
		return
	}
	p.drop(env)
	what := words.Plural(int64(count), "hunk")
	call := fmt.Sprintf(`send only what fails, as {"continue_patch": %q, "patch": "..."}: %s that fit are kept for ten minutes`, id, what)
	if count == 1 {
		call = strings.Replace(call, "that fit are kept", "that fits is kept", 1)
	}
	if before, after, found := strings.Cut(f.Hint, "send the patch again"); found {
		f.Hint = before + call + after
	} else {
		f.Hint = strings.TrimSuffix(f.Hint, "; nothing was changed") + "; then " + call
	}
}

// drop forgets what the patch continues, unless it is a preview: then the next call may send it.
func (p *Request) drop(env *command.Env) {
	if !p.DryRun {
		env.Kept.Drop(p.ContinuePatch)
	}
}

// showKeptLines gives hunks that were kept the lines that they had in their own patch. It reports
// whether one of them fails.
func showKeptLines(f *answer.Failure, failed []FailedFile) (fails bool) {
	for _, file := range failed {
		for i := range file.Hunks {
			h := &file.Hunks[i]
			if h.Line <= patch.LaterLines {
				continue
			}
			fails = true
			f.Message = strings.Replace(f.Message, fmt.Sprintf("line %d of the patch", h.Line),
				fmt.Sprintf("line %d of the patch that was kept", h.Line-patch.LaterLines), 1)
			h.Line -= patch.LaterLines
		}
	}
	return fails
}

// keptSize is about what the patch takes that this one continues.
func (p *Request) keptSize(env *command.Env) int {
	kept, is := env.Kept.Get(p.ContinuePatch).(*patch.Patch)
	if !is {
		return 0
	}
	size := 0
	for i := range kept.Files {
		for _, h := range kept.Files[i].Hunks {
			for _, line := range h.Lines {
				size += bytesOfLine + len(line.Text)
			}
		}
	}
	return size
}
