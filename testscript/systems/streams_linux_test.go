package systems

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// shared is a folder in use through several mounts.
type shared struct {
	*testing.T
	*sharedMount
	base    string
	changes int // through all mounts together
	faults  int // of each kind
	servers *servers

	sent  atomic.Int64
	users []*user
	ended atomic.Bool // all faults have been
}

// user has one of the mounts, and sends one request after the other.
type user struct {
	*shared
	number int
	mount  *exec.Cmd // has a mount namespace, and lives as long as it

	cmd     *exec.Cmd // fsbox; nil before it is started
	in      io.WriteCloser
	answers *bufio.Scanner

	answered, unknown, refused []string // the lines that were to be added
}

// untilAllIsRemoved is how long after a change on SMB the next call removes for good what comes back.
const untilAllIsRemoved = 61 * time.Second

// changesOfFile is after how many changes others files are changed, so that they stay small.
const changesOfFile = 200

// run lets every user work at the same time, and compares what is there afterwards with what they
// were answered.
func (s *shared) run() {
	for i, mount := range s.mounts {
		cmd := s.servers.ofClient(i, inMount(s.T, s.base, mount, "echo mounted && cat; umount mnt"))
		s.users = append(s.users, &user{shared: s, number: i, mount: cmd})
	}
	var wait sync.WaitGroup
	for _, u := range s.users {
		wait.Go(u.work)
	}
	if s.faults > 0 {
		s.disturb()
	}
	s.ended.Store(true)
	wait.Wait()
	text := s.read()
	if strings.HasPrefix(s.name, "SMB") && strings.Contains(text, hiddenOld) { // the last changes have left it: later ones remove it
		time.Sleep(untilAllIsRemoved)
		for i, mount := range s.mounts {
			out, err := s.inMount(mount, "fsbox -C mnt --allow-write --state-dir "+s.users[i].stateDir()+" mkdir last; rmdir mnt/last; umount mnt").Output()
			if err != nil {
				s.Errorf("%v: %s", err, out)
			}
		}
		text = s.read()
	}
	s.compare(text)
}

// hiddenOld begins the name of a file that was replaced on SMB.
const hiddenOld = "\n.fsbox-txn-"

// read gives the lines of all files, and the names of the files.
func (s *shared) read() string {
	last := s.mounts[len(s.mounts)-1]
	out, err := s.inMount(last, "ls -A mnt | grep -v fsbox | sed s,^,mnt/, | xargs cat; ls -A mnt; umount mnt").Output()
	if err != nil {
		s.Fatal(err)
	}
	return string(out)
}

// inMount is like the function, in the network of the servers.
func (s *shared) inMount(mount, command string) *exec.Cmd {
	return s.servers.enter(inMount(s.T, s.base, mount, command), network)
}

// compare counts each line of the files.
func (s *shared) compare(text string) {
	count := map[string]int{}
	for line := range strings.Lines(text) {
		count[strings.TrimSuffix(line, "\n")]++
	}
	var answered, unknown, refused, wrong int
	for _, u := range s.users {
		answered, unknown, refused = answered+len(u.answered), unknown+len(u.unknown), refused+len(u.refused)
		wrong += s.expect(count, u.answered, 1, 1) + s.expect(count, u.unknown, 0, 1) + s.expect(count, u.refused, 0, 0)
	}
	conflicts := 0 // what was put aside under another name
	for line := range count {
		if strings.Contains(line, ".fsbox-conflict-") {
			conflicts++
		}
		if line != "end" && !strings.HasPrefix(line, "edited") && !strings.HasPrefix(line, "appended") {
			if !strings.HasPrefix(line, ".fsbox-") { // a hidden file isn't a change that was lost
				wrong++
			}
			s.tellOf()("%q is there, and nobody has written it", line)
		}
	}
	s.Logf("%d changes answered, %d unknown, %d refused, %d conflict files", answered, unknown, refused, conflicts)
	s.setRow(answered, wrong, refused, unknown)
	if answered < s.changes/2 && s.faults == 0 {
		s.Error("less than half of them succeeded")
	}
}

