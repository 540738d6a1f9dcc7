package dir

import "golang.org/x/sys/unix"

// Open opens the workspace's root, where every other access starts. The operator gave this path:
// links on it are followed. portable takes the implementation with os.Root.
func Open(path string, portable bool) (Folder, error) {
	if portable {
		return openPortable(path)
	}
	return openRootFolder(path)
}

// CopyUp makes an overlay file system copy a folder to its upper layer, as any change in the folder
// would.
func CopyUp(dir Folder) {
	f, ok := dir.(Descriptor)
	var system unix.Statfs_t
	if !ok || unix.Fstatfs(f.fd, &system) != nil || system.Type != unix.OVERLAYFS_SUPER_MAGIC {
		return
	}
	if info, err := f.Lstat("."); err == nil {
		_ = f.Chmod(info.Mode) // if that isn't allowed, the first change gives the folder another creation time, and that change can't be undone
	}
}

// DescriptorOf gives the descriptor of an open folder; ok is false for one of os.Root.
func DescriptorOf(folder Folder) (fd int, ok bool) {
	d, ok := folder.(Descriptor)
	return d.fd, ok
}
