#!/usr/bin/env bash
# Linux 6.1.176 (Debian's user-mode-linux) as two clients, each with its own network, of a share of Samba 4.17.12 by SMB 3.1.1, and the defaults, cache=strict among
# them. Both append lines to one file, each by one write to a descriptor with O_APPEND, and each under flock, which the server keeps for both. Still
# half of the lines are gone, without an error: the lock makes the client drop what it has of the content, but not the size of the file, by which it
# decides where the end is; so one overwrites what the other one has added. With NFS, flock makes the client ask for the size. Here
# fstat doesn't either, for a second; lseek to the end does. Seen: "of 80 lines under flock 40; with fstat before each write 53; with lseek to the end 80".
# Needs root on Debian 12, and two minutes. Nothing is installed.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir -p debs/partial at
apt-get install -qqy --download-only --reinstall --no-install-recommends -o DPkg::Lock::Timeout=300 -o APT::Sandbox::User=root -o Dir::Cache::archives="$dir/debs" \
	user-mode-linux=6.1um4+b13 samba=2:4.17.12+dfsg-0+deb12u4 cifs-utils=2:7.0-2 iproute2 kmod python3-minimal >/dev/null
for package in debs/*.deb; do dpkg -x "$package" .; done
for d in bin lib sbin; do cp -a $d/. usr/$d/ 2>/dev/null || true; done
ln -s uml/modules usr/lib/modules

cat >at/append.py <<'PY'
import fcntl, os, time

def work(client, name, ask):
    f = os.open(f'/mnt/{client}/{name}', os.O_RDWR | os.O_APPEND)
    for i in range(40):
        fcntl.flock(f, fcntl.LOCK_EX)
        ask(f)
        os.write(f, b'line %04d by %d\n' % (i, client))
        fcntl.flock(f, fcntl.LOCK_UN)
        time.sleep(0.002)
    os.close(f)
    os._exit(0)

def count(name, ask):
    open('/mnt/1/' + name, 'w').close()
    os.stat('/mnt/2/' + name)
    children = []
    for client in 1, 2:
        child = os.fork()
        if child == 0:
            work(client, name, ask)
        children.append(child)
    for child in children:
        assert os.waitpid(child, 0)[1] == 0
    time.sleep(1.5)
    return len({line for line in open('/run/shared/' + name, 'rb') if len(line) == 15 and line.startswith(b'line ')}) # at the server

plain, asked, sought = count('plain', id), count('asked', os.fstat), count('sought', lambda f: os.lseek(f, 0, os.SEEK_END))
print(f'of 80 lines under flock {plain}; with fstat before each write {asked}; with lseek to the end {sought}')
assert plain < 70 and sought == 80
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
	for d in /run /var /mnt; do mount -t tmpfs none $d; done
	mkdir -p /run/{samba,shared} /var/{cache,lib,log}/samba /var/lib/samba/private
	modprobe -a nls_utf8 veth cifs
	ip link set lo up
	printf '[s]\npath = /run/shared\nread only = no\n' >/run/smb.conf
	printf 'x\nx\n' | smbpasswd -c /run/smb.conf -s -a root
	smbd -D -s /run/smb.conf
	for c in 1 2; do
		ip netns add c$c
		ip link add v$c type veth peer name e$c netns c$c
		ip addr add 10.9.$c.1/24 dev v$c
		ip link set v$c up
		nsenter --net=/run/netns/c$c sh -c "ip addr add 10.9.$c.2/24 dev e$c; ip link set e$c up"
		mkdir /mnt/$c
		until nsenter --net=/run/netns/c$c mount -t cifs -o username=root,password=x,vers=3.1.1 //10.9.$c.1/s /mnt/$c; do sleep 0.5; done
	done
} >log 2>&1
python3 append.py >seen 2>>log && touch well
echo o >/proc/sysrq-trigger
sleep 60
SH
chmod +x at/init
timeout 500 usr/bin/linux.uml mem=512M root=none rootfstype=hostfs rootflags=/ ro quiet con=null con0=null,fd:1 init="$dir/at/init" >boot 2>&1 </dev/null || true
cat at/seen || cat boot
[ -e at/well ] || { tail at/log; exit 1; }
