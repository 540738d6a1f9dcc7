#!/usr/bin/env bash
# Linux 6.1.176 (Debian's user-mode-linux) as a server of NFS 4.2 and as two clients with their own networks, and the defaults. A program on one of them
# has a file open for writing, as loggers and editors do, and writes nothing; the other client changes four bytes in place, or appends a line, and closes.
# NFS is known for close-to-open: whoever opens the file after that sees what was written. But as long as the first program has it open, nobody on its
# machine does: a new open reads the old four bytes, and after the append the new size, with a NUL byte for each new one. stat and a listing tell
# the right size and change nothing. So an edit by any program there undoes what the other client wrote. A read with O_DIRECT is right.
# Seen, in 10 tries each: "overwrite: right 10, old 0, old and NUL bytes 0, with O_DIRECT right 10; overwrite, held: right 0, old 10, old and NUL bytes 0,
# with O_DIRECT right 10; append: right 10, old 0, old and NUL bytes 0, with O_DIRECT right 10; append, held: right 0, old 0, old and NUL bytes 10, with
# O_DIRECT right 10".
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
import mmap, os

def read(name):
    with open(name, 'rb') as f:
        return f.read()

def direct(name):
    f = os.open(name, os.O_RDONLY | os.O_DIRECT)
    block = mmap.mmap(-1, 4096)
    n = os.readv(f, [block])
    os.close(f)
    return block[:n]

def overwrite(name):
    f = os.open(name, os.O_WRONLY)
    os.pwrite(f, b'1111', 0)
    os.close(f)

def append(name):
    with open(name, 'ab') as f:
        f.write(b'more')

def seen(change, is_held):
    answers = []
    for i in range(10):
        a, b = (f'/mnt/{client}/{change.__name__}{is_held}{i}' for client in ('1', '2'))
        with open(a, 'wb') as f:
            f.write(b'0000')
        assert read(b) == b'0000'
        held = os.open(b, os.O_WRONLY | os.O_APPEND) if is_held else -1
        change(a)
        answer = read(b)
        os.listdir('/mnt/2')
        assert os.stat(b).st_size == len(read(a)) and read(b) == answer
        answers.append((answer == read(a), answer == b'0000', answer == b'0000' + bytes(4), direct(b) == read(a)))
        if is_held:
            os.close(held)
    return tuple(sum(column) for column in zip(*answers))

text = '%s: right %d, old %d, old and NUL bytes %d, with O_DIRECT right %d'
counts = {(change, is_held): seen(change, is_held) for change in (overwrite, append) for is_held in (False, True)}
print('; '.join(text % (f'{change.__name__}{", held" if is_held else ""}', *count) for (change, is_held), count in counts.items()))
assert list(counts.values()) == [(10, 0, 0, 10), (0, 10, 0, 10), (10, 0, 0, 10), (0, 0, 10, 10)]
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
