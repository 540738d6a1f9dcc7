package limits

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"fsbox/testscript"
)

// mostPeak is what a request within the limits may take in these tests, in KiB: 56 MiB. The
// program promises 64, so that one that comes near its promise fails before it breaks it.
const mostPeak = 56 << 10

// counts is how often the same request comes in a row, and how often at once.
type counts struct{ inBatch, atOnce int }

var (
	allCalls = counts{4, 24}
	fewCalls = counts{2, 8} // mcp carries no more than eight out at the same time
)

// peaks is fsbox-peaks ARGS...: each request of stdin, a line {"name":…,"tool":…,"input":…}, alone,
// four times in a batch and 24 times at once by mcp, each in a process with ARGS; a "#" in the input
// is the number of the time. With -few in front of ARGS it is twice and eight times. It prints the
// peaks of memory in KiB and the code of the answers. It fails if one is more than 56 MiB, or if an
// answer isn't the same as the one alone.
func peaks(args []string) (status int) {
	in, times := bufio.NewReader(os.Stdin), allCalls
	if len(args) > 0 && args[0] == "-few" {
		args, times = args[1:], fewCalls
	}
	for {
		line, err := in.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 && !times.showPeaks(args, line) {
			status = 1
		}
		if err != nil {
			return status
		}
	}
}

// peakRequest is one line for peaks. Name is what it is called in the table.
type peakRequest struct {
	Name  string
	Tool  string
	Input json.RawMessage
}

// way is how a request reaches the program: the command, what comes before the requests, each of
// them, and how many there are.
type way struct {
	args  []string
	head  string
	each  func(number int) string
	times int
}

func (r *peakRequest) ways(times counts) []way {
	input := func(n int) string { return strings.ReplaceAll(string(r.Input), "#", strconv.Itoa(n)) }
	return []way{
		{[]string{r.Tool, "-"}, "", input, 1},
		{[]string{"batch"}, "", func(n int) string { return fmt.Sprintf(`{"tool":%q,"input":%s}`, r.Tool, input(n)) }, times.inBatch},
		{[]string{"mcp", "--structured"}, initializeMCP, func(n int) string {
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, n, r.Tool, input(n))
		}, times.atOnce},
	}
}

const initializeMCP = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"elicitation":{}},` +
	`"clientInfo":{"name":"x","version":"1"}}}` + "\n"

// showPeaks prints a line of the table for a request, and reports whether all is well with it.
func (times counts) showPeaks(args []string, line []byte) bool {
	var r peakRequest
	if err := json.Unmarshal(line, &r); err != nil {
		panic(err)
	}
	var wrong []string
	row, first := fmt.Sprintf("%-36s", r.Name), ""
	for _, w := range r.ways(times) {
		outcomes, kib := w.run(args)
		if first == "" {
			first = outcomes[0]
		}
		if want := slices.Repeat([]string{first}, w.times); !slices.Equal(outcomes, want) {
			wrong = append(wrong, fmt.Sprintf("%s answered %q", w.args[0], outcomes))
		}
		if kib > mostPeak {
			wrong = append(wrong, fmt.Sprintf("%s took %d KiB, more than %d", w.args[0], kib, mostPeak))
		}
		row += fmt.Sprintf(" %6d", kib)
	}
	fmt.Println(row, first, strings.Join(wrong, "; "))
	return wrong == nil
}

// run carries the requests out in one process. It gives the code of each answer, "ok" for none,
// and the most memory that the process took, in KiB.
func (w way) run(args []string) (outcomes []string, kib int) {
	program := exec.Command("fsbox-frugal", slices.Concat(args, w.args)...)
	program.Env = append(os.Environ(), testscript.PeakVariable+"=1")
	var stderr strings.Builder
	program.Stderr = &stderr
	toServer, _ := program.StdinPipe()
	fromServer, _ := program.StdoutPipe()
	if err := program.Start(); err != nil {
		panic(err)
	}
	answered := make(chan bool)
	go func() { // mcp takes the end of stdin for the end of the session
		defer toServer.Close()
		io.WriteString(toServer, w.head)
		for i := range w.times {
			io.WriteString(toServer, w.each(i+1)+"\n")
		}
		if w.head != "" {
			<-answered
		}
	}()
	outcomes = readOutcomes(fromServer, w.times, w.head != "")
	close(answered)
	io.Copy(io.Discard, fromServer) // what becomes of questions that nobody answered
	_ = program.Wait()              // the answers tell how it ended
	fmt.Sscanf(stderr.String(), "peak %d", &kib)
	return outcomes, kib
}

var (
	codeInAnswer = testscript.WhenUsed(`"error":("[a-z_]+"|\{"code":-\d+)`)
	codeInText   = testscript.WhenUsed(`"text":"(?:\[[^"]*?\]\\n)?([a-z_]+): .*"isError":true`)
	idOfAnswer   = testscript.WhenUsed(`"id":0,`)
	question     = testscript.WhenUsed(`"method":"elicitation/create"`)
)

// readOutcomes reads so many answers. Those of batch end at the end of the program. A question to
// the person at a client counts as the answer of a client that can't ask.
func readOutcomes(from io.Reader, times int, isMCP bool) (outcomes []string) {
	in := bufio.NewReaderSize(from, 1<<20)
	for len(outcomes) < times {
		line, err := in.ReadBytes('\n')
		switch code := codeInAnswer().Find(line); {
		case err != nil:
			return append(outcomes, "end")
		case isMCP && len(outcomes) == 0 && idOfAnswer().Match(line[:min(len(line), 40)]):
		case code != nil:
			outcomes = append(outcomes, string(code))
		case isMCP && codeInText().Match(line):
			outcomes = append(outcomes, `"error":"`+string(codeInText().FindSubmatch(line)[1])+`"`)
		case question().Match(line):
			outcomes = append(outcomes, `"error":"approval_required"`)
		default:
			outcomes = append(outcomes, "ok")
		}
	}
	return outcomes
}
