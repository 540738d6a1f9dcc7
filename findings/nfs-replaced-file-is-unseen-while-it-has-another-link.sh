#!/usr/bin/env bash
# Linux 6.1.176 (Debian's user-mode-linux) as a server of NFS 4.2 and as two clients with their own networks, and the defaults. One replaces a file
# by a rename, as editors do it; the other one, which has read the file before, opens and reads it after that. NFS is known for close-to-open: an
# open sees what was there when it was closed elsewhere. For what is written in place that is so. But an open of a name that the client
# remembers asks the server for the old file by its handle, not for the name. If the old file still exists, since it has another link, such as a backup,
# or since somebody has it open, that goes well, and the old content is read for half a minute. A listing of the directory makes the client look again.
# Seen: "stale opens: written in place 0 of 10; replaced, with a link to the old file 10, for 30 s; then after a listing 0".
# Needs root on Debian 12, and two minutes. Nothing is installed.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir -p debs/partial at
apt-get install -qqy --download-only --reinstall --no-install-recommends -o DPkg::Lock::Timeout=300 -o APT::Sandbox::User=root -o Dir::Cache::archives="$dir/debs" \
	user-mode-linux=6.1um4+b13 nfs-kernel-server=1:2.6.2-4+deb12u1 nfs-common=1:2.6.2-4+deb12u1 rpcbind libtirpc-common iproute2 kmod python3-minimal >/dev/null
for package in debs/*.deb; do dpkg -x "$package" .; done
for d in bin lib sbin; do cp -a $d/. usr/$d/ 2>/dev/null || true; done
ln -s uml/modules usr/lib/modules

cat >at/read.py <<'PY'
import os, time

def write(name, text):
    with open(name, 'w') as f:
        f.write(text)

def read(name):
    with open(name) as f:
        return f.read()

def stale(case, link, listing):
    n, seconds = 0, 0
    for i in range(10):
        a, b = (f'/mnt/{client}/{case}{i}' for client in ('1', '2'))
        os.mkdir(a)
        write(a + '/file', 'old')
        assert read(b + '/file') == 'old'
        if link:
            os.link(a + '/file', a + '/file~')
            write(a + '/new', 'newer')
            os.rename(a + '/new', a + '/file')
        else:
            write(a + '/file', 'newer')
        began = time.time()
        if listing:
            os.listdir(b)
        n += read(b + '/file') == 'old'
        while i == 0 and read(b + '/file') == 'old':
            time.sleep(0.5)
            seconds = time.time() - began
    return n, seconds

place, link, listed = stale('place', False, False), stale('link', True, False), stale('listed', True, True)
print('stale opens: written in place %d of 10; replaced, with a link to the old file %d, for %.0f s; then after a listing %d' % (place[0], *link, listed[0]))
assert place[0] == 0 and link[0] > 8 and link[1] > 5 and listed[0] == 0
PY
# The machine's root is that of this one, and can't be written to.
cat >at/init <<'SH'
#!/bin/bash
export PATH=/usr/sbin:/usr/bin
dir=${0%/at/init}
mount -t hostfs -o "$dir/at" none "$dir/at"
mount -t proc none /proc
mount -t sysfs none /sys
cd "$dir/at"
{
	(export LD_LIBRARY_PATH=$dir/usr/lib/x86_64-linux-gnu; exec -a insmod "$dir/usr/bin/kmod" "$dir"/usr/lib/modules/*/kernel/fs/overlayfs/overlay.ko)
	mount -t overlay none -o "lowerdir=$dir/usr:/usr" /usr
	for d in /run /var /mnt /media; do mount -t tmpfs none $d; done
	mkdir -p /run/{rpcbind,up,work} /var/lib/nfs /mnt/{1,2} /media/shared
	ln -s /run /var/run
	mount -t overlay none -o "lowerdir=$dir/etc:/etc,upperdir=/run/up,workdir=/run/work" /etc
	echo _rpc:x:130:65534::/run:/bin/false >>/etc/passwd
	modprobe -a veth nfsd nfsv4
	ip link set lo up
	mount -t nfsd none /proc/fs/nfsd
	echo 10 | tee /proc/fs/nfsd/nfsv4leasetime >/proc/fs/nfsd/nfsv4gracetime # so that it is ready after 10 s, not 90
	rpcbind -w
	touch /etc/exports /var/lib/nfs/{etab,rmtab}
	exportfs -o rw,no_root_squash,fsid=0,insecure,no_subtree_check '*:/media/shared'
	rpc.mountd
	rpc.nfsd 4
	for c in 1 2; do
		ip netns add c$c
		ip link add v$c type veth peer name e$c netns c$c
		ip addr add 10.9.$c.1/24 dev v$c
		ip link set v$c up
		# Each client has an identifier of its own, since with the same one they are one client for the server.
		nsenter --net=/run/netns/c$c unshare -m sh -c "mount -t sysfs none /sys; echo client$c >/sys/fs/nfs/net/nfs_client/identifier
			ip addr add 10.9.$c.2/24 dev e$c; ip link set e$c up"
		nsenter --net=/run/netns/c$c mount -t nfs4 -o vers=4.2 10.9.$c.1:/ /mnt/$c
	done
} >log 2>&1
python3 read.py >seen 2>>log && touch well
echo o >/proc/sysrq-trigger
sleep 60
SH
chmod +x at/init
timeout 500 usr/bin/linux.uml mem=512M root=none rootfstype=hostfs rootflags=/ ro quiet con=null con0=null,fd:1 init="$dir/at/init" >boot 2>&1 </dev/null || true
cat at/seen || cat boot
[ -e at/well ] || { tail at/log; exit 1; }
