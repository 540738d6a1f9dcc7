#!/usr/bin/env bash
# CephFS 16.2.15 with two clients by ceph-fuse on one machine, and its defaults. Both append lines to one file at the same time, each by one
# write to a descriptor with O_APPEND. CephFS is known to keep its clients coherent: what one has written is there for the other one's next
# read. But where a file ends is what the client's kernel remembers, which FUSE doesn't ask for before each write, so that one overwrites
# what the other one has added, without an error. A lock around each write, which both respect, helps only if the writer also asks for the
# size, by fstat. Seen: "300 of 600 lines; under a lock 151 of 300; with fstat 300 of 300".
# Needs root on Debian 12, and half a minute. Nothing is installed.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
version=16.2.15+ds-0+deb12u2
mkdir -p debs/partial at/{mon,osd,mds,a,b}
apt-get install -qqy --download-only --reinstall --no-install-recommends -o APT::Sandbox::User=root -o Dir::Cache::archives="$dir/debs" \
	ceph-{mon,osd,mds,fuse,common}=$version >/dev/null
for package in debs/*.deb; do dpkg -x "$package" .; done
cp -a lib/. usr/lib/ 2>/dev/null || true
cp -a sbin/. usr/sbin/ 2>/dev/null || true

cat >at/ceph.conf <<CONF
[global]
fsid = 00000000-0000-0000-0000-000000000001
mon_host = 10.9.0.1
mon_initial_members = a
ms_bind_msgr1 = false
public_network = 10.9.0.1/32
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_autoscale_mode = off
osd_objectstore = memstore
memstore_device_bytes = 1G
mon_allow_pool_size_one = true
mon_data_avail_crit = 1
log_file = /dev/null
admin_socket = ""
mon_data = $dir/at/mon
osd_data = $dir/at/osd
mds_data = $dir/at/mds
keyring = $dir/at/keyring
CONF
cat >at/append.py <<'PY'
import os, time

def lock(mount, locked):
    while locked:
        try:
            return os.close(os.open(mount + '/lock', os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            time.sleep(0.001)

def work(name, mount, lines, locked, asks):
    f = os.open(mount + '/' + name, os.O_WRONLY | os.O_APPEND)
    for i in range(lines):
        lock(mount, locked)
        if asks:
            os.stat(f)
        os.write(f, b'line %04d by %s\n' % (i, mount.encode()))
        if locked:
            os.fsync(f)
            os.remove(mount + '/lock')
        time.sleep(0.002)
    os.close(f)
    os._exit(0)

def count(name, lines, locked, asks):
    open('a/' + name, 'w').close()
    os.stat('b/' + name)
    children = []
    for mount in 'a', 'b':
        child = os.fork()
        if child == 0:
            work(name, mount, lines, locked, asks)
        children.append(child)
    for child in children:
        assert os.waitpid(child, 0)[1] == 0
    time.sleep(2)
    return len({line for line in open('a/' + name, 'rb') if len(line) == 15 and line.startswith(b'line ')})

free, locked, asked = count('free', 300, False, False), count('locked', 150, True, False), count('asked', 150, True, True)
print(f'{free} of 600 lines; under a lock {locked} of 300; with fstat {asked} of 300')
assert free < 590 and locked < 290 and asked == 300
PY
cat >at/run <<'SH'
set -e
mount -t overlay none -o "lowerdir=$1/usr:/usr" /usr
for d in /run /var/lib /var/log; do mount -t tmpfs none $d; done
mkdir -p /run/ceph
cd "$1/at"
export CEPH_CONF=$PWD/ceph.conf
ip link set lo up
ip addr add 10.9.0.1 dev lo
{
	ceph-authtool --create-keyring keyring --gen-key -n mon. --cap mon 'allow *'
	ceph-authtool keyring --gen-key -n client.admin --cap mon 'allow *' --cap osd 'allow *' --cap mds 'allow *'
	monmaptool --create --fsid 00000000-0000-0000-0000-000000000001 --addv a '[v2:10.9.0.1:3300]' monmap
	ceph-mon --mkfs -i a --monmap monmap --keyring keyring
	ceph-mon -i a
	ceph osd new 00000000-0000-0000-0000-000000000002
	ceph-osd -i 0 --mkfs --osd-uuid 00000000-0000-0000-0000-000000000002
	ceph-osd -i 0
	ceph osd pool create m 8
	ceph osd pool create d 8
	ceph fs new fs m d
	ceph-mds -i a
	until ceph mds stat | grep up:active; do sleep 1; done
	for m in a b; do ceph-fuse $PWD/$m; done
} >>log 2>&1 || { tail log; exit 1; }
timeout 300 python3 append.py
umount a b
SH
timeout 400 unshare --net --mount --pid --fork --kill-child --mount-proc bash at/run "$dir"
