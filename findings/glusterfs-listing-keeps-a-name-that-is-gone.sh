#!/usr/bin/env bash
# GlusterFS 10.3 with two clients on one machine, and its defaults. One has renamed a file; the other one, which knows it by the old name,
# still finds and opens it by that: for a second, as with other caches. But each `ls -l` of the directory, which shows the new name only,
# prolongs that, since it brings attributes of the file: a client that lists twice a second finds a file by both names for as long as it
# does so, and an edit by the old name, with a new file that is renamed to it, succeeds and makes two files of one.
# Seen: "old name is found after 10 s: without listings 0 of 4, with two listings a second 4 of 4, in none of which it is listed".
# Needs root on Debian 12, and two minutes. Nothing is installed.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
version=10.3-5
mkdir -p debs/partial at/{brick,a,b}
apt-get install -qqy --download-only --reinstall --no-install-recommends -o APT::Sandbox::User=root -o Dir::Cache::archives="$dir/debs" \
	glusterfs-{server,client}=$version >/dev/null
for package in debs/*.deb; do dpkg -x "$package" .; done
cp -a lib/. usr/lib/ 2>/dev/null || true
cp -a sbin/. usr/sbin/ 2>/dev/null || true

cat >at/reader.py <<'PY'
import os, time

def found():
    try:
        with open('b/old') as f:
            return f.read() == 'text'
    except OSError:
        return False

def left_after_ten_seconds(lists):
    global listed
    with open('a/old', 'w') as f:
        f.write('text')
    time.sleep(3)
    assert found()
    os.rename('a/old', 'a/new')
    end = time.time() + 10
    while time.time() < end:
        if lists:
            listed += 'old' in [e.name for e in os.scandir('b') if e.stat()]
        time.sleep(0.5)
    left = found()
    os.remove('a/new')
    time.sleep(3)
    return left

listed = 0
without, with_listings = (sum(left_after_ten_seconds(lists) for _ in range(4)) for lists in (False, True))
print('old name is found after 10 s: without listings %d of 4, with two listings a second %d of 4, in %s of which it is listed' %
      (without, with_listings, listed or 'none'))
assert without == 0 and with_listings == 4 and listed == 0
PY
cat >at/run <<'SH'
set -e
mount -t overlay none -o "lowerdir=$1/usr:/usr" /usr
for d in /run /var/lib /var/log; do mount -t tmpfs none $d; done
mkdir -p /var/lib/glusterd /var/log/glusterfs /run/gluster
cd "$1/at"
ip link set lo up
ip addr add 10.9.0.1 dev lo
glusterd
for i in 1 2 3 4 5 6 7 8 9 10; do gluster --mode=script volume create vol 10.9.0.1:$PWD/brick force >>log 2>&1 && break; sleep 1; done
gluster --mode=script volume start vol >>log 2>&1
for m in a b; do glusterfs -s 10.9.0.1 --volfile-id=/vol -l $PWD/$m.log $PWD/$m; done
timeout 300 python3 reader.py
umount a b
SH
timeout 400 unshare --net --mount --pid --fork --kill-child --mount-proc bash at/run "$dir"
