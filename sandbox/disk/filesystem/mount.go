package filesystem

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Mount is a line of /proc/self/mountinfo: what is mounted somewhere, and how.
type Mount struct {
	ID      uint64
	Device  string // major:minor
	Type    string // such as nfs4, or fuse.sshfs
	Source  string // such as server:/path
	Point   string // path that it is mounted at
	Options []string
}

// parseMounts reads mountinfo. What isn't a line of it is left out.
func parseMounts(text string) (all []Mount) {
	for line := range strings.Lines(text) {
		first, last, ok := strings.Cut(line, " - ") // optional fields come before it
		own, about := strings.Fields(first), strings.Fields(last)
		if !ok || len(own) < 6 || len(about) < 2 {
			continue
		}
		id, err := strconv.ParseUint(own[0], 10, 64)
		if err != nil {
			continue
		}
		m := Mount{ID: id, Device: own[2], Type: about[0], Source: unescapeMount(about[1]), Point: unescapeMount(own[4]),
			Options: strings.Split(own[5], ",")}
		if len(about) > 2 {
			for option := range strings.SplitSeq(about[2], ",") { // of the file system, whatever its mounts say
				if !slices.Contains(m.Options, option) {
					m.Options = append(m.Options, option)
				}
			}
		}
		all = append(all, m)
	}
	return all
}

