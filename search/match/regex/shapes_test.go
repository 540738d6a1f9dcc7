package regex

import (
	"slices"
	"strings"
	"testing"

	"fsbox/search/match/literal"
)

// checkShapes holds that each matching line of a text has every shape that is known of the
// expression, and that the finder for the rarest ones comes by it.
func checkShapes(t *testing.T, e *Expr, text string, matching []int) {
	t.Helper()
	lines := strings.Split(text, "\n")
	if e.code != nil && len(e.code.nodes) <= maxShapeNodes {
		for _, shape := range newShaper(e.code).all() {
			for _, n := range matching {
				if !fits(&shape, "\n"+lines[n]+"\n") {
					t.Fatalf("%+v: the line %q hasn't the shape %+v", e.query, lines[n], shape)
				}
			}
		}
	}
	passed := candidates(e, []byte(text+"\n"))
	for _, n := range matching {
		if len(e.Needs) > 0 && !slices.Contains(passed, n) {
			t.Fatalf("%+v: line %d isn't looked at in %q", e.query, n, text)
		}
	}
}

func fits(s *literal.Shape, line string) bool {
	for first := 0; first+len(s.Places) <= len(line); first++ {
		i := 0
		for i < len(s.Places) && s.Places[i].Has(line[first+i]) {
			i++
		}
		if i == len(s.Places) {
			return true
		}
	}
	return false
}

// candidates gives the numbers of the lines in which Needs find something.
func candidates(e *Expr, text []byte) (numbers []int) {
	for _, f := range e.Needs {
		for from := 0; from < len(text); {
			at, _ := f.Find(text, from)
			if at < 0 {
				break
			}
			numbers = append(numbers, strings.Count(string(text[:at]), "\n"))
			from = nextLine(text, at)
		}
	}
	return numbers
}

// TestShapes holds for which expressions shapes are looked for.
func TestShapes(t *testing.T) {
	if literal.MaxTexts() <= literal.MaxFinders {
		t.Skip("there is no kernel for shapes")
	}
	for expr, want := range map[string]bool{
		`[0-9]{4}[-/.][0-9]{2}[-/.][0-9]{2}`:             true,
		`[a-z]+[0-9] [a-z]+[0-9] [a-z]+|[A-Z]+[0-9] x?Y`: true,
		`^[A-Z][a-z]+ [a-z]+$`:                           true,
		`[A-Z]\s*$`:                                      true,
		`\w{5}\s+\w{5}`:                                  false, // in nearly every line
		`[A-Z][0-9]|.`:                                   false, // an alternative without a shape
		`\pL+[0-9]`:                                      false, // too large
		`[0-9]*`:                                         false, // in every line
	} {
		tree, err := parse(Query{Text: expr})
		if err != nil {
			t.Fatal(err)
		}
		if got := len(literal.SearchShapes(shapesOf(tree, false))) > 0; got != want {
			t.Errorf("%s: %v, want %v", expr, got, want)
		}
	}
	if s := newShaper(mustBytecode(t, `(?m:a\b\x{1a}$)`)).all(); !fits(&s[0], "\na\xff\r\n") || fits(&s[0], "\na\xff \n") {
		t.Errorf("%+v", s)
	}
}

func mustBytecode(t *testing.T, expr string) *bytecode {
	t.Helper()
	code, err := newBytecode(expr, false)
	if err != nil || code == nil {
		t.Fatal(expr, err)
	}
	return code
}
