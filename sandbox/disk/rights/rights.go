// Package rights is about who may do what with a file: its owner, mode, extended attributes and
// access control lists. A file that replaces another one gets them from that, and nobody gets more
// rights by what can't be set.
package rights

import (
	"io/fs"
	"maps"
	"slices"

	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/stat"
)

// Node is an open file or folder, as far as it is about who may do what with it.
type Node interface {
	// Chmod sets the mode. It comes last: an owner and an access control list change it.
	Chmod(mode fs.FileMode) error
	// Chown gives it the owner and group of another file or folder.
	Chown(owner stat.Info) error
	// Attributes are the extended attributes that a new one must get that replaces it.
	Attributes() (Attributes, error)
	// SetAttributes sets these, and takes away the access control lists that it got from the folder
	// in which it was made. lost are those that the file system can't have, or has no room for; of
	// the latter err tells as well.
	SetAttributes(Attributes) (lost Attributes, err error)
}

// Attributes are extended attributes by name: the user's own, and access control lists. Those that
// no other file gets, like a capability, are there without a value.
type Attributes map[string][]byte

// Access control lists, as Linux names them. Only folders have the second: it is what is made in
// them gets.
const (
	accessList  = "system.posix_acl_access"
	defaultList = "system.posix_acl_default"
)

// Lost says what a new file or folder lacks of what it should get.
type Lost uint

const (
	LostOwner      Lost = 1 << iota // its owner or its group
	LostSetID                       // the set-ID bits
	LostAttributes                  // extended attributes, or an access control list
	LostWriter                      // a process that has the old file open for writing
)

// Rights are the owner, mode and attributes of a file or folder, for a new one that replaces it, is
// a copy of it, or restores it.
type Rights struct {
	Of         stat.Info
	Attributes Attributes
	IsCopy     bool // the new one belongs to the process, and nobody misses what only some may give
	MayLack    bool // attributes for which there is no room are lost
	Lost       Lost // what was lost before
}

// Give sets owner and attributes of a new file or folder, and returns the mode to set afterwards.
// Nobody gets more rights by what can't be set.
func (r *Rights) Give(n Node, made stat.Info) (mode fs.FileMode, lost Lost, err error) {
	mode, carried, lost := r.Of.Mode&^fs.ModeType, r.Attributes, r.Lost
	if !r.IsCopy {
		lostOwner, lostGroup, err := takeOwner(n, made, r.Of)
		if err != nil {
			return mode, lost, err
		}
		if lostOwner {
			lost |= LostOwner
		}
		if lostGroup {
			carried, mode = carried.forOtherGroup(mode)
		}
	}
	missing, err := n.SetAttributes(carried)
	if r.MayLack && fserr.IsFull(err) {
		err = nil
	}
	if r.IsCopy {
		maps.DeleteFunc(missing, func(_ string, value []byte) bool { return value == nil })
	}
	if len(missing) > 0 {
		lost |= LostAttributes
	}
	return missing.WithoutList(mode), lost, err
}

// takeOwner sets the owner and the group of a new file or folder to those of from, as far as this
// process and the file system can. lost says that not both could be set, lostGroup that the group
// is another one.
func takeOwner(n Node, now, from stat.Info) (lost, lostGroup bool, err error) {
	if from.UID == now.UID && from.GID == now.GID {
		return false, false, nil
	}
	if err := n.Chown(from); !fserr.IsRefused(err) {
		return false, false, err
	}
	lostGroup = from.GID != now.GID
	from.UID = now.UID
	err = n.Chown(from) // works for a group that this user is in
	if fserr.IsRefused(err) {
		return true, lostGroup, nil
	}
	return true, false, err
}

// The kinds of entries of an access control list that are asked for here (linux/posix_acl.h). An
// entry has 8 bytes, the first of them its kind and the third what it permits.
const (
	namedUser  = 0x02
	ownGroup   = 0x04
	namedGroup = 0x08
	listHeader = 4
	listEntry  = 8
)

// forOtherGroup gives attributes and mode of a file that gets another group than it had: that group
// may do no more than what everybody may.
func (a Attributes) forOtherGroup(mode fs.FileMode) (Attributes, fs.FileMode) {
	list := slices.Clone(a[accessList])
	if len(list) < listHeader {
		return a, mode &^ (0o070 &^ (mode & 7 << 3))
	}
	for e := range slices.Chunk(list[listHeader:], listEntry) {
		if e[0] == ownGroup {
			e[2] &= byte(mode & 7)
		}
	}
	a = maps.Clone(a)
	a[accessList] = list
	return a, mode
}

// WithoutList is the mode of a file that loses these attributes. With an access control list, the
// bits of the group say the most that anybody named there may do. Without it, nobody may do more
// than before: neither the group, nor who was named in the list.
func (a Attributes) WithoutList(mode fs.FileMode) fs.FileMode {
	list := a[accessList]
	if len(list) < listHeader {
		return mode
	}
	most := mode >> 3 & 7
	group, named := most, fs.FileMode(7)
	for e := range slices.Chunk(list[listHeader:], listEntry) {
		switch permits := fs.FileMode(e[2]); e[0] {
		case ownGroup:
			group &= permits
		case namedUser, namedGroup:
			named &= permits & most
		}
	}
	return mode&^0o077 | group&named<<3 | mode&named
}

// Right is what a process may do with a file or folder, numbered as access(2) and permission bits
// number it.
type Right uint32

const (
	Writing Right = 2
	Reading Right = 4
)
