package commands

import (
	"context"
	"io"
	"reflect"
)

// incoming is one request of a stream, or the reason why it could not be read.
type incoming struct {
	object object
	fail   *Failure
}

// serveObjects answers a stream of JSON objects for one tool, one line each.
func (p Program) serveObjects(ctx context.Context, env *Env, t Tool) int {
	p.stream = true
	in := newFramer(p.Stdin)
	next := func() (r incoming, err error) {
		f, err := in.nextObject()
		if r.fail = f.fail; err != nil || f.fail != nil {
			return r, err
		}
		if r.object, r.fail = parseObject(f.text); r.fail != nil {
			in.giveUpLine(f)
		}
		return r, nil
	}
	tags := tagsRead{}
	status, count := p.serve(ctx, env, t.Name, next, nil, func(r incoming) (answer, bool) {
		c := tags.newCall(t)
		if err := c.decode(r.object); err != nil {
			return env.refused(r.object.id, t.Name, err), true
		}
		return perform(ctx, env, r.object.id, c), true
	})
	if count == 0 && ctx.Err() == nil {
		return p.print(failed(nil, noRequest(t), nil))
	}
	return status
}

// noRequest is the failure for an empty standard input.
func noRequest(t Tool) *Failure {
	c := newCall(t)
	if _, ok := c.request.(textRequest); ok {
		return failf(CodeInvalidInput, "standard input is empty: it holds neither a %s nor a request", t.Name).hint(hintEmptyPatch)
	}
	f := failf(CodeInvalidInput, "standard input holds no request")
	if c.lacksArgument() {
		return f.hint("%s needs arguments: see fsbox %s --help", t.Name, t.Name)
	}
	return f.hint("send {} there, or leave \"-\" out: %s needs no arguments", t.Name)
}

// batchLine is one request of batch.
type batchLine struct {
	Tool  string `json:"tool" need:""`
	Input object `json:"input"`
}

// serveBatch answers one request a line, tools mixed.
func (p Program) serveBatch(ctx context.Context, env *Env, b Batch) int {
	if b.MaxCalls < 0 {
		return p.print(failed(nil, failf(CodeInvalidInput, "%q can't be negative", "max_calls"), nil))
	}
	env.collectLate()
	in := newFramer(p.Stdin)
	next := func() (r incoming, err error) {
		f, err := in.nextLine()
		if r.fail = f.fail; err == nil && f.fail == nil {
			r.object, r.fail = parseNested(f.text, "input")
		}
		return r, err
	}
	calls, tags := 0, tagsRead{}
	status, _ := p.serve(ctx, env, "", next, in.hasLine, func(r incoming) (answer, bool) {
		if calls++; b.MaxCalls > 0 && calls > b.MaxCalls {
			return env.refused(r.object.id, "", callLimit(b.MaxCalls)), false
		}
		return p.answerLine(ctx, env, r.object, tags), true
	})
	return status
}

func callLimit(most int) *Failure {
	return failf(CodeCallLimit, "the limit of %s is reached", plural(int64(most), "call")).hint("start a new session")
}

// answerLine carries out one line of batch.
func (p Program) answerLine(ctx context.Context, env *Env, o object, tags tagsRead) answer {
	var line batchLine
	if err := line.decode(o); err != nil {
		return env.refused(o.id, line.Tool, err)
	}
	t, ok := findToolLoosely(p.Tools, line.Tool)
	if !ok {
		if line.Tool == batchName {
			return env.refused(o.id, line.Tool, failf(CodeUnknownTool, "%q can't be in a line of batch", batchName).hint("give each of its lines a line here"))
		}
		return env.refused(o.id, line.Tool, unknownTool(line.Tool, toolNames(p.Tools)))
	}
	if line.Input.id != nil {
		return env.refused(o.id, line.Tool, failf(CodeInvalidInput, "unknown field %q", "id").hint(`the "id" goes beside "tool"`))
	}
	c := tags.newCall(t)
	if err := c.decode(line.Input); err != nil {
		return env.refused(o.id, line.Tool, err)
	}
	return perform(ctx, env, o.id, c)
}

func (l *batchLine) decode(o object) *Failure {
	for _, m := range o.members {
		switch {
		case m.inner != nil:
			l.Input = *m.inner
		case m.name == "input" && m.value.Kind() != 'n':
			return failf(CodeInvalidInput, "%q must be an object, not %s", m.name, withArticle(kindName(m.value.Kind()))).hint(batchHint)
		case m.name == "tool" && m.value.Kind() == '"':
			l.Tool = wordOf(m.value)
		case m.name == "tool":
			return failf(CodeInvalidInput, "%q must be a string, not %s", m.name, withArticle(kindName(m.value.Kind()))).hint(batchHint)
		case m.name != "input":
			return unknownField(m.name, fieldsOf(reflect.TypeFor[batchLine]()))
		}
	}
	if l.Tool == "" {
		return failf(CodeInvalidInput, "%q is missing", "tool").hint(batchHint)
	}
	return nil
}

// serve reads one request after the other, and answers each before it runs the next. The exit
// status is that of the worst answer. A signal ends it, also while it waits for input. ahead tells
// whether the next request has come in already: then it is read while the one before runs. tool is
// the one that all requests are for, "" if each names its own.
func (p Program) serve(ctx context.Context, env *Env, tool string, next func() (incoming, error), ahead func() bool,
	handle func(incoming) (a answer, more bool)) (status, count int) {
	type item struct {
		incoming
		err error
	}
	want, items := make(chan struct{}, 1), make(chan item, 1)
	defer close(want)
	go func() { // this goroutine may hang in a read for ever; the process ends without waiting for it
		for range want {
			r, err := next()
			items <- item{r, err}
		}
	}()
	want <- struct{}{}
	out := p.output(true)
	for {
		select {
		case <-ctx.Done():
			return max(status, 1), count
		case got := <-items:
			switch {
			case got.err == io.EOF:
				return status, count
			case ctx.Err() != nil: // what was read ahead is not carried out any more
				return max(status, 1), count
			}
			asked := got.err == nil && ahead != nil && ahead()
			if asked {
				want <- struct{}{}
			}
			a, more := answer{}, true
			switch {
			case got.err != nil:
				a, more = failed(nil, failf(CodeIOError, "standard input can't be read: %v", got.err), nil), false
			case got.fail != nil:
				a = env.refused(got.object.id, tool, got.fail)
			default:
				a, more = handle(got.incoming)
			}
			count++
			if err := out.answer(a); err != nil {
				return max(status, 1), count // nobody reads any more: nothing further may be changed
			}
			if status = max(status, a.exitStatus()); !more {
				return status, count
			}
			if !asked {
				want <- struct{}{}
			}
		}
	}
}