// The tables of systemsPage with the results of streams, and of those with faults.
const (
	streamsHeader = "| system | Linux | date | changes answered | lost, or made twice | refused | `committed: \"unknown\"`, or no answer |"
	faultsHeader  = "| system | Linux | date | faults of each kind | changes answered | lost, or made twice | refused | `committed: \"unknown\"`, or no answer |"
)

// setRow writes what was counted into the page.
func (s *shared) setRow(counts ...int) {
	if !s.isServed() {
		return
	}
	header := streamsHeader
	if s.faults > 0 {
		header, counts = faultsHeader, slices.Insert(counts, 0, s.faults)
	}
	row := fmt.Sprintf("| %s | %s | %s |", s.name, linux(s.T), time.Now().Format(time.DateOnly))
	for _, n := range counts {
		row += message.NewPrinter(language.English).Sprintf(" %d |", n)
	}
	setRow(s.T, header, 2, row)
}

// inUserMode ends the version of a kernel in user mode.
const inUserMode = " in user mode"

// debianKernel has the version of a kernel whose release Debian 12 only calls 6.1.0.
var debianKernel = regexp.MustCompile(`Debian (\d+\.\d+\.\d+)`)

// linux is the version of the kernel, without what its builder has added.
func linux(t *testing.T) string {
	var name unix.Utsname
	cpu, err := os.ReadFile("/proc/cpuinfo")
	if err = cmp.Or(err, unix.Uname(&name)); err != nil {
		t.Fatal(err)
	}
	version := strings.FieldsFunc(unix.ByteSliceToString(name.Release[:]), func(r rune) bool { return r == '-' || r == '+' })[0]
	if built := debianKernel.FindSubmatch(name.Version[:]); built != nil {
		version = string(built[1])
	}
	if bytes.Contains(cpu, []byte("User Mode Linux")) {
		version += inUserMode
	}
	return version
}

// tellOf tells of a change that was lost, which is a failure unless check warns of the mount.
func (s *shared) tellOf() func(format string, args ...any) {
	if s.doubt {
		return s.Logf
	}
	return s.Errorf
}

// expect takes lines out of count, and returns how many of them were not there as often as wanted.
func (s *shared) expect(count map[string]int, lines []string, least, most int) (wrong int) {
	for _, line := range lines {
		if n := count[line]; n < least || n > most {
			wrong++
			s.tellOf()("%q is there %d times, want %d to %d", line, n, least, most)
		}
		delete(count, line)
	}
	return wrong
}

// work adds lines to two files in turn, to one by edits and to both by appends, until all have been
// sent and nothing goes wrong any more.
func (u *user) work() {
	hold, _ := u.mount.StdinPipe()
	told, _ := u.mount.StdoutPipe()
	var complaints bytes.Buffer
	u.mount.Stderr = &complaints
	if err := u.mount.Start(); err != nil {
		u.Error(err)
		return
	}
	defer u.mount.Wait()
	defer hold.Close()
	if _, err := told.Read(make([]byte, len("mounted\n"))); err != nil {
		u.Errorf("%s: %v: %s", u.mounts[u.number], err, complaints.Bytes())
		return
	}
	const after = 8 // requests after the last fault, so that what it has left is cleaned up
	for i, more := 0, after; more > 0; i++ {
		sent := int(u.sent.Add(1))
		if sent > u.changes && u.ended.Load() {
			if more--; more == after-1 && strings.HasPrefix(u.name, "SMB") {
				time.Sleep(untilAllIsRemoved) // each of the calls then looks for some
			}
		}
		file := min(sent, u.changes) / changesOfFile
		line := fmt.Sprintf("edit %d of %d", i, u.number)
		if i%2 == 0 {
			u.ask(line, "edit", map[string]any{"path": fmt.Sprint("edited", file), "expected_text": "end\n", "replacement_text": line + "\nend\n"})
			continue
		}
		to := map[int]string{1: "appended", 3: "edited"}[i%4]
		line = fmt.Sprintf("append %d of %d", i, u.number)
		u.ask(line, "append", map[string]any{"path": fmt.Sprint(to, file), "content": line + "\n"})
	}
	if u.cmd != nil {
		u.in.Close()
		_ = u.cmd.Wait() // it says whether a request has failed
	}
}

