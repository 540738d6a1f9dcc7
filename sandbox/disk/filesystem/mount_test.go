package filesystem

import (
	"slices"
	"strings"
	"testing"
)

// These are lines of mountinfo as Linux writes them.
const (
	ext4Line   = `29 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw,discard,errors=remount-ro`
	nfs42Line  = `521 29 0:52 / /mnt/a rw,relatime shared:290 - nfs4 10.0.0.5:/srv rw,vers=4.2,rsize=524288,wsize=524288,namlen=255,hard,proto=tcp,timeo=600,retrans=2,sec=sys,clientaddr=10.0.0.7,local_lock=none,addr=10.0.0.5`
	nfs3Line   = `522 29 0:53 / /mnt/b rw,relatime shared:291 - nfs 10.0.0.5:/srv rw,vers=3,rsize=524288,wsize=524288,namlen=255,hard,proto=tcp,timeo=600,retrans=2,sec=sys,mountaddr=10.0.0.5,mountvers=3,mountport=20048,mountproto=udp,local_lock=none,addr=10.0.0.5`
	cifsLine   = `523 29 0:54 / /mnt/c rw,relatime shared:292 - cifs //10.0.0.5/work rw,vers=3.1.1,cache=strict,username=root,uid=0,noforceuid,gid=0,noforcegid,addr=10.0.0.5,file_mode=0755,dir_mode=0755,soft,nounix,serverino,mapposix,rsize=4194304,wsize=4194304,bsize=1048576,echo_interval=60,actimeo=1,closetimeo=1`
	p9Line     = `524 29 0:55 / /mnt/d rw,relatime shared:293 - 9p host rw,access=client,trans=virtio`
	virtioLine = `525 29 0:56 / /mnt/e rw,relatime shared:294 - virtiofs host rw`
	sshfsLine  = `526 29 0:57 / /mnt/f rw,nosuid,nodev,relatime shared:295 - fuse.sshfs me@10.0.0.5:/srv rw,user_id=0,group_id=0`
	s3Line     = `527 29 0:58 / /mnt/g rw,nosuid,nodev,relatime shared:296 - fuse.s3fs s3fs rw,user_id=0,group_id=0`
	mooseLine  = `66 44 0:42 / /mnt/i rw,nosuid,nodev,relatime - fuse mfs\04310.9.0.1:9421 rw,user_id=0,group_id=0,allow_other`
	moose2Line = `66 44 0:42 / /mnt/i rw,nosuid,nodev,relatime - fuse.mfs mfsmaster:9421 rw,user_id=0,group_id=0,allow_other`
	glusterFS  = `67 43 0:43 / /mnt/j rw,relatime - fuse.glusterfs 10.9.0.1:/vol rw,user_id=0,group_id=0,default_permissions,allow_other,max_read=131072`
	cephFuse   = `68 43 0:44 / /mnt/k rw,nosuid,nodev,relatime - fuse.ceph-fuse ceph-fuse rw,user_id=0,group_id=0,allow_other`
	cephLine   = `528 29 0:59 / /mnt/h rw,relatime shared:297 - ceph 10.0.0.5:6789:/ rw,name=admin,secret=<hidden>,acl`
)

