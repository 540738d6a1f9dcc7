#!/usr/bin/env bash
# MooseFS 3.0.117 with two clients on one machine. While one adds lines to a file, each by write, fsync and close, the other one reads the
# whole file again and again. Some reads end in zero bytes where the new line belongs: the client knows the new size, and not yet the
# content. It happens with mfscachemode=DIRECT, which keeps nothing, most often; with AUTO, the default, the system may also keep such zeros
# for later reads. Nothing is lost: a second later the file is whole for both.
# Seen: "NN of some 15000 reads had zeros, 600 of 600 lines". Needs root on Debian 12, and 20 seconds. Nothing is installed.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
version=3.0.117-1
mkdir -p debs/partial at/{meta,chunks,data,a,b}
apt-get install -qqy --download-only --reinstall --no-install-recommends -o APT::Sandbox::User=root -o Dir::Cache::archives="$dir/debs" \
	moosefs-{master,chunkserver,client}=$version >/dev/null
for package in debs/*.deb; do dpkg -x "$package" .; done

cat >at/reader.py <<'PY'
import os, time
open('a/f', 'w').close()
writer = os.fork()
if writer == 0:
    for i in range(600):
        f = os.open('a/f', os.O_WRONLY | os.O_APPEND)
        os.write(f, b'line %d\n' % i)
        os.fsync(f)
        os.close(f)
    os._exit(0)
reads = zeros = 0
while os.waitpid(writer, os.WNOHANG)[0] == 0:
    with open('b/f', 'rb', buffering=0) as f:
        zeros += b'\0' in f.read()
    reads += 1
time.sleep(2)
whole = open('b/f', 'rb').read()
print(f'{zeros} of {reads} reads had zeros, {whole.count(10)} of 600 lines')
assert zeros > 0 and whole.count(10) == 600 and whole.count(0) == 0
PY
cat >at/run <<'SH'
set -e
mount -t overlay none -o "lowerdir=$1/usr:/usr" /usr
cd "$1/at"
ip link set lo up
ip addr add 10.9.0.1 dev lo # a chunk server refuses a master at 127.0.0.1
cp ../var/lib/mfs/metadata.mfs.empty meta/metadata.mfs
echo '* / rw,alldirs,maproot=0' >exports.cfg
echo "$PWD/data" >hdd.cfg
: >topology.cfg
own="WORKING_USER=root WORKING_GROUP=root NICE_LEVEL=0 LOCK_MEMORY=0"
printf '%s\n' $own DATA_PATH=$PWD/meta EXPORTS_FILENAME=$PWD/exports.cfg TOPOLOGY_FILENAME=$PWD/topology.cfg >master.cfg
printf '%s\n' $own DATA_PATH=$PWD/chunks HDD_CONF_FILENAME=$PWD/hdd.cfg MASTER_HOST=10.9.0.1 BIND_HOST=10.9.0.1 >chunk.cfg
mfsmaster -c $PWD/master.cfg start >>log 2>&1
mfschunkserver -c $PWD/chunk.cfg start >>log 2>&1
for m in a b; do mfsmount -H 10.9.0.1 -o mfsnice=0,mfsioretries=3,mfscachemode=DIRECT $PWD/$m >>log 2>&1; done
until dd if=/dev/zero of=a/probe bs=1 count=1 conv=fsync 2>>log; do sleep 1; done # until the chunk server has met the master
timeout 120 python3 reader.py
umount a b
SH
timeout 200 unshare --net --mount --pid --fork --kill-child --mount-proc bash at/run "$dir"
