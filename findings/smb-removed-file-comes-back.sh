#!/usr/bin/env bash
# Linux 6.1.176 (Debian's user-mode-linux), a share of Samba 4.17.12 by SMB 3.1.1, mounted twice as by two clients (`nosharesock`), and else the
# defaults of both. One client writes a file and renames it to a name, again and again. The other one renames what has that name to a name that nobody
# else uses, and removes it. The removal succeeds, and right after it the file is not there. But in some percent of the cases it is there five seconds
# later, for both clients, whole, and stays until somebody removes it again. On SMB a removal takes effect when the last client closes the file, and
# the first client tells the server of its close up to a second late. The removal should take effect then.
# Seen: "removed: 1387, not there right after: 1387, there five seconds later: 63, whole: 63, there after a second removal: 0".
# Needs root on Debian 12, and two minutes. Nothing is installed.
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

cat >at/remove.py <<'PY'
import os, subprocess, sys, time

def replace(end):
    while time.time() < end:
        with open('/media/new', 'w') as f:
            f.write('x' * 10000)
        try:
            os.rename('/media/new', '/media/a')
        except OSError:
            pass

def remove(end):
    removed, gone = [], 0
    while time.time() < end:
        name = 'old%d' % len(removed)
        try:
            os.rename('/mnt/a', '/mnt/' + name)
            os.unlink('/mnt/' + name)
        except OSError:
            continue
        removed.append(name)
        gone += not os.path.exists('/mnt/' + name)
    time.sleep(5)
    stay = [n for n in removed if os.path.exists('/run/shared/' + n)]
    whole = sum(os.path.getsize('/media/' + n) == 10000 for n in stay)
    for n in stay:
        os.unlink('/mnt/' + n)
    time.sleep(5)
    again = sum(os.path.exists('/run/shared/' + n) for n in stay)
    print('removed: %d, not there right after: %d, there five seconds later: %d, whole: %d, there after a second removal: %d' %
          (len(removed), gone, len(stay), whole, again), flush=True)
    assert gone == len(removed) and len(stay) == whole > 0 == again

end = time.time() + 40
if len(sys.argv) > 1:
    replace(end)
else:
    p = subprocess.Popen([sys.executable, __file__, 'replace'])
    try:
        remove(end)
    finally:
        p.wait()
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
python3 remove.py >seen 2>>log && touch well
echo o >/proc/sysrq-trigger
sleep 60
SH
chmod +x at/init
timeout 500 usr/bin/linux.uml mem=512M root=none rootfstype=hostfs rootflags=/ ro quiet con=null con0=null,fd:1 init="$dir/at/init" >boot 2>&1 </dev/null || true
cat at/seen || cat boot
[ -e at/well ] || { tail at/log; exit 1; }
