package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
)

// Fsbox is one fsbox process. Its methods are for one goroutine at a time. Copy it into your
// project.
type Fsbox struct {
	Warnings []string // what the last call had to say beside its result

	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *json.Decoder
	answers int
}

// Open starts fsbox in a workspace. Flags are those of fsbox, such as --allow-write.
func Open(root string, flags ...string) (*Fsbox, error) {
	cmd := exec.Command("fsbox", append([]string{"batch", "--format", "json", "--root", root}, flags...)...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &Fsbox{cmd: cmd, in: in, out: json.NewDecoder(out)}, cmd.Start()
}

// Close ends the process. Its exit status is that of the worst answer, so it tells nothing new.
func (f *Fsbox) Close() error {
	err := f.in.Close()
	var status *exec.ExitError
	if waited := f.cmd.Wait(); waited != nil && !errors.As(waited, &status) {
		return errors.Join(err, waited)
	}
	return err
}

// Error is a call that failed.
type Error struct {
	Code    string          `json:"error"`
	Message string          `json:"message"`
	Hint    string          `json:"hint"` // the next step, if there is one to name
	Details json.RawMessage `json:"details"`
}

func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Code + ": " + e.Message
	}
	return e.Code + ": " + e.Message + " (" + e.Hint + ")"
}

// Call runs a tool. Result is a pointer to what the answer holds, or nil. The error is an *Error if
// the call failed.
func (f *Fsbox) Call(tool string, request map[string]any, result any) error {
	f.answers++
	line, err := json.Marshal(map[string]any{"id": f.answers, "tool": tool, "input": request})
	if err != nil {
		return err
	}
	_, sent := f.in.Write(append(line, '\n')) // if it could not begin, it has ended and said why
	var answer struct {
		ID       int
		Success  bool
		Result   json.RawMessage
		Warnings []string
		Error
	}
	f.Warnings = nil
	if err := f.out.Decode(&answer); err != nil {
		return errors.Join(sent, err)
	}
	f.Warnings = answer.Warnings
	switch {
	case !answer.Success: // without an ID if fsbox could not begin, as in a folder that isn't there
		return &answer.Error
	case answer.ID != f.answers:
		return fmt.Errorf("answer %d to request %d", answer.ID, f.answers)
	case result == nil:
		return nil
	}
	return json.Unmarshal(answer.Result, result)
}
