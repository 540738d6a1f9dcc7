package results

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// machine prints the number of cores, the processor, the memory and the kernel.
const machine = "echo `nproc` cores; sed -n 's/^model name.*: //p;/^$/q' /proc/cpuinfo; sed -n 's/MemTotal: *//p' /proc/meminfo; uname -srm"

// Facts say when and where a run was made that writes to a folder, and the versions of programs.
func Facts(folder string, programs ...string) []string {
	facts := []string{
		"date: " + time.Now().UTC().Format("2006-01-02 15:04 UTC"),
		"machine: " + Said("sh", "-c", machine),
		"written on: " + Said("findmnt", "-no", "FSTYPE,OPTIONS", "-T", folder) + "; file systems with a journal: " + Said("ls", "/proc/fs/jbd2"),
		"load before: " + Said("cut", "-d ", "-f1-3", "/proc/loadavg"),
		"fsbox: " + Said("git", "--no-optional-locks", "describe", "--always", "--dirty") + ", " + runtime.Version(),
	}
	for _, program := range programs {
		version, _, _ := strings.Cut(Said(program, "--version"), ", ")
		facts = append(facts, filepath.Base(program)+": "+version)
	}
	return facts
}

// Said is what a program prints, its lines with commas between them.
func Said(name string, args ...string) string {
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		return "unknown"
	}
	return strings.ReplaceAll(strings.TrimSpace(string(out)), "\n", ", ")
}

// Build makes the program of a folder as it is released, and copies it as an installer does. Go's
// linker writes a program through a memory map, which leaves it in the page cache in small pieces:
// until it is read from the disk again, it starts in 1.2 times the time.
func Build(folder, to string) error {
	linked, profile := to+"-linked", "off"
	if _, err := os.Stat(filepath.Join(folder, "release.pgo")); err == nil { // the others are small programs to compare with
		profile = "release.pgo"
	}
	cmd := exec.Command("go", "-C", folder, "build", "-trimpath", "-pgo="+profile, "-ldflags", "-s -w", "-o", linked, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %w: %s", cmd, err, out)
	}
	content, err := os.ReadFile(linked)
	if err != nil {
		return err
	}
	return os.WriteFile(to, content, 0o755)
}

// Check ends a command that has failed.
func Check(command string, err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, command+":", err)
		os.Exit(1)
	}
}
