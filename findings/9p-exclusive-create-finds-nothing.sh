#!/usr/bin/env bash
# Linux 6.1.176 (Debian's user-mode-linux) with a folder of diod 1.0.24 mounted by 9p twice, and the defaults of both. Two processes, one on each
# mount, take turns with a lock file: each makes it with O_CREAT and O_EXCL, and removes it. That should fail with EEXIST, or succeed. But one to two
# in a hundred tries fail with ENOENT, as if the directory were gone: the client first asks for the file by name, then for its attributes, and
# between the two the other process has removed it. A program that takes ENOENT for a missing directory goes wrong.
# No file was ever made by both. Seen: "made: 2799, EEXIST: 9157, ENOENT: 139; made by both: 0".
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

cat >at/lock.py <<'PY'
import collections, errno, os, subprocess, sys, time

def take_turns(mount, seconds):
    seen, name, end = collections.Counter(), mount + '/lock', time.time() + seconds
    while time.time() < end:
        try:
            f = os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644)
        except OSError as e:
            seen[errno.errorcode[e.errno]] += 1
            continue
        seen['made'] += 1
        os.write(f, b'x')
        seen['both'] += os.fstat(f).st_size != 1
        os.close(f)
        os.unlink(name)
    return seen

if len(sys.argv) > 1:
    print(repr(dict(take_turns(sys.argv[1], 20))))
else:
    both = [subprocess.Popen([sys.executable, __file__, mount], stdout=subprocess.PIPE) for mount in ('/mnt', '/media')]
    seen = collections.Counter()
    for p in both:
        seen.update(eval(p.communicate()[0]))
    print('made: %(made)d, EEXIST: %(EEXIST)d, ENOENT: %(ENOENT)d; made by both: %(both)d' % seen)
    assert seen['ENOENT'] > 0 and seen['both'] == 0 and seen['EEXIST'] > seen['ENOENT'], seen
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
	for at in /mnt /media; do
		until mount -t 9p -o trans=tcp,version=9p2000.L,aname=/run/shared,uname=root,access=user 127.0.0.1 $at; do sleep 0.5; done
	done
} >log 2>&1
python3 lock.py >seen 2>>log && touch well
echo o >/proc/sysrq-trigger
sleep 60
SH
chmod +x at/init
timeout 500 usr/bin/linux.uml mem=512M root=none rootfstype=hostfs rootflags=/ ro quiet con=null con0=null,fd:1 init="$dir/at/init" >boot 2>&1 </dev/null || true
cat at/seen || cat boot
[ -e at/well ] || { tail at/log; exit 1; }
