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
// By name or type: in Options.Want. By size or time, such as what is older than a field says: in
// Run of ls (commands/ls/ls.go), and in visit and lookUp of glob (commands/glob/glob.go); a new
// field needs no other source. In the function that visits, before it calls TakeEntry:
//
//	if e.Wanted && r.NewerThan > 0 {
//		info, err := p.Info(e)
//		switch {
//		case errors.Is(err, walk.ErrStop):
//			return err
//		case err == nil && isOlder(info.Modified):
//			e.Wanted = false
//		}
//	}
//
// Any other error is left to TakeEntry, which lists the path under skipped, or takes it for gone.
// In lookUp, which finds a path that the pattern names to the letter, it is a case of its own that
// returns nil, before p.wants. Whole, where the WalkPage is made, has walkers ask ahead: ls sets
// it where the answer has sizes.
//
// What is left out isn't taken, but noted by NoteEntry like any other, so that a cursor continues
// behind it. So count, max_entries and truncated are about what is left. Hidden and ignored names
// are counted as before, and blocked ones are listed by ls if they match. A directory that is left
// out is walked through all the same. A directory has a time of its own, and so does a link: what
// it leads to isn't asked.
//
// Fingerprint, beside the Request, has every field that decides what is on the list: a new one
// ends cursors of older versions, and changes those in scripts (-update). The hint for an empty
// list looks for names without such a filter: there a filter that is set is a case of its own. In
// nothingHint of ls it comes after the case without a hint. In hint of glob it comes after those
// with r.Count, where something was found, and those of p.other and p.blocked, which know better
// why a path that the pattern names isn't listed. Where something was found, deeperHint counts what
// the same pattern finds further below: unless it asks the filter, it would count too much.
//
// Both commands have a line in commands/effects_test.go, where the file crlf is old and all others
// are new. The script is a new file in testscript/search, named by the field: go doc ./testscript
// shows one.
package listing
