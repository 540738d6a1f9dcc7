#!/usr/bin/env bash
# Linux 6.1.176 (Debian's user-mode-linux), a share of Samba 4.17.12 by SMB 3.1.1, mounted twice as by two clients (`nosharesock`), and else the
# defaults of both. One client has a file open. The other one renames the file and makes a new one of the old name, as editors do. What the first
# client writes through its open file goes to the renamed one, as anywhere. But if the server is started again in between, the client opens the file
# once more by its name, without a word: a write, an fsync and a read through the descriptor succeed, and are of the new file. The renamed file gets
# nothing. Only fstat fails.
# Seen: "without a restart: renamed 'first line', new 'new one', write 10, fsync None, read b'first line', same inode True; after a restart: renamed
# 'old', new 'first line', write 10, fsync None, read b'first line', same inode Stale file handle", three times of three.
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

cat >at/reopen.py <<'PY'
import os, subprocess, time

def content(name):
    with open('/run/shared/' + name) as f:
        return f.read()

def write(restart, n):
    a, old = 'a%d' % n, 'old%d' % n
    with open('/media/' + a, 'w') as f:
        f.write('old')
    fd = os.open('/mnt/' + a, os.O_RDWR)
    inode = os.fstat(fd).st_ino
    os.rename('/media/' + a, '/media/' + old)
    with open('/media/' + a, 'w') as f:
        f.write('new one')
    time.sleep(2)
    if restart:
        subprocess.run('kill -9 $(pidof smbd)', shell=True)
        time.sleep(1)
        subprocess.run(['smbd', '-D', '-s', '/run/smb.conf'])
        time.sleep(1)
    seen = []
    for what, call in (('write', lambda: os.pwrite(fd, b'first line', 0)), ('fsync', lambda: os.fsync(fd)),
                       ('read', lambda: os.pread(fd, 100, 0)), ('same inode', lambda: os.fstat(fd).st_ino == inode)):
        try:
            seen.append('%s %s' % (what, call()))
        except OSError as e:
            seen.append('%s %s' % (what, e.strerror))
    os.close(fd)
    time.sleep(2)
    return 'renamed %r, new %r, %s' % (content(old), content(a), ', '.join(seen))

for n in range(0, 6, 2):
    seen = 'without a restart: %s; after a restart: %s' % (write(False, n), write(True, n + 1))
    print(seen, flush=True)
    assert seen == ("without a restart: renamed 'first line', new 'new one', write 10, fsync None, read b'first line', same inode True; "
                    "after a restart: renamed 'old', new 'first line', write 10, fsync None, read b'first line', same inode Stale file handle")
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
python3 reopen.py >seen 2>>log && touch well
echo o >/proc/sysrq-trigger
sleep 60
SH
chmod +x at/init
timeout 500 usr/bin/linux.uml mem=512M root=none rootfstype=hostfs rootflags=/ ro quiet con=null con0=null,fd:1 init="$dir/at/init" >boot 2>&1 </dev/null || true
cat at/seen || cat boot
[ -e at/well ] || { tail at/log; exit 1; }
