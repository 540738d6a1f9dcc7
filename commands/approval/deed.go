package approval

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"fsbox/commands/command"
	"fsbox/commands/words"
	"fsbox/sandbox/disk/stat"
)

// deed is what a plan does to one path.
type deed struct {
	kind        deedKind
	noun        string // file, folder, symbolic link or the like
	path, to    string // to is where a move or a copy leads
	below       bool   // it is in a folder of another deed
	names       int    // in a folder
	size        int64  // bytes of a file
	plus, minus int    // lines
	unseen      bool   // there is more of it than lines
	from, end   int    // its part of the text of the diff
}

// deedKind is a kind of deeds. A question has them in this order, what can't be seen afterwards
// first.
type deedKind int

const (
	deedDelete deedKind = iota
	deedReplace
	deedChange
	deedCreate
	deedMove
	deedCopy
)

// String is the word for a kind, with the blank after it.
func (k deedKind) String() string {
	return [...]string{"delete ", "replace ", "change ", "create ", "move ", "copy "}[k]
}

// A question says folder, as people do, where messages say directory.
const nounFile, nounFolder = "file", "folder"

// noun is the word of questions for a type of info.
func noun(kind string) string {
	if kind == "directory" {
		return nounFolder
	}
	return words.Kind(kind)
}

// deedOf is what becomes of a file of which a dry run has told.
func deedOf(f command.ChangedFile) deed {
	d := deed{kind: deedChange, noun: nounFile, path: f.Path, names: f.Entries}
	if f.Kind != 0 {
		d.noun = noun(command.TypeName(f.Kind))
	}
	switch {
	case f.Removed:
		d.kind = deedDelete
	case f.From != "" && f.From != f.Path:
		d.kind, d.path, d.to = deedMove, f.From, f.Path
	case f.Created || f.Kind != 0:
		d.kind = deedCreate
	}
	return d
}

// addDeed adds a deed, or what it knows more of one that is there already: an undo tells twice of
// what it removes.
func (p *Plan) addDeed(d deed) {
	key := deed{kind: d.kind, path: d.path, to: d.to}
	at, known := p.deedAt[key]
	switch {
	case !known:
		p.deedAt[key] = len(p.deeds)
		p.deeds = append(p.deeds, d)
	case p.deeds[at].from == p.deeds[at].end:
		d.names = max(d.names, p.deeds[at].names)
		p.deeds[at] = d
	}
}

// finishDeeds adds the deeds that neither the diff nor a list of what goes has told of, and sorts
// all.
func (p *Plan) finishDeeds() {
	covered := map[string]bool{}
	for _, d := range p.deeds {
		if d.kind != deedReplace {
			covered[d.path], covered[d.to] = true, true
		}
	}
	switch paths := p.Proposal.Paths; {
	case p.Source != "" && !covered[p.Source]: // over another file
		p.transfer(p.Source, p.Over)
	case p.Whole && len(p.Read) == 1 && len(paths) == 1:
		p.transfer(p.Read[0], paths[0])
	case p.Whole && len(paths) == 2:
		p.transfer(paths[0], paths[1])
	case p.Undoes == "":
		for _, path := range paths {
			if !covered[path] {
				p.addDeed(p.plainDeed(path))
			}
		}
	}
	for i := range p.deeds {
		p.complete(&p.deeds[i])
	}
	p.deedAt = nil
	slices.SortStableFunc(p.deeds, func(a, b deed) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(number(a.below), number(b.below)))
	})
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

// complete adds what the look at the paths has found: an undo doesn't tell what it moves.
func (p *Plan) complete(d *deed) {
	if found := p.found[d.path]; d.kind == deedMove && found.Type != "" {
		d.noun = found.noun()
	}
	if d.noun == nounFolder {
		d.names = max(d.names, p.entries[d.path])
	}
}

// transfer adds a move, or a copy if the source is only read.
func (p *Plan) transfer(from, to string) {
	d := p.plainDeed(from)
	if d.kind, d.to = deedMove, to; p.reads(from) {
		d.kind = deedCopy
	}
	p.addDeed(d)
}

// plainDeed is a deed of which only the path is known: a folder is made, or there is something
// already.
func (p *Plan) plainDeed(path string) deed {
	found := p.found[path]
	if found.Type == "" {
		return deed{kind: deedCreate, noun: nounFolder, path: path}
	}
	return deed{kind: deedChange, noun: found.noun(), path: path, size: found.Size}
}

func (t TakenPath) noun() string { return noun(t.Type) }

func takenPath(path string, info stat.Info) TakenPath {
	one := TakenPath{PathName: words.PathOf(path), Type: info.Type()}
	if info.Mode.IsRegular() {
		one.Size = info.Size
	}
	return one
}

