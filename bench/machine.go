package main

import (
	"fmt"
	"os"
	"os/exec"
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
