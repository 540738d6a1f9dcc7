#!/usr/bin/env bash
# Linux 6.1.176 (Debian's user-mode-linux), a share of Samba 4.17.12 by SMB 3.1.1, mounted twice as by two clients (`nosharesock`), and else
# the defaults of both. One client has looked at a directory. The other one renames it, and the first looks at it by its new name. Two names
# of one directory can only be an error of the server to the kernel, and the old one is still in its cache: it turns `serverino` off, in the
# log with a hint to hard links, and for as long as the share is mounted. Ten seconds later, long after the old name has to be asked about
# again, it still did so two times of three. From then on it gives files numbers of its own. Two links to a file look like two files, so that
# tar and rsync -H store both, and du counts both; a program that knows a file by its number finds another one when it looks again later. No
# option was given, and nothing has failed. /proc/mounts says it: the option is gone.
# Seen: "before: serverino True, links are one file True, number is the server's True; after a directory was renamed: False, False, False",
# three times of three.
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
import os, subprocess

def look(n):
    """Whether the first client's mount has serverino, whether two links are one file there, and whether its number is the server's."""
    served = '/run/shared/a%d' % n
    open(served, 'w').close()
    os.link(served, served + 'b')
    with open('/proc/mounts') as mounts:
        options = next(line for line in mounts if line.split()[1] == '/mnt').split()[3].split(',')
    first, second = (os.stat('/mnt/' + name).st_ino for name in ('a%d' % n, 'a%db' % n))
    return 'serverino' in options, first == second, first == os.stat(served).st_ino

for n in range(0, 6, 2):
    subprocess.run(['umount', '/mnt'], check=True)
    subprocess.run('mount -t cifs -o username=root,password=x,vers=3.1.1,nosharesock //127.0.0.1/s /mnt'.split(), check=True)
    os.mkdir('/media/d%d' % n)
    os.stat('/mnt/d%d' % n)
    before = look(n)
    os.rename('/media/d%d' % n, '/media/e%d' % n)
    os.stat('/mnt/e%d' % n)
    after = look(n + 1)
    seen = "before: serverino %s, links are one file %s, number is the server's %s; after a directory was renamed: %s, %s, %s" % (before + after)
    print(seen, flush=True)
    assert before == (True, True, True) and after == (False, False, False), seen
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
