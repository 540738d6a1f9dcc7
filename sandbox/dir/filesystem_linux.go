package dir

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// complete are the file systems that can exchange two names, can rename without replacing, and have
// hard links.
var complete = map[int64]string{
	unix.EXT4_SUPER_MAGIC: "ext4", unix.XFS_SUPER_MAGIC: "xfs", unix.BTRFS_SUPER_MAGIC: "btrfs", unix.TMPFS_MAGIC: "tmpfs",
	unix.OVERLAYFS_SUPER_MAGIC: "overlay", unix.F2FS_SUPER_MAGIC: "f2fs", unix.BCACHEFS_SUPER_MAGIC: "bcachefs",
}

// partial are others that are known by name. They may lack some of that.
var partial = map[int64]string{
	unix.FUSE_SUPER_MAGIC: "fuse", unix.NFS_SUPER_MAGIC: "nfs", unix.CIFS_SUPER_MAGIC: "cifs", unix.SMB2_SUPER_MAGIC: "smb2",
	unix.V9FS_MAGIC: "9p", unix.MSDOS_SUPER_MAGIC: "vfat", unix.EXFAT_SUPER_MAGIC: "exfat", 0x7366746e: "ntfs3", 0x2fc12fc1: "zfs",
}

// FileSystem tells what kind of file system a folder is on, "" if unknown, and whether it may lack
// a rename flag or hard links. Without those, a write can't make sure that it never overwrites what
// somebody else writes at the same moment. It changes nothing. mayLack is only a possibility: a
// FUSE file system, for one, may have all of it.
func FileSystem(in Folder) (kind string, mayLack bool) {
	lacksCall := lacksFlags(unix.Renameat2(-1, "a", -1, "b", unix.RENAME_NOREPLACE))
	dir, ok := in.(Descriptor)
	var st unix.Statfs_t
	if !ok || ignoreInterrupts(func() error { return unix.Fstatfs(dir.fd, &st) }) != nil {
		return "", lacksCall
	}
	magic := int64(uint32(st.Type))
	if kind, ok := complete[magic]; ok {
		return kind, lacksCall
	}
	if kind, ok := partial[magic]; ok {
		return kind, true
	}
	return fmt.Sprintf("%#x", magic), true
}
