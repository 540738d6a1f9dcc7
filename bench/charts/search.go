package main

import "fmt"

// ratio is a bar of the first chart: our time over ripgrep's.
type ratio struct {
	label, unsorted, sorted string // the peers' command lines begin so; sorted is "" if there is none
	work                    string
}

func ratios() []ratio {
	return []ratio{
		{"list *.c by name", "rg --files -g", "", "glob **/*.c"},
		{"literal", "rg -n PM_", "rg -n --sort path", "literal"},
		{"literal in any case", "rg -n -i", "rg -n --sort path", "literal, any case"},
		{"four literals", "rg -n 'ERR", "rg -n --sort path", "four literals"},
		{"regex with a literal", "rg -n '[A-Z]", "rg -n --sort path", "regex with a literal"},
		{"regex without a literal", "rg -n '\\w", "", "regex without a literal"},
		{"first 50 of a frequent word", "rg -n return", "", "first 50 of a frequent word"},
		{"literal in one file of 2 GiB", "rg -n", "", "literal in one file of 2 GiB"},
	}
}

const (
	searchLeft, searchScale = 216.0, 230.0 // pixels: where bars begin, and how long one is that takes as long as ripgrep
	searchTop, searchStep   = 92.0, 40.0
)

// searchChart compares times with those of ripgrep, which is a line: what ends before it is faster.
func searchChart(r *results, t theme) string {
	all := ratios()
	d := &drawing{theme: t, width: 780, height: searchTop + searchStep*float64(len(all)) + 44}
	d.heading("Search: time beside ripgrep's", "Linux sources, 78,000 files. Shorter is faster; results of fsbox come in path order.")
	for i, one := range all {
		d.ratio(r, one, searchTop+searchStep*float64(i))
	}
	line, end := searchLeft+searchScale, searchTop+searchStep*float64(len(all))
	fmt.Fprintf(&d.b, `<path d="M%.1f %.1fV%.1f" stroke="%s" stroke-dasharray="4 3"/>`+"\n", line, searchTop-12, end, d.line)
	d.words(line, searchTop-18, 12, "middle", d.faint, "rg = 1")
	d.legend(end+24, [][2]string{{d.ours, "fsbox, faster than rg"}, {d.slower, "fsbox, slower than rg"},
		{d.peer, "rg --sort path: the same order as ours"}})
	return d.done("Times of searches by fsbox over those of ripgrep")
}

func (d *drawing) ratio(r *results, one ratio, y float64) {
	w := r.work(one.work, one.unsorted)
	ours, theirs := w.number("ours wall"), w.number("peer wall")
	if theirs == 0 {
		return
	}
	d.words(searchLeft-12, y+15, 13, "end", d.ink, one.label)
	colour, share := d.ours, ours/theirs
	if share > 1 {
		colour = d.slower
	}
	d.bar(searchLeft, y, share*searchScale, 15, colour)
	x := searchLeft + max(share, 1)*searchScale + 8
	d.words(x, y+12, 13, "start", d.ink, fmt.Sprintf("%.2f", share))
	d.words(x+38, y+12, 12, "start", d.faint, milliseconds(ours)+", rg "+milliseconds(theirs))
	if one.sorted != "" {
		sorted := r.work(one.work, one.sorted).number("peer wall")
		d.bar(searchLeft, y+17, sorted/theirs*searchScale, 8, d.peer)
	}
}

// legend explains colours in a line.
func (d *drawing) legend(y float64, entries [][2]string) {
	x := 16.0
	for _, e := range entries {
		d.bar(x, y-10, 12, 12, e[0])
		d.words(x+18, y, 12, "start", d.faint, e[1])
		x += 40 + 6.4*float64(len(e[1]))
	}
}