// summary says what a plan will do, and how much: "delete 1 file, change 2 (+10 -13)". It has at
// most so many columns.
func (p *Plan) summary(columns int) string {
	plus, minus := 0, 0
	for _, d := range p.deeds {
		plus, minus = plus+d.plus, minus+d.minus
	}
	tail := ""
	if plus+minus > 0 {
		tail = " (+" + amount(plus) + " -" + amount(minus) + ")"
	}
	if text := p.counts(len(p.deeds)+1) + tail; words.Columns(text) <= columns {
		return text
	}
	return p.counts(1) + tail
}

// maxOutlined is how many deeds are named in Effect.
const maxOutlined = 3

// outline says what a plan will do: a few deeds by their names, many by their number.
func (p *Plan) outline() string {
	if len(p.deeds) > maxOutlined || p.unlisted > 0 {
		return p.summary(math.MaxInt)
	}
	return strings.Join(words.Mapped(p.deeds, func(d deed) string { return d.sentence(math.MaxInt) + d.facts(math.MaxInt) }), ", ")
}

// amount is a number of lines, rounded if it is very large.
func amount(n int) string {
	if n >= 1e6 {
		return strconv.Itoa(n/1e6) + "M"
	}
	return strconv.Itoa(n)
}

// counts counts the deeds of each kind and noun: the first so many in words, the others together.
func (p *Plan) counts(most int) string {
	type group struct {
		kind deedKind
		noun string
	}
	var order []group
	count := map[group]int{}
	for _, d := range p.deeds {
		g := group{d.kind, d.noun}
		if count[g]++; count[g] == 1 {
			order = append(order, g)
		}
	}
	var parts []string
	rest := p.unlisted
	for i, g := range order {
		switch n := count[g]; {
		case i >= most:
			rest += n
		case i > 0 && g.kind == order[i-1].kind:
			parts = append(parts, words.Plural(int64(n), g.noun))
		case i > 0 && g.noun == order[0].noun:
			parts = append(parts, fmt.Sprintf("%v%d", g.kind, n))
		default:
			parts = append(parts, g.kind.String()+words.Plural(int64(n), g.noun))
		}
	}
	if rest > 0 {
		parts = append(parts, words.Int(int64(rest))+" more")
	}
	return strings.Join(parts, ", ")
}

// command says what is done to what kind, with the blank after it.
func (d deed) command() string {
	if d.noun != nounFile {
		return d.kind.String() + d.noun + " "
	}
	return d.kind.String()
}

// sentence names a deed: "delete old.txt". Each path takes at most so many columns.
func (d deed) sentence(columns int) string {
	text := d.command()
	if text += shortened(shownName(d.path), columns); d.to != "" {
		text += " to " + shortened(shownName(d.to), columns)
	}
	return text
}

// isCut reports whether sentence cuts a path.
func (d deed) isCut(columns int) bool {
	return max(words.Columns(shownName(d.path)), words.Columns(shownName(d.to))) > columns
}

// facts is what follows the sentence. shown is how many of the changed lines are.
func (d deed) facts(shown int) string {
	var all []string
	if d.plus > 0 {
		all = append(all, "+"+strconv.Itoa(d.plus))
	}
	if d.minus > 0 {
		all = append(all, "-"+strconv.Itoa(d.minus))
	}
	var facts []string
	switch lines := d.plus + d.minus; {
	case lines > 0:
		if facts = append(facts, strings.Join(all, " ")); shown < lines {
			facts = append(facts, fmt.Sprintf("%d of %d shown", shown, lines))
		}
	case d.noun == nounFolder && d.names > 0:
		facts = append(facts, words.Plural(int64(d.names), "name")+" in it")
	case d.noun == nounFile && d.size > 0:
		facts = append(facts, words.Plural(d.size, "byte"))
	}
	if d.unseen {
		facts = append(facts, "content not shown")
	}
	if len(facts) == 0 {
		return ""
	}
	return " (" + strings.Join(facts, ", ") + ")"
}

// shownName is a path as it is, or quoted if it has something that could be taken for the end of a
// name, or that doesn't show, or if it could be taken for a word: "delete nothing" is no name.
func shownName(path string) string {
	odd := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune("._-/+=@%~#", r)
	}
	isWord := !strings.ContainsAny(strings.TrimRight(path, "."), "./")
	if words.VisibleQuote(path) != `"`+path+`"` || isWord || strings.ContainsFunc(path, odd) {
		return strings.ReplaceAll(words.VisibleQuote(path), cutMark, `\u2026`)
	}
	return path
}
