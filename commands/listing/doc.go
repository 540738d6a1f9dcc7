// Package listing is what ls, glob and grep share, and read and undo in part: cursors
// (cursor.go), how much a page holds and what was left out (state.go), a page of what a walk
// found, in path order or by time or size (page.go), and how one of its entries is written
// (found.go).
//
// # A walk
//
// What goes through a directory and has one answer, without pages, does it so:
//
//	p := &listing.WalkPage{PageState: listing.NewPage(env, 0, ""), Env: env, Sort: "path"}
//	var err error
//	if p.Where, err = env.ScopeOf(path); err != nil {
//		return nil, err
//	}
//	defer p.Where.Close()
//	o := p.Options(includeHidden, noIgnore)
//	o.Recursive = true
//	tally, err := p.Walk(ctx, o, func(e walk.Entry) error { ... })
//	if late, fail := p.EndOfWalk(tally, err); late || fail != nil {
//		return nil, p.Where.Fail(cmp.Or(fail, err))
//	}
//	tally = p.FinishWalk(tally, false)
//
// The function visits each name in path order, as walk.Entry describes it: directories, links and
// blocked names, too. Hidden and ignored ones are counted in the tally, and not visited. It opens a
// file within Ask, by env.Workspace.OpenFile(e.Path), and lists one that can't be read by SkipPath,
// with p.Where.Shown(e.Path), the path as the caller writes it. Unread are both kinds of what could
// not be read. If late, time ran out: a command that is Partial goes on, with FinishWalk(tally,
// late), and its Result has PageEnd, made by End.
//
// # What a list leaves out
//
// By name or type: in Options.Want. By size or time: Info, in the function that visits, before it
// calls TakeEntry. In ls that is in Run (commands/ls/ls.go), in glob it is visit, and lookUp for a
// path that the pattern names to the letter (both in commands/glob/page.go). What is left out isn't
// taken, but noted by NoteEntry like any other:
//
//	if e.Wanted {
//		info, err := p.Info(e)
//		switch {
//		case errors.Is(err, walk.ErrStop):
//			return err
//		case err == nil && isLeftOut(info):
//			e.Wanted = false
//		}
//	}
//
// Options.Inform has walkers ask ahead. Fingerprint of the request (ls.go, and page.go of glob) has
// every field that decides what is on the list: a new one ends cursors of older versions, and
// changes those in scripts (-update). The hints for an empty list (nothing.go of glob) look for
// names without such a filter.
package listing
