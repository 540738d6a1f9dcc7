package sandbox

// What tests outside of the package look at besides.
const MaxPath = maxPath

var Join = join

// Parsed is a path of a request, checked as text.
type Parsed struct {
	Asked  string
	Names  []string
	Folder bool // it ended in a slash
}

// ParserAt checks paths as text in a workspace with this root, as given and as resolved.
func ParserAt(given, real string) func(path string) (Parsed, error) {
	w := finder{given: given, real: func() string { return real }}
	return func(path string) (Parsed, error) {
		r, err := w.parse(path)
		return Parsed{r.asked, r.names, r.folder}, err
	}
}
