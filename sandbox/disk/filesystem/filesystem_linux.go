package filesystem

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"fsbox/sandbox/disk/system"

	"golang.org/x/sys/unix"
)

// fileSystems are the kinds that are known. Magic numbers that golang.org/x/sys/unix doesn't name
// are from the kernel's headers. A kind that answers give by its number has no name here.
var fileSystems = [...]struct {
	magic uint32
	System
}{
	{unix.EXT4_SUPER_MAGIC, System{Kind: "ext4", Alone: true}},
	{unix.XFS_SUPER_MAGIC, System{Kind: "xfs", Alone: true}},
	{unix.BTRFS_SUPER_MAGIC, System{Kind: "btrfs", Alone: true}},
	{unix.TMPFS_MAGIC, System{Kind: "tmpfs", Alone: true}},
	{unix.OVERLAYFS_SUPER_MAGIC, System{Kind: "overlay", Alone: true, Overlay: true}},
	{unix.F2FS_SUPER_MAGIC, System{Kind: "f2fs", Alone: true}},
	{unix.BCACHEFS_SUPER_MAGIC, System{Kind: "bcachefs", Alone: true}},
	{unix.FUSE_SUPER_MAGIC, System{Kind: "fuse", MayLack: true, FUSE: true, Renumbers: true}}, // exfat and ntfs, too
	{unix.NFS_SUPER_MAGIC, System{Kind: "nfs", MayLack: true, Redevices: true, Remote: true, NoExchange: true, AsksForFile: true,
		AsksOnOpen: true, OpenLingers: true}},
	{unix.CIFS_SUPER_MAGIC, System{Kind: "cifs", MayLack: true, Renumbers: true, Remote: true, NoExchange: true, LosesTarget: true,
		AsksForFile: true, OpenLingers: true}},
	{unix.SMB2_SUPER_MAGIC, System{Kind: "smb2", MayLack: true, Renumbers: true, Remote: true, NoExchange: true, LosesTarget: true,
		AsksForFile: true, OpenLingers: true}},
	{unix.SMB_SUPER_MAGIC, System{MayLack: true, Remote: true}},
	{unix.V9FS_MAGIC, System{Kind: "9p", MayLack: true, Redevices: true, Remote: true, NoExchange: true}}, // what a virtual machine shares
	{unix.CEPH_SUPER_MAGIC, System{Kind: "ceph", MayLack: true, Redevices: true, Remote: true}},
	{unix.MSDOS_SUPER_MAGIC, System{Kind: "vfat", MayLack: true, Alone: true, Renumbers: true}},
	{unix.EXFAT_SUPER_MAGIC, System{Kind: exfat, MayLack: true, Alone: true, Renumbers: true}},
	{0x5346544E, System{MayLack: true, Alone: true}}, // ntfs
	{0x7366746E, System{Kind: "ntfs3", MayLack: true, Alone: true}},
	{0x2FC12FC1, System{Kind: "zfs", MayLack: true, Alone: true}},
	{0x4244, System{MayLack: true, Alone: true}},      // hfs
	{0x482B, System{MayLack: true, Alone: true}},      // hfsplus
	{0x786F4256, System{MayLack: true, Remote: true}}, // vboxsf, what a virtual machine shares
}

const exfat = "exfat"

// exfatGrain is what exFAT's times of creation are whole multiples of, in nanoseconds.
const exfatGrain = 10e6

// SteadyBirth is the time of creation, in nanoseconds; 0 where it isn't one. The kernel's exFAT
// sets that of a folder anew whenever a rename gives a name in it, so that it doesn't tell which
// folder it is. Only a time that could be exFAT's costs a look at the file system.
func SteadyBirth(born int64, system func() System) int64 {
	if born != 0 && born%exfatGrain == 0 && system().Kind == exfat {
		return 0
	}
	return born
}

// Of describes the file system of an open file or folder.
func Of(fd int) System {
	if s, ok := ofMount(fd); ok {
		return s
	}
	var st unix.Statfs_t
	if system.IgnoreInterrupts(func() error { return unix.Fstatfs(fd, &st) }) != nil {
		return System{Shared: true}
	}
	return trueSystem(systemByMagic(uint32(st.Type)), fd, "", unix.AT_EMPTY_PATH)
}

// trueSystem is the file system of a file whose number is that of s. See behind.
func trueSystem(s System, folder int, path string, flags int) System {
	var st unix.Statx_t
	if !s.Alone || unix.Statx(folder, path, flags, unix.STATX_TYPE, &st) != nil {
		return s
	}
	return behind(s, st.Dev_major, st.Attributes_mask, func() string {
		if m, _ := mountAt(folder, path, flags); m != nil {
			return m.Type
		}
		return ""
	})
}

// ofMount is Of by the list of mounts, for those that are served from elsewhere: there statfs takes
// a call over the wire.
func ofMount(fd int) (s System, ok bool) {
	if !mayBeServed(fd, "", unix.AT_EMPTY_PATH) {
		return System{}, false
	}
	if m, _ := mountAt(fd, "", unix.AT_EMPTY_PATH); m != nil {
		return m.served()
	}
	return System{}, false
}

