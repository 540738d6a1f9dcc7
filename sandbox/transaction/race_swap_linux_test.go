package transaction_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/fixture"

	"golang.org/x/sys/unix"
)

func init() {
	fixture.Children["swap"] = swapForever
}

// swap is two names that another process exchanges while calls are made for path. Beside the root
// is "out" with the same names, and in the root "vault", which the policy denies.
type swap struct {
	name, path, a, b string
	link             string // target of the link among the two
	leads            bool   // a resolver that first checks and then opens can be led outside
	moves            bool   // a is a folder that moves to b, outside, and comes back
}

var swaps = []swap{
	{"directory and link", "d/f", "d", "l", "../out/d", true, false},
	{"directory and absolute link", "d/f", "d", "l", "$OUT/d", true, false},
	{"parent of the parent", "p/d/f", "p", "l", "../out", true, false},
	{"file and link", "d/f", "d/f", "l", "../out/secret", true, false},
	{"file and dangling link", "d/f", "d/f", "l", "../out/nothing", false, false},
	{"directory and dangling link", "d/f", "d", "l", "../out/nothing", false, false},
	{"directory and file", "d/f", "d", "x", "", false, false},
	{"directory and link inside", "d/f", "d", "l", "p/d", false, false},
	{"directory and link to what is denied", "d/f", "d", "l", "vault/d", false, false},
	{"file and link to what is denied", "d/f", "d/f", "l", "vault/d/f", false, false},
	{"directory and link under many ..", "up/f", "p", "l", "$OUT/d", true, false},
	{"root and link", "d/f", ".", "../l", "$OUT", true, false},
	{"directory that moves out", "d/f", "d", "../elsewhere/d", "", false, true},
}

// swapTree makes a root, with the link among the two names.
func swapTree(t testing.TB, s swap) (root string) {
	root = fixture.MakeTree(t, []string{"d/f = inside", "p/d/f = inside", "x = inside", "vault/d/f = " + fixture.Secret, "up => p/../p/../p/../d"})
	for _, name := range []string{"../elsewhere", "../out/p"} {
		disktest.Must(t, os.Mkdir(filepath.Join(root, name), 0o777))
	}
	if s.link != "" {
		disktest.Symlink(t, s.target(root), filepath.Join(root, s.b))
	}
	return root
}

// target is that of the link. If the link is used in folders of different depth, it is absolute.
func (s swap) target(root string) string {
	link := disktest.Expanded(root, s.link)
	if link != "" && !filepath.IsAbs(link) && filepath.Dir(s.a) != "." {
		link = filepath.Join(root, link)
	}
	return link
}

// swapper is the process that exchanges names.
type swapper struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
}

func startSwapper(job raceJob) (*swapper, error) {
	text, err := json.Marshal(job)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(os.Args[0], string(text))
	cmd.Env = append(os.Environ(), fixture.ChildVariable+"=swap")
	cmd.Stderr = os.Stderr
	in, errIn := cmd.StdinPipe()
	out, errOut := cmd.StdoutPipe()
	return &swapper{cmd, in, bufio.NewScanner(out)}, errors.Join(errIn, errOut, cmd.Start())
}

// begin has the names in a root exchanged from now on, and end no more. strayed counts the names
// that somebody made in a folder while it was outside.
func (s *swapper) begin(root int) error {
	_, _, err := s.tell(root)
	return err
}

func (s *swapper) end() (strayed, exchanges int, err error) { return s.tell(-1) }

func (s *swapper) tell(root int) (strayed, exchanges int, err error) {
	if err := unix.Kill(s.cmd.Process.Pid, unix.SIGCONT); err != nil {
		return 0, 0, err
	}
	if _, err := fmt.Fprintln(s.in, root); err != nil {
		return 0, 0, err
	}
	if !s.out.Scan() {
		return 0, 0, errors.Join(errors.New("the swapper has ended"), s.out.Err())
	}
	_, err = fmt.Sscan(s.out.Text(), &strayed, &exchanges)
	return strayed, exchanges, err
}

