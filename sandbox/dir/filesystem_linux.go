package dir

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// fileSystem is what is known about a kind of file system.
type fileSystem struct {
	magic   uint32
	name    string // "" for a kind that answers give by its magic number
	lacks   bool   // it may be unable to exchange two names or to rename without replacing, or have no hard links
	alone   bool   // no other machine or mount uses it, so that everybody respects its locks
	folding Folding
}

// fileSystems are the kinds that are known. Magic numbers that golang.org/x/sys/unix doesn't name
// are from the kernel's headers.
var fileSystems = [...]fileSystem{
	{unix.EXT4_SUPER_MAGIC, "ext4", false, true, foldingByFolder},
	{unix.XFS_SUPER_MAGIC, "xfs", false, true, FoldingUnknown},
	{unix.BTRFS_SUPER_MAGIC, "btrfs", false, true, foldingByFolder},
	{unix.TMPFS_MAGIC, "tmpfs", false, true, foldingByFolder},
	{unix.OVERLAYFS_SUPER_MAGIC, "overlay", false, true, FoldingUnknown},
	{unix.F2FS_SUPER_MAGIC, "f2fs", false, true, foldingByFolder},
	{unix.BCACHEFS_SUPER_MAGIC, "bcachefs", false, true, FoldingUnknown},
	{unix.FUSE_SUPER_MAGIC, "fuse", true, false, FoldingLikely}, // exfat and ntfs, too
	{unix.NFS_SUPER_MAGIC, "nfs", true, false, FoldingUnknown},
	{unix.CIFS_SUPER_MAGIC, "cifs", true, false, FoldingAlways},
	{unix.SMB2_SUPER_MAGIC, "smb2", true, false, FoldingAlways},
	{unix.SMB_SUPER_MAGIC, "", true, false, FoldingAlways},
	{unix.V9FS_MAGIC, "9p", true, false, FoldingLikely}, // what a virtual machine shares
	{unix.MSDOS_SUPER_MAGIC, "vfat", true, true, FoldingAlways},
	{unix.EXFAT_SUPER_MAGIC, "exfat", true, true, FoldingAlways},
	{0x5346544E, "", true, true, FoldingAlways}, // ntfs
	{0x7366746E, "ntfs3", true, true, FoldingAlways},
	{0x2FC12FC1, "zfs", true, true, FoldingUnknown},
	{0x4244, "", true, true, FoldingAlways},      // hfs
	{0x482B, "", true, true, FoldingAlways},      // hfsplus
	{0x786F4256, "", true, false, FoldingLikely}, // vboxsf, what a virtual machine shares
}

// foldingByFolder is for file systems where each folder has a flag for it, or none has.
const foldingByFolder Folding = -1

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

func (f Descriptor) isFUSE() bool { return isFUSE(f.fd) }

// FileSystem tells what kind of file system a folder is on, "" if unknown, and whether it may lack
// a rename flag or hard links. Without those, a write can't make sure that it never overwrites what
// somebody else writes at the same moment. It changes nothing. mayLack is only a possibility: a
// FUSE file system, for one, may have all of it.
func FileSystem(in Folder) (kind string, mayLack bool) {
	lacksCall := !takesFlags(unix.RENAME_NOREPLACE) || !takesFlags(unix.RENAME_EXCHANGE)
	var s fileSystem
	if dir, ok := in.(Descriptor); ok {
		s = fileSystemOf(dir.fd)
	}
	if kind = s.name; kind == "" && s.magic != 0 {
		kind = fmt.Sprintf("%#x", s.magic)
	}
	return kind, lacksCall || s.lacks
}

// casefoldFlag is set on a folder that compares names without case: FS_CASEFOLD_FL of linux/fs.h.
const casefoldFlag = 0x40000000

func (f Descriptor) Folding() Folding {
	folding := fileSystemOf(f.fd).folding
	if folding != foldingByFolder {
		return folding
	}
	if flags, err := unix.IoctlGetInt(f.fd, unix.FS_IOC_GETFLAGS); err == nil && flags&casefoldFlag != 0 {
		return FoldingAlways
	}
	return FoldingNever
}

// CopyUp makes an overlay file system copy a folder to its upper layer, as any change in the folder
// would.
func CopyUp(dir Folder) {
	f, ok := dir.(Descriptor)
	if !ok || fileSystemOf(f.fd).magic != unix.OVERLAYFS_SUPER_MAGIC {
		return
	}
	if info, err := f.Lstat("."); err == nil {
		_ = f.Chmod(info.Mode) // if that isn't allowed, the first change gives the folder another creation time, and that change can't be undone
	}
}
