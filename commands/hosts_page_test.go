package commands

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"fsbox/commands/clients"
	"fsbox/textio"
)

// hostsPage is docs/hosts.md with the table of clients in the code.
func hostsPage(t *testing.T) page {
	t.Helper()
	const name = "docs/hosts.md"
	part := regexp.MustCompile(`(?s)(<!-- generated: clients -->\n)(.*?)(<!-- end -->)`)
	text := readRepository(t, name)
	if !part.MatchString(text) {
		t.Fatalf("%s has no part for the clients", name)
	}
	return page{name, part.ReplaceAllString(text, "${1}"+clientTable()+"${3}")}
}

func clientTable() string {
	var b strings.Builder
	b.WriteString("\n| client | host | one answer has at most |\n|---|---|---|\n")
	for _, c := range clients.Known() {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", c.Name, c.Host, clientBound(c))
	}
	fmt.Fprintf(&b, "| any other | | %s |\n\n", clientBound(clients.Unknown()))
	return b.String()
}

func clientBound(c clients.Client) string {
	if c.Most == 0 {
		return "`max_output_bytes`: the host cuts nothing"
	}
	units := map[textio.Unit]string{textio.Bytes: " bytes", textio.Chars: " characters", textio.JSONChars: " characters of JSON"}
	bound := thousands(c.Most) + units[c.Unit]
	if c.Listed > 0 {
		bound = fmt.Sprintf("%s; %s if the call says that the model is one of OpenAI's", bound, thousands(c.Listed))
	}
	return bound
}

func thousands(n int64) string { return fmt.Sprintf("%d,%03d", n/1000, n%1000) }

// How many rows of a question a client shows is in docs/approval.md as well.
func TestQuestionRowsPage(t *testing.T) {
	page, err := os.ReadFile("../docs/approval.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range clients.Known() {
		if row := fmt.Sprintf("| %s | %d |", c.Host, c.QuestionRows); c.QuestionRows > 0 && !strings.Contains(string(page), row) {
			t.Errorf("there is no %q", row)
		}
	}
}
