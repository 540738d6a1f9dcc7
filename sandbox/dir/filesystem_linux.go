package dir

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// fileSystem is what is known about a kind of file system.
type fileSystem struct {
	magic uint32
	name  string // "" for a kind that answers give by its magic number
	lacks bool   // it may be unable to exchange two names or to rename without replacing, or have no hard links
	alone bool   // no other machine or mount uses it, so that everybody respects its locks
}

// fileSystems are the kinds that are known. Magic numbers that golang.org/x/sys/unix doesn't name
// are from the kernel's headers.
var fileSystems = [...]fileSystem{
	{unix.EXT4_SUPER_MAGIC, "ext4", false, true},
	{unix.XFS_SUPER_MAGIC, "xfs", false, true},
	{unix.BTRFS_SUPER_MAGIC, "btrfs", false, true},
	{unix.TMPFS_MAGIC, "tmpfs", false, true},
	{unix.OVERLAYFS_SUPER_MAGIC, "overlay", false, true},
	{unix.F2FS_SUPER_MAGIC, "f2fs", false, true},
	{unix.BCACHEFS_SUPER_MAGIC, "bcachefs", false, true},
	{unix.FUSE_SUPER_MAGIC, "fuse", true, false}, // exfat and ntfs, too
	{unix.NFS_SUPER_MAGIC, "nfs", true, false},
	{unix.CIFS_SUPER_MAGIC, "cifs", true, false},
	{unix.SMB2_SUPER_MAGIC, "smb2", true, false},
	{unix.SMB_SUPER_MAGIC, "", true, false},
	{unix.V9FS_MAGIC, "9p", true, false}, // what a virtual machine shares
	{unix.MSDOS_SUPER_MAGIC, "vfat", true, true},
	{unix.EXFAT_SUPER_MAGIC, "exfat", true, true},
	{0x5346544E, "", true, true}, // ntfs
	{0x7366746E, "ntfs3", true, true},
	{0x2FC12FC1, "zfs", true, true},
	{0x4244, "", true, true},      // hfs
	{0x482B, "", true, true},      // hfsplus
	{0x786F4256, "", true, false}, // vboxsf, what a virtual machine shares
}

// fileSystemOf finds the kind of the file system of an open file or folder; the zero value if the
// system doesn't tell.
func fileSystemOf(fd int) fileSystem {
	var st unix.Statfs_t
	if ignoreInterrupts(func() error { return unix.Fstatfs(fd, &st) }) != nil {
		return fileSystem{}
	}
	magic := uint32(st.Type)
	for _, s := range fileSystems {
		if s.magic == magic {
			return s
		}
	}
	return fileSystem{magic: magic, lacks: true}
}

// isFUSE reports whether another process serves a file system. Some, such as rclone's, answer EIO
// to calls that they don't have.
func isFUSE(fd int) bool { return fileSystemOf(fd).magic == unix.FUSE_SUPER_MAGIC }

// System describes the file system of the folder. It changes nothing.
func (f Descriptor) System() System {
	s := fileSystemOf(f.fd)
	if s.name == "" && s.magic != 0 {
		s.name = fmt.Sprintf("%#x", s.magic)
	}
	return System{Kind: s.name, MayLack: s.lacks, Alone: s.alone, Shared: !s.alone, FUSE: s.magic == unix.FUSE_SUPER_MAGIC,
		Overlay: s.magic == unix.OVERLAYFS_SUPER_MAGIC}
}

// lacksCalls reports whether the kernel has no rename that exchanges two names, or none that never
// replaces.
func lacksCalls() bool {
	return !takesFlags(unix.RENAME_NOREPLACE) || !takesFlags(unix.RENAME_EXCHANGE)
}
