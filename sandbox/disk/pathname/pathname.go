// Package pathname knows which names a system doesn't take or reads as something else, and puts
// paths together. It looks at no disk.
package pathname

// Below is the path of a name in a folder.
func Below(path, name string) string {
	if path == "" {
		return name
	}
	return path + "/" + name
}

// InRoot turns a path of an answer, a walk or the journal into one for a request, whatever its
// characters are: without it, blanks alone are no path.
func InRoot(path string) string { return "./" + path }
