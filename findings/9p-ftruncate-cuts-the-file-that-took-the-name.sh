#!/usr/bin/env bash
# Linux 6.1.176 (Debian's user-mode-linux) with a folder of diod 1.0.24 mounted by 9p, and the defaults of both. A program has a file open, for reading and
# writing; then another file is renamed to its name. What the program reads and writes is the old file, as everywhere. But ftruncate and
# fchmod of the same descriptor change the new file, and fstat describes the new one, without an error: for these the server goes by the path that it keeps
# for each open file. So a program that truncates its old file truncates the one that has replaced it. One client is enough.
# Seen: "read: the old file 10 of 10; fstat: the new one 10; ftruncate: the new one 10; fchmod: the new one 10".
# Needs root on Debian 12, and a minute. Nothing is installed.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir -p debs/partial at
apt-get install -qqy --download-only --reinstall --no-install-recommends -o DPkg::Lock::Timeout=300 -o APT::Sandbox::User=root -o Dir::Cache::archives="$dir/debs" \
	user-mode-linux=6.1um4+b13 diod=1.0.24-5 kmod python3-minimal >/dev/null
for package in debs/*.deb; do dpkg -x "$package" .; done
for d in bin lib sbin; do cp -a $d/. usr/$d/ 2>/dev/null || true; done
ln -s uml/modules usr/lib/modules

cat >at/replace.py <<'PY'
import os

def write(name, text):
    with open(name, 'w') as f:
        f.write(text)

seen = [0, 0, 0, 0]
for i in range(10):
    name = f'/mnt/{i}'
    write(name, 'old')
    f = os.open(name, os.O_RDWR)
    write('/mnt/new', 'new content')
    os.rename('/mnt/new', name)
    seen[1] += os.fstat(f).st_size == 11
    os.ftruncate(f, 2)
    os.fchmod(f, 0o600)
    seen[0] += os.pread(f, 100, 0) == b'old'
    there = f'/run/shared/{i}' # at the server
    seen[2] += open(there).read() == 'ne'
    seen[3] += os.stat(there).st_mode & 0o777 == 0o600
    os.close(f)
print('read: the old file %d of 10; fstat: the new one %d; ftruncate: the new one %d; fchmod: the new one %d' % tuple(seen))
assert seen == [10] * 4
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
	mkdir -p /run/shared /var/run
	modprobe -a 9p 9pnet_fd
	ip link set lo up
	diod -n -e /run/shared -l 127.0.0.1:564
	until mount -t 9p -o trans=tcp,version=9p2000.L,aname=/run/shared,uname=root,access=user 127.0.0.1 /mnt; do sleep 0.5; done
} >log 2>&1
python3 replace.py >seen 2>>log && touch well
echo o >/proc/sysrq-trigger
sleep 60
SH
chmod +x at/init
timeout 500 usr/bin/linux.uml mem=512M root=none rootfstype=hostfs rootflags=/ ro quiet con=null con0=null,fd:1 init="$dir/at/init" >boot 2>&1 </dev/null || true
cat at/seen || cat boot
[ -e at/well ] || { tail at/log; exit 1; }
