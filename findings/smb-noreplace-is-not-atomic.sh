#!/usr/bin/env bash
# Linux 6.1.176 (Debian's user-mode-linux), a share of Samba 4.17.12 by SMB 3.1.1, mounted twice as by two clients (`nosharesock`), and else the
# defaults of both. Both clients give a file of their own the same free name at the same moment, by renameat2 with RENAME_NOREPLACE. The client
# supports the flag. But it only looks whether the name is free, and then asks the server for a rename that replaces what is there. So both calls
# often succeed, and one of the files is gone. With link, one of the two calls always fails.
# Seen: "of 100 pairs of renames, both succeeded in 47; of 100 pairs of links in 0", 40 to 60 in other runs.
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

cat >at/race.py <<'PY'
import ctypes, os, threading

libc = ctypes.CDLL(None)

def rename(old, new):
    """Returns whether it was made."""
    return libc.renameat2(-100, old.encode(), -100, new.encode(), 1) == 0

def link(old, new):
    try:
        os.link(old, new)
        return True
    except FileExistsError:
        return False

def both(call, name):
    """How often two clients succeed at the same moment, of 100 times."""
    n = 0
    for i in range(100):
        start, made = threading.Barrier(2), []
        def go(at):
            start.wait()
            made.append(call('%s/%s-%d' % (at, at[1:], i), '%s/%s%d' % (at, name, i)))
        for at in ('/mnt', '/media'):
            with open('%s/%s-%d' % (at, at[1:], i), 'w') as f:
                f.write(at)
        threads = [threading.Thread(target=go, args=(at,)) for at in ('/mnt', '/media')]
        for t in threads: t.start()
        for t in threads: t.join()
        n += made == [True, True]
        for at in ('/mnt', '/media'):
            if os.path.exists('/run/shared/%s-%d' % (at[1:], i)):
                os.remove('/run/shared/%s-%d' % (at[1:], i))
    return n

renames, links = both(rename, 'r'), both(link, 'l')
print('of 100 pairs of renames, both succeeded in %d; of 100 pairs of links in %d' % (renames, links), flush=True)
assert renames >= 10 and links == 0
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
python3 race.py >seen 2>>log && touch well
echo o >/proc/sysrq-trigger
sleep 60
SH
chmod +x at/init
timeout 500 usr/bin/linux.uml mem=512M root=none rootfstype=hostfs rootflags=/ ro quiet con=null con0=null,fd:1 init="$dir/at/init" >boot 2>&1 </dev/null || true
cat at/seen || cat boot
[ -e at/well ] || { tail at/log; exit 1; }
