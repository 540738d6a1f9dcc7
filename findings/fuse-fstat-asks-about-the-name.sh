#!/usr/bin/env bash
# bindfs 1.14.7 and mergerfs 2.33.5 (both FUSE, Debian 12; seen with Linux 6.18), with their defaults. A program has a file open through the mount, and
# another file is renamed to its name in the directory behind it. What the program has open is still the old file, and bindfs answers fstat from the open
# file if it is asked about one. Linux doesn't ask so: fstat names no open file to a FUSE server. So fstat describes the new file, and from then on
# the kernel ends reads of the old one where the new one ends: 14 bytes are lost, without an error. On a local file system, all 18 are read.
# Seen: "local: fstat 18 bytes, read 18; bindfs: fstat 4 bytes, read 4: 'old '; mergerfs: fstat 4 bytes, read 4: 'old '".
# Needs root, /dev/fuse and Debian 12. Nothing is installed.
set -euo pipefail
dir=$(mktemp -d)
trap 'for m in bindfs mergerfs; do umount -l "$dir/$m" 2>/dev/null || true; done; rm -rf "$dir"' EXIT
cd "$dir"
mkdir -p debs/partial local bindfs mergerfs
apt-get install -qqy --download-only --reinstall --no-install-recommends -o DPkg::Lock::Timeout=300 -o APT::Sandbox::User=root -o Dir::Cache::archives="$dir/debs" \
	bindfs=1.14.7-1 mergerfs=2.33.5-1 fuse3 python3-minimal >/dev/null
for package in debs/*.deb; do dpkg -x "$package" root; done
export LD_LIBRARY_PATH=$dir/root/lib/x86_64-linux-gnu:$dir/root/usr/lib/x86_64-linux-gnu PATH=$dir/root/usr/bin:$dir/root/bin:$PATH
bindfs local bindfs
mergerfs local mergerfs

cat >replace.py <<'PY'
import os, time

def replaced(mount):
    def write(name, text):
        with open('local/' + name, 'w') as f:
            f.write(text)
    write('a', 'old content, long\n')
    f = os.open(mount + '/a', os.O_RDONLY)
    write('new', 'new\n')
    os.rename('local/new', 'local/a')
    time.sleep(2) # longer than the kernel keeps what it was told at the open
    size, text = os.fstat(f).st_size, os.pread(f, 100, 0)
    os.close(f)
    return size, text.decode()

size, text = replaced('local')
assert (size, len(text)) == (18, 18)
seen = [f'local: fstat {size} bytes, read {len(text)}']
for mount in 'bindfs', 'mergerfs':
    size, text = replaced(mount)
    assert (size, text) == (4, 'old ')
    seen.append(f'{mount}: fstat {size} bytes, read {len(text)}: {text!r}')
print('; '.join(seen))
PY
LD_LIBRARY_PATH= python3 replace.py
