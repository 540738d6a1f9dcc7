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

// The table of clients in docs/hosts.md is the one in the code. After a change that is meant: go
// test ./commands -run HostsPage -update
func TestHostsPage(t *testing.T) {
	const name = "../docs/hosts.md"
	page, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	part := regexp.MustCompile(`(?s)(<!-- generated: clients -->\n)(.*?)(<!-- end -->)`)
	text := strings.ReplaceAll(string(page), "\r", "")
	if !part.MatchString(text) {
		t.Fatalf("%s has no part for the clients", name)
	}
	now := part.ReplaceAllString(text, "${1}"+clientTable()+"${3}")
	switch {
	case now == text:
	case !*update:
		t.Errorf("%s has another table than package clients; if that is meant: go run ./packaging fresh", name)
	default:
		err = os.WriteFile(name, []byte(now), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
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
