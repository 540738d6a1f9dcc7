package anchor

// Counts tells of the lines of a text which are there only once. It takes 256 KiB, whatever the
// text: a line that shares its place in the table with another counts as being there more often,
// which is so for 1 % of the lines of a text of 10,000.
type Counts struct {
	seen [slots / 32]uint64 // two bits for each slot: none, once, more often
}

const slots = 1 << 20

// place is where the count of a line is: a word of seen, and how far its two bits are shifted.
func (c *Counts) place(h Hash) (word *uint64, shift uint64) {
	slot := mixed(h.sum) % slots
	return &c.seen[slot/32], slot % 32 * 2
}

func (c *Counts) add(h Hash) {
	if word, shift := c.place(h); *word>>shift&3 < 2 {
		*word += 1 << shift
	}
}

// tells reports whether a line is told from all others by its text.
func (c *Counts) tells(h Hash) bool {
	if c == nil {
		return true
	}
	word, shift := c.place(h)
	return h.text >= enough && *word>>shift&3 == 1
}

// Context gives the lines of a text their IDs, one after the other from the first. Without Counts
// each line has the ID of its text alone.
//
// A line that is there only once has the ID of its text, wherever it moves and whatever is around
// it. The ID of any other line also depends on the lines above it up to the nearest one that is
// there only once: so it is told from the same line in another block, and gets another ID only if
// these lines change.
type Context struct {
	Counts *Counts
	above  uint64 // a hash of those lines
}

// ID is that of the next line.
func (c *Context) ID(h Hash) ID {
	if c.Counts.tells(h) {
		c.above = mixed(h.sum)
		return h.id(0)
	}
	id := h.id(c.above)
	c.above = mixed(c.above*prime + h.sum)
	return id
}
