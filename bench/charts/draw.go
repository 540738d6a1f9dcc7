package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/go-analyze/charts"

	"fsbox/bench/results"
)

// colours are those of a picture. The codes are the escape sequences that a terminal is sent.
type colours struct {
	name, paper, ink, faint string
	bars                    []string
	window, title           string
	codes                   map[string]string
}

func light() colours {
	return colours{name: "light", paper: "#ffffff", ink: "#1f2328", faint: "#59636e", bars: []string{"#0969da", "#b6bfc9", "#8c959f"},
		window: "#f6f8fa", title: "#d1d9e0",
		codes: map[string]string{"31": "#cf222e", "32": "#116329", "33": "#8a5a00", "34": "#0550ae", "35": "#8250df", "36": "#1b7c83"}}
}

func dark() colours {
	return colours{name: "dark", paper: "#0d1117", ink: "#e6edf3", faint: "#9198a1", bars: []string{"#4493f8", "#545d68", "#6e7681"},
		window: "#151b23", title: "#3d444d",
		codes: map[string]string{"31": "#ff7b72", "32": "#3fb950", "33": "#d29922", "34": "#79c0ff", "35": "#d2a8ff", "36": "#56d4dd"}}
}

func (c colours) painter(height int) *charts.Painter {
	theme := charts.ThemeOption{BackgroundColor: charts.ParseColor(c.paper), TextColor: charts.ParseColor(c.ink),
		AxisStrokeColor: charts.ParseColor(c.faint)}
	for _, bar := range c.bars {
		theme.SeriesColors = append(theme.SeriesColors, charts.ParseColor(bar))
	}
	return charts.NewPainter(charts.PainterOptions{OutputFormat: "svg", Width: 780, Height: height, Theme: charts.MakeTheme(theme)})
}

// bars is a chart: for each row a bar of each series.
type bars struct {
	title        string
	rows, series []string
	values       [][]float64 // of each series
	show         charts.ValueFormatter
}

func (b bars) on(p *charts.Painter) error {
	opt := charts.NewBarChartOptionWithSeries(charts.NewSeriesListBar(b.values, charts.BarSeriesOption{
		Label: charts.SeriesLabel{Show: charts.Ptr(true), ValueFormatter: b.show}}))
	opt.Theme, opt.Horizontal = nil, true
	opt.CategoryAxis.Labels = b.rows
	opt.ValueAxis[0].Show, opt.ValueAxis[0].Min = charts.Ptr(false), charts.Ptr(0.0)
	opt.Title = charts.TitleOption{Text: b.title, Offset: charts.OffsetLeft}
	opt.Legend = charts.LegendOption{SeriesNames: b.series, Show: charts.Ptr(len(b.series) > 0), Offset: charts.OffsetRight}
	return p.BarChart(opt)
}

// searchChart compares times with those of ripgrep.
func searchChart(r results.Results, c colours) (string, error) {
	b := bars{title: "Searches, time beside ripgrep's: shorter is faster", series: []string{"fsbox", "rg", "rg --sort path"},
		values: make([][]float64, 3)}
	for _, row := range [][4]string{ // label, work, and how the peers' command lines begin
		{"literal in one file of 2 GiB", "literal in one file of 2 GiB", "rg -n", ""},
		{"first 50 of a frequent word", "first 50 of a frequent word", "rg -n return", ""},
		{"regex without a literal", "regex without a literal", `rg -n '\w`, ""},
		{"regex with a literal", "regex with a literal", "rg -n '[A-Z]", "rg -n --sort"},
		{"four literals", "four literals", "rg -n 'ERR", "rg -n --sort"},
		{"literal in any case", "literal, any case", "rg -n -i", "rg -n --sort"},
		{"literal", "literal", "rg -n PM_", "rg -n --sort"},
		{"list *.c by name", "glob **/*.c, text", "rg --files -g", ""},
	} {
		w, err := find(r, row[1], row[2])
		sorted := charts.GetNullValue()
		if row[3] != "" && err == nil {
			var other results.Work
			other, err = find(r, row[1], row[3])
			sorted = other.Theirs.Wall / w.Theirs.Wall
		}
		if err != nil {
			return "", err
		}
		b.rows = append(b.rows, row[0])
		for i, ratio := range []float64{w.Ours.Wall / w.Theirs.Wall, 1, sorted} {
			b.values[i] = append(b.values[i], ratio)
		}
	}
	b.show = func(ratio float64) string { return fmt.Sprintf("%.2f", ratio) }
	p := c.painter(500)
	return svg(p, b.on(p), "Times of searches by fsbox over those of ripgrep")
}

// callsChart compares servers that stay open: how many reads a second, and how much memory.
func callsChart(r results.Results, c colours) (string, error) {
	rates, peaks := bars{title: "Reads of 2 KiB a second: more is better"}, bars{title: "Peak MiB: less is better"}
	rates.values, peaks.values = make([][]float64, 1), make([][]float64, 1)
	for _, s := range r.Reads {
		if s.AtOnce == 1 && !strings.Contains(s.Name, "--structured") {
			name, _, _ := strings.Cut(strings.Replace(s.Name, "@modelcontextprotocol/server-filesystem", "reference server", 1), " 20")
			rates.rows, peaks.rows = append(rates.rows, name), append(peaks.rows, name)
			rates.values[0], peaks.values[0] = append(rates.values[0], s.Fastest), append(peaks.values[0], s.Peak)
		}
	}
	rates.show, peaks.show = thousands, thousands
	p := c.painter(210)
	left := p.Child(charts.PainterBoxOption(charts.NewBox(0, 0, 390, 210)))
	right := p.Child(charts.PainterBoxOption(charts.NewBox(390, 0, 780, 210)))
	return svg(p, errors.Join(rates.on(left), peaks.on(right)), "Reads a second and memory of fsbox and of the reference MCP server")
}

// svg is a finished picture. Its title is read to those who don't see it.
func svg(p *charts.Painter, err error, title string) (string, error) {
	drawn, bytesErr := p.Bytes()
	head, rest, _ := strings.Cut(string(drawn), ">")
	const form = `%s width="%d" height="%d" role="img"><title>%s</title>%s` + "\n"
	return fmt.Sprintf(form, head, p.Width(), p.Height(), title, rest), errors.Join(err, bytesErr)
}

// thousands writes 12345 as 12,345.
func thousands[N int | float64](n N) string { return humanize.Comma(int64(n)) }
