package regex

import "bytes"

// lanes is how many parts of a text are read side by side. A single one would wait for its next
// table entry most of the time.
const lanes = 4

// minLane is the shortest part that is worth a lane, in bytes.
const minLane = 1 << 10

// find appends to hits an offset in each matching line of a text, in ascending order. The text is
// valid UTF-8; its lines end at "\n", and what comes after the last one is a line as well. ok is
// false if the states took too much memory: then there is nothing in hits.
func (a *automaton) find(text []byte, hits []int) (_ []int, ok bool) {
	all := a.split(text)
	ok = a.atHead || a.runTogether(&all) // there most lines end early, and each would stop all lanes
	for i := range all {
		ok = ok && a.run(&all[i])
		a.read += all[i].at
	}
	if !ok {
		return nil, false
	}
	for i := range all {
		hits = append(hits, all[i].hits...)
		a.hits[i] = all[i].hits[:0]
	}
	return hits, true
}

// lane is a part of a text that is read on its own: whole lines.
type lane struct {
	text  []byte
	at    int // offset of the next byte in text
	base  int // offset of the lane in the whole text
	state uint32
	ends  bool // the last line of the whole text ends here
	over  bool
	hits  []int
}

// split cuts a text into lanes. The last one, or one with a long line, may take all that is left.
func (a *automaton) split(text []byte) (all [lanes]lane) {
	from, open := 0, true // open: the last line of the whole text is still to come
	for i := range all {
		end := len(text)
		if i < lanes-1 {
			end = from
			if want := (len(text) - from) / (lanes - i); want >= minLane {
				end = nextLine(text, from+want)
			}
		}
		ends := open && (i == lanes-1 || end == len(text) && end > from && text[end-1] != '\n')
		open = open && !ends
		all[i] = lane{text: text[from:end], base: from, state: a.start, hits: a.hits[i][:0], ends: ends}
		from = end
	}
	return all
}

// runTogether reads all lanes side by side, byte by byte, until one of them is at its end. It
// returns false as advance does.
func (a *automaton) runTogether(all *[lanes]lane) bool {
	class := &a.code.class
	limit := a.row(firstState)
	for {
		l0, l1, l2, l3 := &all[0], &all[1], &all[2], &all[3]
		t0, t1, t2, t3 := l0.text[l0.at:], l1.text[l1.at:], l2.text[l2.at:], l3.text[l3.at:]
		n := min(len(t0), len(t1), len(t2), len(t3))
		if n == 0 {
			return true
		}
		t0, t1, t2, t3 = t0[:n], t1[:n], t2[:n], t3[:n]
		s0, s1, s2, s3 := l0.state, l1.state, l2.state, l3.state
		table := a.table
		i := 0
		for ; i < n; i++ {
			n0 := table[s0+uint32(class[t0[i]])]
			n1 := table[s1+uint32(class[t1[i]])]
			n2 := table[s2+uint32(class[t2[i]])]
			n3 := table[s3+uint32(class[t3[i]])]
			if min(n0, n1, n2, n3) < limit {
				break
			}
			s0, s1, s2, s3 = n0, n1, n2, n3
		}
		l0.state, l1.state, l2.state, l3.state = s0, s1, s2, s3
		for k := range all {
			all[k].at += i
			if i < n && !a.advance(&all[k]) {
				return false
			}
		}
	}
}

// run reads a lane to its end. It returns false as advance does.
func (a *automaton) run(l *lane) bool {
	class := &a.code.class
	limit, dead := a.row(firstState), a.row(dead)
	for l.at < len(l.text) {
		s, table, text := l.state, a.table, l.text
		i := l.at
		for i < len(text) {
			next := table[s+uint32(class[text[i]])]
			if next >= limit {
				s = next
				i++
				continue
			}
			if next != dead {
				break
			}
			end := bytes.IndexByte(text[i:], '\n')
			if end < 0 {
				break
			}
			s = a.start
			i += end + 1
		}
		l.state, l.at = s, i
		if i < len(text) && !a.advance(l) {
			return false
		}
	}
	if l.ends && !l.over && a.matchesAtEnd(l.state) {
		l.hits = append(l.hits, l.base+l.at)
	}
	return true
}

// advance reads one byte for which the table may have no state: the line matches, it can't match
// any more, or the state is still to be made. It returns false if there is no memory for more
// states.
func (a *automaton) advance(l *lane) bool {
	b := l.text[l.at]
	next := a.table[l.state+uint32(a.code.class[b])]
	if next == unmade {
		if a.size > maxAutomaton {
			return false
		}
		next = a.step(l.state, b)
	}
	if next >= a.row(firstState) {
		l.state = next
		l.at++
		return true
	}
	if next == a.row(matched) {
		l.hits = append(l.hits, l.base+l.at)
	}
	a.skipLine(l)
	return true
}

// skipLine goes on at the start of the next line. Without a next line, the lane is over.
func (a *automaton) skipLine(l *lane) {
	l.state, l.at = a.start, nextLine(l.text, l.at)
	l.over = l.text[l.at-1] != '\n'
}

// matchesAtEnd reports whether the line matches if it ends here.
func (a *automaton) matchesAtEnd(state uint32) bool {
	next := a.table[state+uint32(a.code.class['\n'])]
	if next == unmade {
		next = a.step(state, '\n')
	}
	return next == a.row(matched)
}

// nextLine gives the start of the line after the one that contains at, or the end of the text.
func nextLine(text []byte, at int) int {
	if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(text)
}
