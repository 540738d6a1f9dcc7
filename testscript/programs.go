package testscript

import (
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"fsbox/commands"
	"fsbox/commands/answer"
	"fsbox/commands/command"

	"github.com/rogpeppe/go-internal/testscript"
)

// Main is the TestMain of each package of scripts. The binary of its tests is the program as well,
// and the others that scripts run, by their names; programs are more of them.
func Main(m *testing.M, programs map[string]func()) {
	if strings.Contains(filepath.Base(os.Args[0]), ".test") {
		os.Setenv("FSBOX_TIMEOUT", patientTimeout)
		flag.Parse()
		if run := flag.Lookup("test.run"); *update && run.Value.String() == "" {
			_ = run.Value.Set("^(TestScripts|TestDocs)$")
		}
		flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0))) // scripts wait half of their time; -parallel says otherwise
	}
	all := map[string]func(){
		"fsbox":        fsbox,
		"fsbox-faulty": fsboxFaulty, "fsbox-frugal": fsboxFrugal,
		"fsbox-mcp": func() { os.Exit(converse(os.Args[1:])) },
	}
	maps.Copy(all, programs)
	testscript.Main(m, all)
}

func fsbox() {
	Lack()
	os.Exit(runProgram(os.Args[1:]))
}

// fsboxFrugal fails if the program takes too much memory.
func fsboxFrugal() {
	Lack()
	limit, args := frugalLimit(os.Args[1:])
	peak := memoryWatch()
	code := commands.Main(context.Background(), args, os.Stdin, os.Stdout, os.Stderr)
	kib := peak()
	if os.Getenv(PeakVariable) != "" {
		fmt.Fprintf(os.Stderr, "peak %d\n", kib)
	} else if kib > limit {
		took := fmt.Sprintf("took %d KiB of memory, more than %d\n", kib, limit)
		fmt.Print(took)             // no JSON: fails what looks at the answer
		fmt.Fprint(os.Stderr, took) // a stream that leaves calls behind closes its output
		code = 3
	}
	os.Exit(code)
}

func fsboxFaulty() {
	p := commands.Program{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Commands: append(commands.All(), faulty())}
	os.Exit(p.Run(context.Background(), os.Args[1:]))
}

// RunHere runs the program in the process of the tests, where commands.Main would confine that.
func RunHere(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	p := commands.Program{Stdin: stdin, Stdout: stdout, Stderr: stderr, Commands: commands.All()}
	return p.Run(context.Background(), args)
}

// must is a value that can be had unless the program is wrong.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// PeakVariable makes fsbox-frugal tell its peak on stderr, instead of failing.
const PeakVariable = "TESTSCRIPT_PEAK"

// frugalLimit is what fsbox-frugal may take, in KiB.
func frugalLimit(args []string) (kib int, rest []string) {
	mib := 64
	if len(args) > 0 && strings.HasPrefix(args[0], "-mib=") {
		fmt.Sscanf(args[0], "-mib=%d", &mib)
		args = args[1:]
	}
	return mib << 10, args
}

// memoryWatch gives the most memory that this process ever had, in KiB; 0 where that isn't known.
// It must be made before the program runs, since that confines itself.
func memoryWatch() (peak func() int) {
	status, err := os.Open("/proc/self/status")
	return func() (kib int) {
		if err != nil || Emulated() { // what an emulator takes is not known
			return 0
		}
		if _, after, found := strings.Cut(string(must(io.ReadAll(status))), "VmHWM:"); found {
			fmt.Sscan(after, &kib)
		}
		return kib
	}
}

// faulty is a tool with a bug in it, to show what becomes of one.
func faulty() command.Command {
	return command.Command{Name: "faulty", Help: "Index past the end.", New: func() command.Request { return new(faultyRequest) }}
}

type faultyRequest struct{}

func (*faultyRequest) Run(context.Context, *command.Env) (answer.Result, error) {
	var none []int
	return nil, fmt.Errorf("unreachable: %d", none[runtime.NumCPU()])
}
