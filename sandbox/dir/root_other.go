//go:build !linux

package dir

// Open opens the folder that everything else starts from. The path comes from the operator: links on it are followed.
func Open(path string, _ bool) (Folder, error) { return openPortable(path) }

func CopyUp(Folder) {}