// rest lets the swapper run for a moment only: some calls succeed only in a pause.
func (s *swapper) rest() error {
	err := unix.Kill(s.cmd.Process.Pid, unix.SIGCONT)
	time.Sleep(time.Duration(rand.IntN(100)) * time.Microsecond)
	return errors.Join(err, unix.Kill(s.cmd.Process.Pid, unix.SIGSTOP))
}

func (s *swapper) close() error {
	s.in.Close()
	return s.cmd.Wait()
}

// swapForever reads the number of a root from each line of its stdin, and exchanges the names in
// that root until the next line, which has -1.
func swapForever(args []string) error {
	var job raceJob
	if err := json.Unmarshal([]byte(args[0]), &job); err != nil {
		return err
	}
	lines := make(chan int)
	go func() {
		for in := bufio.NewScanner(os.Stdin); in.Scan(); {
			n, _ := strconv.Atoi(in.Text())
			lines <- n
		}
		close(lines)
	}()
	for n := range lines {
		s := swapping{swap: swaps[job.Swap], root: job.Roots[n]}
		if err := s.until(lines); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		fmt.Println(s.strayed, s.exchanges)
	}
	return nil
}

type swapping struct {
	swap
	root               string
	strayed, exchanges int
}

func (s *swapping) until(next <-chan int) error {
	a, b, target := filepath.Join(s.root, s.a), filepath.Join(s.root, s.b), s.target(s.root)
	for n := 0; ; n++ {
		if err := s.exchange(a, b); err != nil {
			return err
		}
		if n%16 == 0 {
			if err := s.restoreLinks(a, b, target); err != nil {
				return err
			}
		}
		s.exchanges++
		before := s.outside(b)
		if n == 0 {
			fmt.Println(0, 0) // begun
		}
		for range rand.IntN(1 << rand.IntN(12)) { // pauses of 0 to about 500 microseconds, so that every moment of a call is met
			unix.Getppid()
		}
		s.strayed += max(0, s.outside(b)-before)
		select {
		case <-next:
			return s.restore(a, b)
		default:
		}
	}
}

// mend makes one of the two names a link again, and the other none: a write may have replaced the
// link by a file, and a link that a call had taken away for a moment may come back beside a new
// one.
func (s *swapping) restoreLinks(a, b, target string) error {
	if target == "" || isLink(a) != isLink(b) {
		return nil
	}
	temp := b + ".new"
	if isLink(a) {
		return errors.Join(os.WriteFile(temp, []byte("inside"), 0o666), os.Rename(temp, a))
	}
	return errors.Join(os.Symlink(target, temp), os.Rename(temp, b))
}

// outside counts the names in a folder that has moved out.
func (s *swapping) outside(b string) int {
	if !s.moves {
		return 0
	}
	entries, _ := os.ReadDir(b) // none if it is inside now
	return len(entries)
}

// exchange exchanges two names. If only one of them exists, that file gets the other name.
func (s *swapping) exchange(a, b string) error {
	err := unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
	for _, names := range [...][2]string{{a, b}, {b, a}} {
		if s.moves && errors.Is(err, unix.ENOENT) {
			err = unix.Renameat2(unix.AT_FDCWD, names[0], unix.AT_FDCWD, names[1], unix.RENAME_NOREPLACE)
		}
	}
	if s.moves && errors.Is(err, unix.EEXIST) { // a call has made the folder anew just now
		return nil
	}
	if errors.Is(err, unix.ENOENT) { // os.Root can't exchange, so a file that it replaces is missing for a moment
		return nil
	}
	return err
}

// restore brings a root, or a folder that moved, back to where it was.
func (s *swapping) restore(a, b string) error {
	if s.moves && isThere(b) || s.a == "." && isLink(a) {
		return s.exchange(a, b)
	}
	return nil
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
