package main

import (
	"errors"
	"fmt"
	"strings"

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

// theme is that of charts.
func (c colours) theme() charts.ColorPalette {
	theme := charts.ThemeOption{BackgroundColor: charts.ParseColor(c.paper), TextColor: charts.ParseColor(c.ink),
		AxisStrokeColor: charts.ParseColor(c.faint)}
	for _, bar := range c.bars {
		theme.SeriesColors = append(theme.SeriesColors, charts.ParseColor(bar))
	}
	return charts.MakeTheme(theme)
}

// searchChart compares times with those of ripgrep, as a picture. Its title is read to those who
// don't see it.
func searchChart(r results.Results, c colours) (string, error) {
	var rows []string
	ratios := make([][]float64, 3)   // of fsbox, rg, and rg that sorts
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
		rows = append(rows, row[0])
		for i, ratio := range []float64{w.Ours.Wall / w.Theirs.Wall, 1, sorted} {
			ratios[i] = append(ratios[i], ratio)
		}
	}
	opt := charts.NewBarChartOptionWithSeries(charts.NewSeriesListBar(ratios, charts.BarSeriesOption{
		Label: charts.SeriesLabel{Show: charts.Ptr(true), ValueFormatter: func(ratio float64) string { return fmt.Sprintf("%.2f", ratio) }}}))
	opt.Theme, opt.Horizontal = nil, true
	opt.CategoryAxis.Labels = rows
	opt.ValueAxis[0].Show, opt.ValueAxis[0].Min = charts.Ptr(false), charts.Ptr(0.0)
	opt.Title = charts.TitleOption{Text: "Searches, time beside ripgrep's: shorter is faster", Offset: charts.OffsetLeft}
	opt.Legend = charts.LegendOption{SeriesNames: []string{"fsbox", "rg", "rg --sort path"}, Offset: charts.OffsetRight}
	const width, height = 780, 500
	p := charts.NewPainter(charts.PainterOptions{OutputFormat: "svg", Width: width, Height: height, Theme: c.theme()})
	err := p.BarChart(opt)
	drawn, bytesErr := p.Bytes()
	head, rest, _ := strings.Cut(string(drawn), ">")
	const form = `%s width="%d" height="%d" role="img"><title>Times of searches by fsbox over those of ripgrep</title>%s` + "\n"
	return fmt.Sprintf(form, head, width, height, rest), errors.Join(err, bytesErr)
}
