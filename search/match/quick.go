package match

// quickHits gives an offset in each matching line of a batch, as far as the automaton can tell: ok
// is false if it can't.
func (m *Matcher) quickHits(batch []byte, buf *Buffers) (hits []int, ok bool) {
	if m.quick == nil || m.thrashes.Load() {
		return nil, false
	}
	a := buf.automaton.prepare(m.quick)
	if buf.hits, ok = a.find(batch, buf.hits[:0]); !ok {
		m.giveUp(a)
	}
	return buf.hits, ok
}

// lineMayMatch reports whether a line, or a piece of one, may match: it is false only if the
// automaton finds no match.
func (m *Matcher) lineMayMatch(line []byte, buf *Buffers) bool {
	hits, ok := m.quickHits(validText(line, &buf.valid), buf)
	return !ok || len(hits) > 0
}

// giveUp frees the memory of an automaton with too many states. If it read few bytes for each
// state, it is not used again; if very few, RE2 isn't either.
func (m *Matcher) giveUp(a *automaton) {
	if a.isWasteful(minReuse) {
		m.thrashes.Store(true)
	}
	if a.isWasteful(minReuseRE2) {
		m.explodes.Store(true)
	}
	a.drop()
}