// unescapeMount puts back the blanks and backslashes that mountinfo writes as three octal digits.
func unescapeMount(text string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, `\`)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		code, err := strconv.ParseUint(after[:min(3, len(after))], 8, 8)
		if err != nil || len(after) < 3 {
			b.WriteByte('\\')
			text = after
			continue
		}
		b.WriteByte(byte(code))
		text = after[3:]
	}
}

// String is the type with the options; "" for no mount.
func (m *Mount) String() string {
	if m.Type == "" {
		return ""
	}
	return m.Type + " " + strings.Join(m.Options, ",")
}

// option gives the value of an option, "" for one without, and whether the mount has it.
func (m *Mount) option(name string) (value string, has bool) {
	for _, o := range m.Options {
		key, value, _ := strings.Cut(o, "=")
		if key == name {
			return value, true
		}
	}
	return "", false
}

// Between says how far the lock and the answers of this program hold between machines.
type Between string

const (
	BetweenNone    Between = "local"   // no other machine uses the file system
	BetweenHolds   Between = "holds"   // a change has seen what was answered before on another machine
	BetweenDoubt   Between = "doubt"   // the mount keeps copies that may hide what others do
	BetweenUnknown Between = "unknown" // nothing is known about this kind of file system
)

// MountFacts says what a mount means for those who use it from several machines.
type MountFacts struct {
	Mount
	Between Between
	Doubts  []string // why a change may not see what another machine was answered, or may be lost
	Notes   []string // what else is different from a local file system
	Caches  Caches   // of a FUSE file system
}

// longCache is how long a mount may remember names and attributes before that is worth telling.
const longCache = time.Minute

// facts judges a mount by its type and options. others are all mounts of this machine that can be
// seen.
func (m *Mount) facts(others []Mount) MountFacts {
	f := MountFacts{Mount: *m, Between: BetweenHolds}
	kind, isFUSE := strings.CutPrefix(m.Type, "fuse.")
	switch {
	case m.Type == "nfs" || m.Type == "nfs4":
		f.judgeNFS(others)
	case m.Type == "cifs" || m.Type == "smb3":
		f.judgeSMB()
	case m.Type == "9p":
		f.judge9P()
	case m.Type == "virtiofs":
		f.Between = BetweenUnknown
		f.note("virtiofs: whether the host keeps copies (cache=auto, always) can't be seen from here; use cache=none or auto where " +
			"several machines change one tree")
	case isFUSE && kind == "glusterfs":
		f.judgeGlusterFS()
	case isFUSE && kind == "ceph-fuse":
		f.note("ceph-fuse: of what two clients add to one file at the same moment (O_APPEND), part is lost, unless both are this program")
	case m.Type == "fuse.mfs" || m.Type == "fuse" && strings.HasPrefix(m.Source, "mfs#"): // mfsmount names no type with FUSE 3
		f.judgeMooseFS()
	case slices.Contains(clusters[:], kind):
		f.Between = BetweenUnknown
		f.note("%s: made for several machines, and not tried with this program", m.Type)
	case isFUSE && slices.Contains(copies[:], kind):
		f.doubt("%s: each mount works on copies of its own, and sends them later: of two changes on two machines one may be lost", m.Type)
	case isFUSE && kind == "sshfs":
		f.note("sshfs: it caches names and attributes for a few seconds (dcache_timeout), so reads may be out of date")
	default:
		f.Between = BetweenUnknown
	}
	return f
}

// clusters are file systems for several machines, by their type.
var clusters = [...]string{"ceph", "lustre", "gfs2", "ocfs2", "beegfs", "gpfs", "orangefs",
	"juicefs", "seaweedfs"}

// copies are FUSE programs that show an object store, or files that they send later.
var copies = [...]string{"rclone", "s3fs", "goofys", "gcsfuse", "mount-s3", "mountpoint-s3", "geesefs", "blobfuse", "blobfuse2", "s3ql",
	"davfs", "google-drive-ocamlfuse", "onedriver", "tigrisfs"}

// judgeGlusterFS: the client answers names, attributes and small contents from memory, by default
// for a second, whatever the options of its mount are.
func (f *MountFacts) judgeGlusterFS() {
	f.Caches.Synced, f.Caches.Listed, f.Caches.Removed = true, true, true
	f.note("GlusterFS: other programs may find for a second what was there before (performance.quick-read, performance.stat-prefetch); " +
		"this one lists the directories on the path first, which takes time where they are large")
}

// judgeMooseFS: with mfscachemode=AUTO, the default, the system keeps what it has read while the
// master knows of no change. What it has read may be zeros, for bytes that another client was
// adding.
func (f *MountFacts) judgeMooseFS() {
	f.Caches.Pages = true
	f.note("MooseFS: while another client adds to a file, a read may find zeros in place of what is new; and with mfsnegentrycacheto " +
		"(0 by default) a file that another client has made isn't found for that many seconds")
}

func (f *MountFacts) note(format string, args ...any) {
	f.Notes = append(f.Notes, fmt.Sprintf(format, args...))
}

func (f *MountFacts) doubt(format string, args ...any) {
	f.Between = BetweenDoubt
	f.Doubts = append(f.Doubts, fmt.Sprintf(format, args...))
}

// judgeNFS: the client asks the server when a file is opened, and a folder is asked about under its
// lock. The rest depends on options.
func (f *MountFacts) judgeNFS(others []Mount) {
	if _, has := f.option("nocto"); has {
		f.doubt("mount option nocto: what another machine has changed may be read as it was before")
	}
	if other := f.otherMount(others); other != nil {
		f.doubt("mount option nosharecache: %q is mounted twice on this machine, and the server takes both for one client, "+
			"so that one may not be told what the other changes", f.Source)
	}
	local, _ := f.option("local_lock")
	_, noLock := f.option("nolock")
	if noLock || local != "" && local != "none" {
		f.note("mount option %s: the locks of other programs (flock, fcntl) are known on this machine only; fsbox's own is a file, "+
			"and is known to all", cmp.Or(map[bool]string{true: "nolock"}[noLock], "local_lock="+local))
	}
	for _, soft := range []string{"soft", "softerr"} {
		if _, has := f.option(soft); has {
			f.note("mount option %s: while the server doesn't answer, changes fail, and may have been made anyway", soft)
		}
	}
	for _, cache := range []string{"actimeo", "acregmax", "acdirmax"} {
		text, _ := f.option(cache)
		if n, err := strconv.Atoi(text); err == nil && time.Duration(n)*time.Second > longCache {
			f.note("mount option %s=%d: listings and searches may tell of names and sizes as they were up to %d seconds ago", cache, n, n)
		}
	}
}

// otherMount finds another mount of the same export that shares no cache with this one. The
// kernel then gives it another device number.
func (f *MountFacts) otherMount(others []Mount) *Mount {
	for i := range others {
		o := &others[i]
		if f.Type == "nfs4" && o.Type == f.Type && o.Source == f.Source && o.Device != f.Device && o.address() == f.address() {
			return o
		}
	}
	return nil
}

// address is that of the client, by which the mounts of different network namespaces differ.
func (m *Mount) address() string {
	address, _ := m.option("clientaddr")
	return address
}

// hasServerNumbers reports whether the inode numbers on a mount of SMB are the server's.
func (m *Mount) hasServerNumbers() bool {
	_, has := m.option("serverino")
	return has
}

func (f *MountFacts) judgeSMB() {
	_, noLocks := f.option("nobrl")
	switch hasNumbers := f.hasServerNumbers(); {
	case !hasNumbers && noLocks: // Linux then keeps handles: see openfile.Handle.CloseAtOnce
		f.doubt("mount options nobrl and noserverino, which Linux may also have chosen by itself: what another machine has changed may be " +
			"read as it was before")
	case !hasNumbers:
		f.note("mount option noserverino, which Linux may also have chosen by itself: if another machine replaces a file while a call of " +
			"fsbox on this one reads it, another call on this one may read the old content")
	}
	if cache, _ := f.option("cache"); cache == "loose" {
		f.doubt("mount option cache=loose: what another machine has changed may be read as it was before")
	}
	if noLocks {
		f.note("mount option nobrl: the locks of other programs (fcntl) are known on this machine only; fsbox's own is a file, " +
			"and is known to all")
	}
	if _, has := f.option("nostrictsync"); has {
		f.note("mount option nostrictsync: an answered change may not be on the server's disk yet")
	}
}

func (f *MountFacts) judge9P() {
	cache, has := f.option("cache")
	keeps := has && !slices.Contains([]string{"none", "mmap", "readahead"}, cache)
	if bits, err := strconv.ParseUint(cache, 16, 32); err == nil { // Linux 6.4 and later write bits
		const names, loose = 0x02, 0x08
		keeps = bits&(names|loose) != 0
	}
	if keeps {
		f.doubt("mount option cache=%s: what the host or another machine has changed may be read as it was before", cache)
	}
}
