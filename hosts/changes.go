package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"fsbox/hosts/change"
)

// changes makes each change through each of the hosts.
func (h *harness) changes(ctx context.Context, chosen []host) (wrong error) {
	for _, one := range chosen {
		for _, c := range change.All(filepath.Join("..", "bench", "tasks")) {
			r, err := h.change(ctx, one, c)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", one.name, c.Name, err)
			}
			fmt.Printf("%s, %s: %d calls, %d of them for a further page, %d refused; %d characters, at most %d\n",
				one.name, c.Name, r.Calls, r.Pages, r.Refused, r.Chars, r.Longest)
			for _, f := range r.Faults {
				wrong = errors.Join(wrong, fmt.Errorf("%s, %s: %s", one.name, c.Name, f))
			}
			if len(r.Faults) > 0 {
				continue
			}
			err = store(h.out, one.name, func(e *entry) {
				if e.Changes == nil {
					e.Changes = map[string]change.Report{}
				}
				e.Changes[c.Name] = r
			})
			if err != nil {
				return err
			}
		}
	}
	return wrong
}

// change makes a change through a host, with every answer recorded.
func (h *harness) change(ctx context.Context, one host, c change.Change) (change.Report, error) {
	ctx, cancel := context.WithTimeout(ctx, h.limit)
	defer cancel()
	both(replace(`"--allow-write"`, `"--allow-write", "--allow-delete"`), replace(`--allow-write]`, `--allow-write, --allow-delete]`))(&one)
	s, err := h.stage(ctx, one, nil, "'"+h.fsbox+"'", func(root string) error { return c.Lay(ctx, root) })
	if err != nil {
		return change.Report{}, err
	}
	defer s.clear()
	var own []string
	for place := range one.files {
		if path, is := strings.CutPrefix(place, "{ws}/"); is {
			own = append(own, path)
		}
	}
	script, err := c.Start(s.values.ws, own...)
	if err != nil {
		return change.Report{}, err
	}
	s.model.reader = script
	output, failure := s.play(ctx)
	s.model.mu.Lock()
	defer s.model.mu.Unlock()
	r := script.Report(readRecord(filepath.Join(s.dir, "pipe")).Pages)
	if len(r.Faults) > 0 && failure != nil {
		r.Faults = append(r.Faults, fmt.Sprintf("%v: %.2000s", failure, output))
	}
	if h.keep == "" {
		return r, nil
	}
	return r, os.WriteFile(filepath.Join(h.keep, one.name+"-"+strings.ReplaceAll(c.Name, " ", "-")+".txt"), []byte(script.Transcript()), 0o666)
}
