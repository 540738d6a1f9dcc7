package dir

import "golang.org/x/sys/unix"

// casefoldFlag is set on a folder that compares names without case: FS_CASEFOLD_FL of linux/fs.h.
const casefoldFlag = 0x40000000

func (f Descriptor) Folding() Folding {
	var st unix.Statfs_t
	if unix.Fstatfs(f.fd, &st) != nil {
		return FoldingUnknown
	}
	switch uint32(st.Type) {
	case unix.EXT4_SUPER_MAGIC, unix.TMPFS_MAGIC, unix.F2FS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC: // folder by folder, or never
		if flags, err := unix.IoctlGetInt(f.fd, unix.FS_IOC_GETFLAGS); err == nil && flags&casefoldFlag != 0 {
			return FoldingAlways
		}
		return FoldingNever
	case unix.MSDOS_SUPER_MAGIC, unix.EXFAT_SUPER_MAGIC, ntfsMagic, ntfs3Magic, unix.SMB2_SUPER_MAGIC, unix.SMB_SUPER_MAGIC, cifsMagic,
		hfsMagic, hfsplusMagic:
		return FoldingAlways
	case unix.FUSE_SUPER_MAGIC, unix.V9FS_MAGIC, vboxsfMagic: // exfat, ntfs, what a virtual machine shares
		return FoldingLikely
	}
	return FoldingUnknown
}

// Magic numbers of file systems that golang.org/x/sys/unix doesn't name, from the kernel's headers.
const (
	ntfsMagic    = 0x5346544E
	ntfs3Magic   = 0x7366746E
	cifsMagic    = 0xFF534D42
	hfsMagic     = 0x4244
	hfsplusMagic = 0x482B
	vboxsfMagic  = 0x786F4256
)
