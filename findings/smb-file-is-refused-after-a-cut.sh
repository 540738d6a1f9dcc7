#!/usr/bin/env bash
# Linux 6.1.176 (Debian's user-mode-linux), a share of Samba 4.17.12 by SMB 3.1.1, mounted by two clients with their own networks, and the defaults of
# both. One client has two files open while its network is cut. The other one opens the first of them, so that Samba has to tell the client that
# is cut, and ends the process that serves it. Back on the network, the client renames the second file, which works, and can't open it any more, for as
# long as one waits: EINVAL, although nobody has it open, and stat is right. The other client reads it. Samba has kept records of leases whose files
# nobody has open (leases.tdb), with the old name, and Linux asks for a lease by the same key again.
# Seen: "renamed; opened: Invalid argument 20 times in 20 s; other client: text; open files on the server: 0, records of leases: asked new".
# Needs root on Debian 12, and one minute. Nothing is installed.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir -p debs/partial at
apt-get install -qqy --download-only --reinstall --no-install-recommends -o DPkg::Lock::Timeout=300 -o APT::Sandbox::User=root -o Dir::Cache::archives="$dir/debs" \
	user-mode-linux=6.1um4+b13 samba=2:4.17.12+dfsg-0+deb12u4 cifs-utils=2:7.0-2 kmod python3-minimal iproute2 tdb-tools >/dev/null
for package in debs/*.deb; do dpkg -x "$package" .; done
for d in bin lib sbin; do cp -a $d/. usr/$d/ 2>/dev/null || true; done
ln -s uml/modules usr/lib/modules

cat >at/lease.py <<'PY'
import os, re, subprocess, time

def opened(path):
    try:
        with open(path) as f:
            return f.read()
    except OSError as e:
        return e.strerror

def run(command):
    return subprocess.run(command.split(), capture_output=True, text=True).stdout

with open('/media/asked', 'w') as f:
    f.write('text')
time.sleep(2)
held = [os.open('/mnt/' + name, os.O_RDWR | os.O_CREAT) for name in ('asked', 'new')]
os.write(held[1], b'text')
os.fsync(held[1])
run('ip link set v1 down')
opened('/media/asked')
for fd in held:
    os.close(fd)
run('ip link set v1 up')
while True:
    try:
        os.rename('/mnt/new', '/mnt/renamed')
        break
    except OSError as e: # the client isn't connected yet
        print(e, flush=True)
        time.sleep(1)
refused = 0
for _ in range(20):
    refused += opened('/mnt/renamed') == 'Invalid argument'
    time.sleep(1)
assert os.stat('/mnt/renamed').st_size == 4
files = run('smbstatus -s /run/smb.conf -L').count('/run/shared')
left = ' '.join(sorted(re.findall(r'\\00(asked|new)\\00', run('tdbdump /run/samba/leases.tdb'))))
other = opened('/media/renamed')
print(f'renamed; opened: Invalid argument {refused} times in 20 s; other client: {other}; open files on the server: {files}, records of leases: {left}')
assert (refused, other, files, left) == (20, 'text', 0, 'asked new')
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
	for d in /run /var; do mount -t tmpfs none $d; done
	mkdir -p /run/{samba,shared} /var/{cache,lib,log}/samba /var/lib/samba/private
	modprobe -a nls_utf8 cifs veth loop
	truncate -s 64M /run/img && mkfs.ext4 -q -F /run/img && mount -o loop /run/img /run/shared
	ip link set lo up
	printf '[s]\npath = /run/shared\nread only = no\n' >/run/smb.conf
	printf 'x\nx\n' | smbpasswd -c /run/smb.conf -s -a root
	for c in 1 2; do
		ip netns add c$c
		ip link add v$c type veth peer name e$c netns c$c
		ip addr add 10.9.$c.1/24 dev v$c
		ip link set v$c up
		nsenter --net=/run/netns/c$c sh -c "ip addr add 10.9.$c.2/24 dev e$c; ip link set e$c up"
	done
	smbd -D -s /run/smb.conf
	c=1
	for at in /mnt /media; do
		until nsenter --net=/run/netns/c$c mount -t cifs -o username=root,password=x,vers=3.1.1,nosharesock //10.9.$c.1/s $at; do sleep 0.5; done
		c=2
	done
} >log 2>&1
python3 lease.py >seen 2>>log && touch well
echo o >/proc/sysrq-trigger
sleep 60
SH
chmod +x at/init
timeout 500 usr/bin/linux.uml mem=512M root=none rootfstype=hostfs rootflags=/ ro quiet con=null con0=null,fd:1 init="$dir/at/init" >boot 2>&1 </dev/null || true
cat at/seen || cat boot
[ -e at/well ] || { tail at/log; exit 1; }
