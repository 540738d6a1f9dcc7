package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fsbox/hosts/wire"
)

// record writes the tools that a host gives a model itself: names, fields and types, and nothing of
// what they say.
func record(dir string, one host, tools []wire.Tool) error {
	all := map[string]map[string]string{}
	for _, t := range tools {
		if !one.ours(t) {
			all[strings.TrimPrefix(t.Namespace+"/"+t.Name, "/")] = fields(t.Schema)
		}
	}
	if dir == "" || len(all) == 0 {
		return nil // a framework has none of its own
	}
	content, err := json.MarshalIndent(all, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, one.name+".json"), append(content, '\n'), 0o666)
}

type schema struct {
	Type       any
	Properties map[string]schema
	Required   []string
	Items      *schema
}

// fields are a tool's, with their types. Those that may be absent have a question mark.
func fields(raw json.RawMessage) map[string]string {
	var s schema
	all := map[string]string{}
	if json.Unmarshal(raw, &s) != nil {
		return all // a tool of the model's own, without a schema
	}
	for name, field := range s.Properties {
		if !slices.Contains(s.Required, name) {
			name += "?"
		}
		all[name] = field.kind()
	}
	return all
}

func (s schema) kind() string {
	var kinds []string
	switch t := s.Type.(type) {
	case string:
		kinds = append(kinds, strings.ToLower(t))
	case []any:
		for _, one := range t {
			if name, ok := one.(string); ok {
				kinds = append(kinds, name)
			}
		}
	}
	text := strings.Join(kinds, " or ")
	if text == "" {
		return "any"
	}
	if s.Items != nil {
		text += " of " + s.Items.kind()
	}
	return text
}
