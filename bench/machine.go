package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

func firstLine(name string, args ...string) string {
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		return "unknown" // not every tail and sed has --version
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return line
}

func machine() string {
	text := fmt.Sprintf("%d cores, %s/%s", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH)
	if model := procField("/proc/cpuinfo", "model name"); model != "" {
		text += ", " + model
	}
	if memory := procField("/proc/meminfo", "MemTotal"); memory != "" {
		text += ", " + memory + " of memory"
	}
	if kernel, err := os.ReadFile("/proc/sys/kernel/osrelease"); err == nil {
		text += ", kernel " + strings.TrimSpace(string(kernel))
	}
	return text
}

// procField gives the first value under a name in a file of /proc, "" where there is none.
func procField(file, name string) string {
	text, _ := os.ReadFile(file) // not there on other systems
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Join(strings.Fields(string(text))[:3], " ")
}

// fileSystem names the one that a folder is on, with its options, from the table of mounts;
// "unknown" on other systems.
func fileSystem(dir string) string {
	mounts, _ := os.ReadFile("/proc/self/mounts")
	best, longest := "unknown", 0
	for line := range strings.Lines(string(mounts)) {
		fields := strings.Fields(line)
		if len(fields) < 4 || len(fields[1]) < longest || !strings.HasPrefix(dir+"/", strings.TrimSuffix(fields[1], "/")+"/") {
			continue
		}
		longest = len(fields[1])
		best = fields[2] + " (" + fields[3] + journal(fields[2], fields[0]) + ")"
	}
	return best
}

// journal tells whether ext4 on a device keeps one.
func journal(kind, device string) string {
	if kind != "ext4" {
		return ""
	}
	all, _ := filepath.Glob("/proc/fs/jbd2/" + filepath.Base(device) + "-*")
	if len(all) == 0 {
		return ", no journal"
	}
	return ", journal"
}
