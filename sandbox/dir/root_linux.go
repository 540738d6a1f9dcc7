package dir

import "golang.org/x/sys/unix"

// openRoot opens the folder that everything else starts from. The path comes from the operator: links on it are followed.
func Open(path string, portable bool) (Folder, error) {
	if portable {
		return openPortable(path)
	}
	return openRootFolder(path)
}

// copyUp makes an overlay take a folder to its upper layer, as any change in it would.
func CopyUp(dir Folder) {
	f, ok := dir.(Descriptor)
	var system unix.Statfs_t
	if !ok || unix.Fstatfs(f.fd, &system) != nil || system.Type != unix.OVERLAYFS_SUPER_MAGIC {
		return
	}
	if info, err := f.Lstat("."); err == nil {
		_ = f.Chmod(info.Mode) // who may not do that gets the other birth with the first change, and no undo for that one
	}
}
