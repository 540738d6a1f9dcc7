package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/jsonschema-go/jsonschema"
)

// releaseConfig is goreleaser.yaml as JSON has it.
func releaseConfig(t *testing.T) map[string]any {
	t.Helper()
	content, err := os.ReadFile("../goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	asJSON, err := yaml.YAMLToJSON(content)
	if err != nil {
		t.Fatal(err)
	}
	var config map[string]any
	if err := json.Unmarshal(asJSON, &config); err != nil {
		t.Fatal(err)
	}
	return config
}

// goreleaser's own schema has no word against the file. FSBOX_GORELEASER_SCHEMA names the schema.
func TestReleaseConfigAgainstSchema(t *testing.T) {
	file := os.Getenv("FSBOX_GORELEASER_SCHEMA")
	if file == "" {
		t.Skip("FSBOX_GORELEASER_SCHEMA names no schema")
	}
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(content, &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	config := releaseConfig(t)
	if err := resolved.Validate(config); err != nil {
		t.Error(err)
	}
	config["bilds"] = []any{}
	if resolved.Validate(config) == nil {
		t.Error("the schema takes a misspelled name: it checks nothing")
	}
}

// Every file that the configuration takes from the repository is there.
func TestReleaseConfigNamesFiles(t *testing.T) {
	seen := 0
	var look func(any)
	look = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, item := range v {
				look(item)
			}
		case map[string]any:
			for key, item := range v {
				name, isText := item.(string)
				if isText && (key == "src" || key == "dockerfile") {
					seen++
					if found, err := filepath.Glob(filepath.Join("..", name)); err != nil || len(found) == 0 {
						t.Errorf("%s: %s is not there (%v)", key, name, err)
					}
				}
				look(item)
			}
		}
	}
	look(map[string]any(releaseConfig(t)))
	if seen < 10 {
		t.Errorf("only %d files found", seen)
	}
}

// The linker is told what --version shows.
func TestReleaseConfigSetsVersion(t *testing.T) {
	content, err := os.ReadFile("../goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, variable := range []string{"buildVersion", "buildCommit", "buildDate"} {
		if !strings.Contains(string(content), "-X fsbox/commands/version."+variable+"={{") {
			t.Errorf("%s is not set", variable)
		}
	}
}
