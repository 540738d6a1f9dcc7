#!/usr/bin/env bash
# Linux 6.1.176 (Debian's user-mode-linux), a share of Samba 4.17.12 by SMB 3.1.1, mounted twice as by two clients (`nosharesock`), and else the
# defaults of both. One client writes a file, and three seconds later, when all that it remembers has expired (`actimeo` is 1 s), the other one renames
# it. Without a listing, the first client then says that nothing has the old name. But if it lists the directory first, which shows the new name only,
# stat finds the file by both names: the listing brings the attributes of the file, and with them the client takes the name that it remembers for
# fresh. Only an open and a statx with AT_STATX_FORCE_SYNC ask the server. A rename back to the old name says that it has succeeded, and does nothing,
# since the two names are one file to the kernel; with RENAME_NOREPLACE it says that the name is taken.
# Seen: "without a listing: old name False; after a listing: ['new'], stat of the old name True, rename back succeeds True, noreplace errno 17, the
# server has ['new'], open False, forced stat False, then stat False, rename back: the server has ['old']", five times of five.
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

cat >at/rename.py <<'PY'
import ctypes, os, time

libc = ctypes.CDLL(None, use_errno=True)

def noreplace(old, new):
    return 0 if libc.renameat2(-100, old.encode(), -100, new.encode(), 1) == 0 else ctypes.get_errno()

def forced(path):  # AT_SYMLINK_NOFOLLOW | AT_STATX_FORCE_SYNC, STATX_BASIC_STATS
    return libc.statx(-100, path.encode(), 0x100 | 0x2000, 0x7ff, ctypes.create_string_buffer(256)) == 0

def opens(path):
    try:
        open(path).close()
    except FileNotFoundError:
        return False
    return True

def renamed(n):
    here, there = '/mnt/%d/' % n, '/media/%d/' % n
    os.mkdir(there)
    with open(here + 'old', 'w') as f:
        f.write('text')
    os.stat(here + 'old')
    time.sleep(3)
    os.rename(there + 'old', there + 'new')
    return here, '/run/shared/%d' % n

for n in range(0, 10, 2):
    here, _ = renamed(n)
    seen = 'without a listing: old name %s; ' % os.path.exists(here + 'old')
    here, served = renamed(n + 1)
    seen += 'after a listing: %s, ' % [e.name for e in os.scandir(here) if e.stat()]
    seen += 'stat of the old name %s, ' % os.path.exists(here + 'old')
    os.rename(here + 'new', here + 'old')
    seen += 'rename back succeeds True, noreplace errno %d, the server has %s, ' % (noreplace(here + 'new', here + 'old'), os.listdir(served))
    os.scandir(here).close()
    seen += 'open %s, forced stat %s, ' % (opens(here + 'old'), forced(here + 'old'))
    seen += 'then stat %s, ' % os.path.exists(here + 'old')
    os.rename(here + 'new', here + 'old')
    seen += 'rename back: the server has %s' % os.listdir(served)
    print(seen, flush=True)
    assert seen == ("without a listing: old name False; after a listing: ['new'], stat of the old name True, rename back succeeds True, "
                    "noreplace errno 17, the server has ['new'], open False, forced stat False, then stat False, "
                    "rename back: the server has ['old']"), seen
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
python3 rename.py >seen 2>>log && touch well
echo o >/proc/sysrq-trigger
sleep 60
SH
chmod +x at/init
timeout 500 usr/bin/linux.uml mem=512M root=none rootfstype=hostfs rootflags=/ ro quiet con=null con0=null,fd:1 init="$dir/at/init" >boot 2>&1 </dev/null || true
cat at/seen || cat boot
[ -e at/well ] || { tail at/log; exit 1; }
