package sandbox

import "golang.org/x/sys/unix"

// openRoot opens the folder that everything else starts from. The path comes from the operator: links on it are followed.
func openRoot(path string, portable bool) (folder, error) {
	if portable {
		return openPortable(path)
	}
	return openRootFolder(path)
}

// copyUp makes an overlay take a folder to its upper layer, as any change in it would.
func copyUp(dir folder) {
	f, ok := dir.(fdFolder)
	var system unix.Statfs_t
	if !ok || unix.Fstatfs(f.fd, &system) != nil || system.Type != unix.OVERLAYFS_SUPER_MAGIC {
		return
	}
	if info, err := f.lstat("."); err == nil {
		_ = f.chmod(info.Mode) // who may not do that gets the other birth with the first change, and no undo for that one
	}
}
