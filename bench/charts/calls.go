package main

// callsChart compares servers that stay open: how many reads a second, and how much memory.
func callsChart(r *results, t theme) string {
	servers := [][2]string{
		{"fsbox batch", "fsbox batch"}, {"fsbox mcp", "fsbox mcp"}, {"reference MCP server", "@modelcontextprotocol/server-filesystem"},
	}
	d := &drawing{theme: t, width: 780, height: 216}
	d.heading("One process, many calls", "Reads of a file of 2 KiB, one after another; the peak of memory.")
	most, largest := 0.0, 0.0
	for _, s := range servers {
		row := r.server(s[1], "1")
		most, largest = max(most, row.number("reads a second")), max(largest, row.number("peak MiB"))
	}
	d.words(180, 84, 13, "start", d.faint, "reads a second: more is better")
	d.words(524, 84, 13, "start", d.faint, "MiB: less is better")
	for i, s := range servers {
		row, y, colour := r.server(s[1], "1"), 98+36*float64(i), d.ours
		if i == len(servers)-1 {
			colour = d.peer
		}
		d.words(168, y+16, 13, "end", d.ink, s[0])
		d.measure(180, y, 230, row.number("reads a second"), most, colour)
		d.measure(524, y, 190, row.number("peak MiB"), largest, colour)
	}
	return d.done("Reads a second and memory of fsbox and of the reference MCP server")
}

// measure is a bar with its figure; the longest has the width.
func (d *drawing) measure(x, y, width, value, longest float64, colour string) {
	if longest == 0 {
		return
	}
	length := width * value / longest
	d.bar(x, y, length, 22, colour)
	d.words(x+length+8, y+16, 13, "start", d.ink, thousands(value))
}
