#!/usr/bin/env bash
# GlusterFS 10.3 with two clients on one machine, and its defaults. One appends a line, syncs and closes; the other one, which has read the
# file before, then opens and reads it: for a second it gets what was there before, though its open comes after the answer of the first
# one's close. stat says the old size as well. So whoever reads, changes and replaces a file loses that line, also under a lock of his own.
# A listing of the directory by the reader helps: it comes from the server, with attributes by which the client sees that its memory is old.
# Seen: "append: stale 20 of 20; after a listing 0; rename: stale 20 of 20; after a listing 0". Needs root on Debian 12, and two minutes.
# Nothing is installed.
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

def write(name, text):
    with open(name, 'wb') as f:
        f.write(text)

def read():
    with open('b/f', 'rb') as f:
        return f.read()

def append():
    f = os.open('a/f', os.O_WRONLY | os.O_APPEND)
    os.write(f, b'two\n')
    os.fsync(f)
    os.close(f)

def replace():
    write('a/new', b'one\ntwo\n')
    os.rename('a/new', 'a/f')

def listing():
    os.listdir('b')

def stale(change, ask):
    n = 0
    for _ in range(20):
        write('a/f', b'one\n')
        time.sleep(1.2)
        for _ in range(2):
            os.stat('b/f'), read()
        change()
        ask()
        try:
            n += read() != b'one\ntwo\n'
        except OSError: # a stale file handle
            n += 1
    return n

seen = stale(append, bool), stale(append, listing), stale(replace, bool), stale(replace, listing)
print('append: stale %d of 20; after a listing %d; rename: stale %d of 20; after a listing %d' % seen)
assert seen[0] > 10 and seen[1] == 0 and seen[2] > 10 and seen[3] == 0
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