// mayBeServed reports whether the file system of a file may have a server, so that a look at the
// list of mounts may be cheaper than to ask it. Local ones have a device, or tell which files can't
// be changed.
func mayBeServed(folder int, path string, flags int) bool {
	var st unix.Statx_t
	err := unix.Statx(folder, path, flags|unix.AT_STATX_DONT_SYNC, unix.STATX_TYPE, &st)
	return err == nil && st.Dev_major == 0 && st.Attributes_mask&unix.STATX_ATTR_IMMUTABLE == 0
}

// served describes the file system of a mount that has a server.
func (m *Mount) served() (s System, ok bool) {
	magic, ok := magicOf(m.Type)
	if version, _ := m.option("vers"); magic == unix.SMB2_SUPER_MAGIC && strings.HasPrefix(version, "1.") {
		magic = unix.CIFS_SUPER_MAGIC
	}
	return systemByMagic(magic), ok
}

// magicOf gives the number of a type of mounts whose file systems have a server.
func magicOf(mountType string) (magic uint32, ok bool) {
	switch mountType {
	case "nfs", "nfs4":
		return unix.NFS_SUPER_MAGIC, true
	case "cifs", "smb3":
		return unix.SMB2_SUPER_MAGIC, true
	case "9p":
		return unix.V9FS_MAGIC, true
	}
	return 0, false
}

// DeviceOf is the number of the device of an open file or folder, which costs no call over the
// wire. Files with the same one are on the same file system.
func DeviceOf(fd int) (device uint64, ok bool) {
	var st unix.Statx_t
	err := unix.Statx(fd, "", unix.AT_EMPTY_PATH|unix.AT_STATX_DONT_SYNC, unix.STATX_TYPE, &st)
	return unix.Mkdev(st.Dev_major, st.Dev_minor), err == nil
}

// behind tells 9p from the local file systems: the number that a 9p mount answers is that of its
// server's file system. It has no device, so that major is 0, and unlike local ones without a
// device, such as btrfs, it doesn't tell which files can't be changed: its mask of attributes is
// without. Where that is so, kind looks for the mount in the system's list, which a process that is
// confined can't read.
func behind(s System, major uint32, mask uint64, kind func() string) System {
	if !s.Alone || major != 0 || mask&unix.STATX_ATTR_IMMUTABLE != 0 {
		return s
	}
	if found := kind(); found != "" && found != "9p" {
		return s
	}
	return systemByMagic(unix.V9FS_MAGIC)
}

// OfPath describes the file system of a path of the host, or of the folder that it would be
// made in; the zero value if nothing is known.
func OfPath(path string) System {
	for {
		var st unix.Statfs_t
		err := system.IgnoreInterrupts(func() error { return unix.Statfs(path, &st) })
		above := filepath.Dir(path)
		switch {
		case err == nil:
			return trueSystem(systemByMagic(uint32(st.Type)), unix.AT_FDCWD, path, 0)
		case !errors.Is(err, fs.ErrNotExist) || above == path:
			return System{}
		}
		path = above
	}
}

// IsOfSystem reports whether what the kernel shows of processes and devices is at a path of the
// host, procfs or sysfs, in place of files.
func IsOfSystem(path string) bool {
	above, name := filepath.Split(path)
	if all := servedMounts(above); len(all) > 0 {
		if real, err := filepath.EvalSymlinks(above); err == nil {
			return isOfSystem(all, filepath.Join(real, name))
		}
	}
	var st unix.Statfs_t
	err := system.IgnoreInterrupts(func() error { return unix.Statfs(path, &st) })
	return err == nil && (st.Type == unix.PROC_SUPER_MAGIC || st.Type == unix.SYSFS_MAGIC)
}

// servedMounts are all mounts, if the file system of a folder of the host may have a server.
func servedMounts(folder string) []Mount {
	if !mayBeServed(unix.AT_FDCWD, folder, 0) {
		return nil
	}
	return mounts()
}

// isOfSystem is IsOfSystem by the list of mounts.
func isOfSystem(all []Mount, path string) bool {
	return slices.ContainsFunc(all, func(m Mount) bool { return m.Point == path && (m.Type == "proc" || m.Type == "sysfs") })
}

func systemByMagic(magic uint32) System {
	s := System{MayLack: true}
	for i := range fileSystems {
		if fileSystems[i].magic == magic {
			s = fileSystems[i].System
		}
	}
	if s.Kind == "" {
		s.Kind = fmt.Sprintf("%#x", magic)
	}
	s.Shared = !s.Alone
	return s
}

// IsFUSE reports whether another process serves a file system. Some, such as rclone's, answer EIO
// to calls that they don't have.
func IsFUSE(fd int) bool { return Of(fd).FUSE }

// MayLose reports whether an open file may be gone because another machine has removed it, though
// its file system answers with another error than ESTALE. FUSE servers that do so may be unable to
// say by such a file which file system it is on.
func MayLose(fd int) bool {
	s := Of(fd)
	return s.FUSE || s.Kind == ""
}
