package walk

import (
	"path"
	"slices"
	"testing"
)

func TestFileTypeGlobs(t *testing.T) {
	for name, file := range map[string]string{
		"go": "main.go", "py": "x.pyi", "js": "a.mjs", "ts": "a.tsx", "jsx": "a.jsx", "rust": "lib.rs", "c": "a.h", "cpp": "a.hpp",
		"java": "A.java", "kotlin": "a.kts", "swift": "a.swift", "ruby": "Rakefile", "php": "a.php", "cs": "a.cs", "md": "README.md",
		"json": "package.json", "yaml": "a.yml", "toml": "go.toml", "xml": "pom.xml", "sh": ".bashrc", "html": "i.htm", "css": "a.css",
		"sql": "a.sql", "proto": "a.proto", "make": "Makefile", "docker": "Dockerfile", "txt": "a.txt",
	} {
		globs, ok := FileTypeGlobs(name)
		matches := slices.ContainsFunc(globs, func(g string) bool { m, _ := path.Match(g, file); return m })
		if !ok || !matches {
			t.Errorf("type %s doesn't match %s: %v", name, file, globs)
		}
	}
	if globs, ok := FileTypeGlobs("nope"); ok || globs != nil {
		t.Errorf("unknown type: %v", globs)
	}
}

func TestFileTypes(t *testing.T) {
	names := FileTypes()
	if !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Error("names aren't sorted, or one is there twice")
	}
	for _, name := range names {
		globs, ok := FileTypeGlobs(name)
		if !ok || len(globs) == 0 {
			t.Errorf("no globs for %s", name)
		}
		for _, g := range globs {
			if _, err := path.Match(g, "x"); err != nil {
				t.Errorf("%s: bad glob %q", name, g)
			}
		}
	}
}

// What people and models also call a type is one, and no name of another.
func TestFileTypeAlso(t *testing.T) {
	for also, name := range map[string]string{"golang": "go", "python3": "py", "javascript": "js", "rs": "rust", "c++": "cpp", "shell": "sh",
		"yml": "yaml", "Go": "go", "GOLANG": "go"} {
		got, ok := FileTypeGlobs(also)
		want, known := FileTypeGlobs(name)
		if !ok || !known || !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", also, got, want)
		}
	}
	all := FileTypes()
	for row := range fileTypes() {
		all = append(all, row.also...)
	}
	if slices.Sort(all); len(slices.Compact(slices.Clone(all))) != len(all) {
		t.Errorf("a name is there twice: %q", all)
	}
}
