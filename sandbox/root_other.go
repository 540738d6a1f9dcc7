//go:build !linux

package sandbox

// openRoot opens the folder that everything else starts from. The path comes from the operator: links on it are followed.
func openRoot(path string, _ bool) (folder, error) { return openPortable(path) }

func copyUp(folder) {}
