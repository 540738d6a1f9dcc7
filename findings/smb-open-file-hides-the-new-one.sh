#!/usr/bin/env bash
# Linux 6.1.176 (Debian's user-mode-linux), a share of Samba 4.17.12 by SMB 3.1.1, mounted twice as by two clients (`nosharesock`), and else the
# defaults of both. A program on one client has a file open, just for reading. The other client puts a new one in its place, by two renames, as
# editors do. Until the program closes the file, everybody on the first client gets the old one by that name: stat, even with AT_STATX_FORCE_SYNC,
# tells its inode number and size, and open and read give its text, with no error. If it is opened with other flags than those of the program, open
# fails with EINVAL. A listing has the new number, and so has CIFS_QUERY_INFO, an ioctl that asks the server by name.
# Seen: "stat old, forced old, text b'old', other flags Invalid argument, listing new, ioctl new; closed: stat new, text b'newer'".
# Needs root on Debian 12, and one minute. Nothing is installed.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir -p debs/partial at
apt-get install -qqy --download-only --reinstall --no-install-recommends -o DPkg::Lock::Timeout=300 -o APT::Sandbox::User=root -o Dir::Cache::archives="$dir/debs" \
	user-mode-linux=6.1um4+b13 samba=2:4.17.12+dfsg-0+deb12u4 cifs-utils=2:7.0-2 kmod python3-minimal >/dev/null
for package in debs/*.deb; do dpkg -x "$package" .; done
for d in bin lib sbin; do cp -a $d/. usr/$d/ 2>/dev/null || true; done
ln -s uml/modules usr/lib/modules

cat >at/hidden.py <<'PY'
import ctypes, fcntl, os, struct, time

libc = ctypes.CDLL(None)
same = os.O_RDONLY | os.O_NOFOLLOW

def forced(path):
    """Asks statx with AT_STATX_FORCE_SYNC for the inode number."""
    buffer = ctypes.create_string_buffer(256)
    assert libc.statx(-100, path.encode(), 0x2000, 0x100, buffer) == 0
    return struct.unpack_from('<Q', buffer, 0x20)[0]

def by_name(fd):
    """Asks the server which number what has the name of the file has: FileInternalInformation."""
    query = bytearray(struct.pack('<6I8x', 1, 6, 0, 0, 8, 0))
    fcntl.ioctl(fd, 0xc018cf07, query, True)
    return struct.unpack_from('<Q', query, 24)[0]

def text(path):
    fd = os.open(path, same)
    got, number = os.read(fd, 100), by_name(fd)
    os.close(fd)
    return got, number

def put(path, content):
    with open(path, 'w') as f:
        f.write(content)

for n in range(3):
    at, other = '/mnt/a%d' % n, '/media/a%d' % n
    put(other, 'old')
    time.sleep(2)
    fd = os.open(at, same)
    old = os.fstat(fd).st_ino
    put(other + '.new', 'newer')
    os.rename(other, other + '.old')
    os.rename(other + '.new', other)
    new = os.stat(other).st_ino
    which = {old: 'old', new: 'new'}
    try:
        flags = os.open(at, os.O_RDONLY)
    except OSError as e:
        flags = e.strerror
    stat, sync, (got, number) = os.stat(at).st_ino, forced(at), text(at)
    listed = [e.inode() for e in os.scandir('/mnt') if e.name == 'a%d' % n][0]
    os.close(fd)
    time.sleep(2)
    seen = 'stat %s, forced %s, text %s, other flags %s, listing %s, ioctl %s; closed: stat %s, text %s' % (
        which[stat], which[sync], got, flags, which[listed], which[number], which[os.stat(at).st_ino], text(at)[0])
    print(seen, flush=True)
    assert seen == "stat old, forced old, text b'old', other flags Invalid argument, listing new, ioctl new; closed: stat new, text b'newer'"
PY
# The machine's root is that of this one, and can't be written to.
cat >at/init <<'SH'
#!/bin/bash
export PATH=/usr/sbin:/usr/bin
dir=${0%/at/init}
mount -t hostfs -o "$dir/at" none "$dir/at"
mount -t proc none /proc
cd "$dir/at"
{
	(export LD_LIBRARY_PATH=$dir/usr/lib/x86_64-linux-gnu; exec -a insmod "$dir/usr/bin/kmod" "$dir"/usr/lib/modules/*/kernel/fs/overlayfs/overlay.ko)
	mount -t overlay none -o "lowerdir=$dir/usr:/usr" /usr
	for d in /run /var; do mount -t tmpfs none $d; done
	mkdir -p /run/{samba,shared} /var/{cache,lib,log}/samba /var/lib/samba/private
	modprobe -a nls_utf8 cifs
	ip link set lo up
	printf '[s]\npath = /run/shared\nread only = no\n' >/run/smb.conf
	printf 'x\nx\n' | smbpasswd -c /run/smb.conf -s -a root
	smbd -D -s /run/smb.conf
	for at in /mnt /media; do
		until mount -t cifs -o username=root,password=x,vers=3.1.1,nosharesock //127.0.0.1/s $at; do sleep 0.5; done
	done
} >log 2>&1
python3 hidden.py >seen 2>>log && touch well
echo o >/proc/sysrq-trigger
sleep 60
SH
chmod +x at/init
timeout 500 usr/bin/linux.uml mem=512M root=none rootfstype=hostfs rootflags=/ ro quiet con=null con0=null,fd:1 init="$dir/at/init" >boot 2>&1 </dev/null || true
cat at/seen || cat boot
[ -e at/well ] || { tail at/log; exit 1; }