// TestMountFacts judges the first of the mounts; the others are there as well.
func TestMountFacts(t *testing.T) {
	with := func(line, option string) string { return line + "," + option }
	tests := []struct {
		name    string
		lines   []string
		between Between
		doubts  string // the beginning of what is said, as far as there is a doubt
		notes   string
	}{
		{"NFS 4.2", []string{nfs42Line, ext4Line}, BetweenHolds, "", ""},
		{"NFS 3", []string{nfs3Line, nfs42Line}, BetweenHolds, "", ""},
		{"NFS 3 without locks", []string{with(strings.Replace(nfs3Line, "local_lock=none", "local_lock=all", 1), "nolock")}, BetweenHolds, "",
			"mount option nolock:"},
		{"local flock", []string{strings.Replace(nfs42Line, "local_lock=none", "local_lock=flock", 1)}, BetweenHolds, "",
			"mount option local_lock=flock:"},
		{"long caches", []string{with(nfs42Line, "actimeo=600")}, BetweenHolds, "", "mount option actimeo=600:"},
		{"short caches", []string{with(nfs42Line, "acregmin=5,acregmax=10,acdirmax=60")}, BetweenHolds, "", ""},
		{"soft", []string{strings.Replace(nfs42Line, "hard", "soft", 1)}, BetweenHolds, "", "mount option soft:"},
		{"nocto", []string{with(nfs42Line, "nocto")}, BetweenDoubt, "mount option nocto:", ""},
		{"mounted twice", []string{nfs42Line, strings.NewReplacer("521", "600", "0:52", "0:60", "/mnt/a", "/mnt/a2").Replace(nfs42Line)},
			BetweenDoubt, "mount option nosharecache:", ""},
		{"another name for it", []string{nfs42Line, strings.NewReplacer("521", "600", "/mnt/a", "/mnt/a2").Replace(nfs42Line)}, BetweenHolds, "",
			""},
		{"mounted by another client", []string{nfs42Line, strings.NewReplacer("521", "600", "0:52", "0:60", "0.0.7", "0.0.8").Replace(nfs42Line)},
			BetweenHolds, "", ""},
		{"SMB", []string{cifsLine}, BetweenHolds, "", ""},
		{"SMB, loose", []string{strings.Replace(cifsLine, "strict", "loose", 1)}, BetweenDoubt, "mount option cache=loose:", ""},
		{"SMB, own numbers", []string{strings.Replace(cifsLine, ",serverino", "", 1)}, BetweenHolds, "", "mount option noserverino,"},
		{"SMB, own numbers, no locks", []string{with(strings.Replace(cifsLine, ",serverino", "", 1), "nobrl")}, BetweenDoubt,
			"mount options nobrl and noserverino,", "mount option nobrl:"},
		{"SMB, no locks", []string{with(cifsLine, "nobrl")}, BetweenHolds, "", "mount option nobrl:"},
		{"SMB, no sync", []string{with(cifsLine, "nostrictsync")}, BetweenHolds, "", "mount option nostrictsync:"},
		{"9p", []string{p9Line}, BetweenHolds, "", ""},
		{"9p, loose", []string{with(p9Line, "cache=loose")}, BetweenDoubt, "mount option cache=loose:", ""},
		{"9p, mmap", []string{with(p9Line, "cache=mmap")}, BetweenHolds, "", ""},
		{"9p, loose, in bits", []string{with(p9Line, "cache=f")}, BetweenDoubt, "mount option cache=f:", ""},
		{"9p, mmap, in bits", []string{with(p9Line, "cache=5")}, BetweenHolds, "", ""},
		{"9p, fscache, in bits", []string{with(p9Line, "cache=8f")}, BetweenDoubt, "mount option cache=8f:", ""},
		{"virtiofs", []string{virtioLine}, BetweenUnknown, "", "virtiofs:"},
		{"sshfs", []string{sshfsLine}, BetweenHolds, "", "sshfs:"},
		{"object store", []string{s3Line}, BetweenDoubt, "fuse.s3fs:", ""},
		{"rclone", []string{strings.Replace(s3Line, "s3fs", "rclone", 1)}, BetweenDoubt, "fuse.rclone:", ""},
		{"CephFS", []string{cephLine}, BetweenUnknown, "", "ceph:"},
		{"MooseFS", []string{mooseLine}, BetweenHolds, "", "MooseFS:"},
		{"MooseFS, with a type", []string{moose2Line}, BetweenHolds, "", "MooseFS:"},
		{"no MooseFS", []string{strings.Replace(mooseLine, "mfs", "mine", 1)}, BetweenUnknown, "", ""},
		{"GlusterFS", []string{glusterFS}, BetweenHolds, "", "GlusterFS:"},
		{"CephFS by FUSE", []string{cephFuse}, BetweenHolds, "", "ceph-fuse:"},
		{"nobody knows", []string{strings.Replace(s3Line, "s3fs", "mine", 1)}, BetweenUnknown, "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			all := parseMounts(strings.Join(test.lines, "\n") + "\n")
			if len(all) != len(test.lines) {
				t.Fatalf("read %d mounts", len(all))
			}
			got := all[0].facts(all)
			if got.Between != test.between || !says(got.Doubts, test.doubts) || !says(got.Notes, test.notes) {
				t.Errorf("%s, doubts %q, notes %q", got.Between, got.Doubts, got.Notes)
			}
		})
	}
}

// TestMountCaches: what has to be dropped depends on the kind.
func TestMountCaches(t *testing.T) {
	for line, want := range map[string]Caches{
		mooseLine: {Pages: true}, moose2Line: {Pages: true}, glusterFS: {Synced: true, Listed: true, Removed: true},
		cephFuse: {}, sshfsLine: {}, nfs42Line: {},
	} {
		all := parseMounts(line + "\n")
		if got := all[0].facts(all).Caches; got != want {
			t.Errorf("%s: %+v, want %+v", all[0].Type, got, want)
		}
	}
}

// says reports whether the texts begin so, which are separated by "; ".
func says(texts []string, beginnings string) bool {
	if beginnings == "" {
		return len(texts) == 0
	}
	return slices.EqualFunc(texts, strings.Split(beginnings, "; "), strings.HasPrefix)
}

// TestParseMounts is about lines that aren't simple.
func TestParseMounts(t *testing.T) {
	got := parseMounts(`36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 propagate_from:2 - nfs4 10.0.0.5:/my\040work\134x rw,vers=4.2
37 35 0:5 / /a\040-\040b rw - tmpfs none rw,size=1k
38 35 0:6 / /no-options rw - fuse.mine mine
nothing
39 35 0:7 / /x rw - ext4
x 35 0:7 / /x rw - ext4 /dev/x rw
`)
	want := []string{`nfs4 10.0.0.5:/my work\x rw,noatime,vers=4.2`, "tmpfs none rw,size=1k", "fuse.mine mine rw"}
	var have []string
	for _, m := range got {
		have = append(have, m.Type+" "+m.Source+" "+strings.Join(m.Options, ","))
	}
	if !slices.Equal(have, want) {
		t.Errorf("%q, want %q", have, want)
	}
}

// FuzzParseMounts: foreign text never panics, and what is read has a type.
func FuzzParseMounts(f *testing.F) {
	for _, line := range []string{ext4Line, nfs42Line, cifsLine, p9Line, `1 2 0:1 / / rw - a b\04`, "1 2 3 4 5 6 - x \\"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all := parseMounts(text)
		for i := range all {
			if all[i].Type == "" {
				t.Errorf("no type: %q", text)
			}
			if all[i].facts(all).Between == "" {
				t.Errorf("not judged: %q", text)
			}
		}
	})
}
