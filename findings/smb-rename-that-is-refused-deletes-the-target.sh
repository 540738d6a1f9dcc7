#!/usr/bin/env bash
# Linux 6.1.176 (Debian's user-mode-linux) with a share of Samba 4.17.12 by SMB 3.1.1, and the defaults of both. A program replaces a file by a
# rename, as editors do, while a process on the same machine has that file open, if only to read it. The rename fails with EACCES, and the file that
# it should have replaced is deleted: once the reader closes it, it is gone for all. The server refuses to replace a file that is open. So the client
# deletes the target, which takes effect at the last close, and renames again, which is refused as well. The new content stays under its other name.
# A rename of the open file to another name works. Seen: "file closed: renamed 10 of 10, target lost 0; open: renamed 0 of 10, target lost 10".
# Needs root on Debian 12, and a minute. Nothing is installed.
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

cat >at/replace.py <<'PY'
import os, time

def write(name, text):
    with open('/mnt/' + name, 'w') as f:
        f.write(text)

def replace(opens):
    renamed = lost = 0
    for i in range(10):
        write(f'{opens}{i}', 'old')
        write('new', 'new')
        reader = opens and open(f'/mnt/{opens}{i}')
        try:
            os.rename('/mnt/new', f'/mnt/{opens}{i}')
            renamed += 1
        except PermissionError:
            pass
        if reader:
            reader.close()
        time.sleep(1.5) # the client puts off what it tells the server of a close by a second
        lost += not os.path.exists(f'/run/shared/{opens}{i}') and open('/run/shared/new').read() == 'new'
    return renamed, lost

closed, opened = replace(0), replace(1)
print('file closed: renamed %d of 10, target lost %d; open: renamed %d of 10, target lost %d' % (closed + opened))
assert closed == (10, 0) and opened == (0, 10)
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
	until mount -t cifs -o username=root,password=x,vers=3.1.1 //127.0.0.1/s /mnt; do sleep 0.5; done
} >log 2>&1
python3 replace.py >seen 2>>log && touch well
echo o >/proc/sysrq-trigger
sleep 60
SH
chmod +x at/init
timeout 500 usr/bin/linux.uml mem=512M root=none rootfstype=hostfs rootflags=/ ro quiet con=null con0=null,fd:1 init="$dir/at/init" >boot 2>&1 </dev/null || true
cat at/seen || cat boot
[ -e at/well ] || { tail at/log; exit 1; }