// start starts fsbox in the namespaces of the mount.
func (u *user) start() error {
	of := func(kind string) string { return fmt.Sprintf("--%s=/proc/%d/ns/", kind, u.mount.Process.Pid) }
	u.cmd = exec.CommandContext(u.Context(), "nsenter", of("mount")+"mnt", of("pid")+"pid_for_children", "fsbox", "-C", u.base+"/mnt",
		"--allow-write", "--state-dir", u.stateDir(), "batch")
	u.in, _ = u.cmd.StdinPipe()
	out, _ := u.cmd.StdoutPipe()
	u.answers = bufio.NewScanner(out)
	return u.cmd.Start()
}

// refusedPause is how long a user waits after a refusal: a client without a server refuses at once.
const refusedPause = 200 * time.Millisecond

func (u *user) stateDir() string { return fmt.Sprintf("%s/state%d", u.base, u.number) }

// ask sends a request, and keeps its line by what is answered.
func (u *user) ask(line, tool string, input map[string]any) {
	if u.cmd == nil {
		if err := u.start(); err != nil {
			u.Error(err)
			return
		}
	}
	request, _ := json.Marshal(map[string]any{"tool": tool, "input": input})
	fmt.Fprintf(u.in, "%s\n", request)
	if !u.answers.Scan() { // it was killed
		_ = u.cmd.Wait()
		u.cmd = nil
		u.unknown = append(u.unknown, line)
		return
	}
	var answer struct {
		Success, Retryable bool
		Details            struct{ Committed any }
	}
	if err := json.Unmarshal(u.answers.Bytes(), &answer); err != nil {
		u.Error(err)
	}
	switch {
	case answer.Success:
		u.answered = append(u.answered, line)
	case answer.Details.Committed != nil:
		u.Logf("%s: %s", line, u.answers.Bytes())
		u.unknown = append(u.unknown, line)
	default:
		log := u.Logf
		if u.faults == 0 && !u.doubt && !answer.Retryable { // nothing is wrong with the file
			log = u.Errorf
		}
		log("%s: %s", line, u.answers.Bytes())
		u.refused = append(u.refused, line)
		time.Sleep(refusedPause)
	}
}

// disturb makes everything go wrong, one after the other, at any moment.
func (s *shared) disturb() {
	const longest = 20         // s that a network is cut
	stopped := 4 * time.Second // a lock that isn't renewed is free after three
	if s.restart != "" && s.servers == nil {
		stopped = 10 * time.Second
	}
	for i := range s.faults {
		for _, u := range s.users[:2] {
			s.moment()
			u.signal(unix.SIGKILL)
			s.moment()
			u.signal(unix.SIGSTOP)
			time.Sleep(stopped)
			u.signal(unix.SIGCONT)
			if s.restart == "" {
				continue
			}
			s.moment()
			s.shell(cutNetwork, 1+i%longest, u.number+1)
		}
		if s.restart != "" {
			s.moment()
			s.shell(s.restart, i%5, 0)
		}
	}
}

// moment waits for up to two seconds: some changes are made meanwhile.
func (s *shared) moment() { time.Sleep(rand.N(2 * time.Second)) }

func (s *shared) shell(script string, arguments ...int) {
	args := []string{"-c", script, "sh"}
	if s.servers != nil {
		args = []string{"-c", `cd "$0" && ` + script, s.servers.dir}
	}
	for _, a := range arguments {
		args = append(args, strconv.Itoa(a))
	}
	cmd := exec.Command("sh", args...)
	if s.servers != nil {
		cmd = s.servers.enter(cmd, network, mounts, processes)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		s.Errorf("%s: %v: %s", script, err, out)
	}
}

// signal sends a signal to the user's fsbox, if it has one at the moment. When that is stopped,
// nsenter stops as well, and has to go on too.
func (u *user) signal(signal unix.Signal) {
	all, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range all {
		text, _ := os.ReadFile(file)
		args := strings.Split(string(text), "\x00")
		if filepath.Base(args[0]) != "fsbox" && signal != unix.SIGCONT || !strings.Contains(string(text), "\x00"+u.stateDir()+"\x00") {
			continue
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		_ = unix.Kill(pid, signal) // it may have ended
	}
}
