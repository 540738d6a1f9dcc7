#!/usr/bin/env bash
# Linux 6.12.113 (Debian 13's user-mode-linux), a share of Samba 4.17.12 by SMB 3.1.1, mounted twice as by two clients (`nosharesock`), and else the
# defaults of both, cache=strict among them. One client writes a line into a new file, and closes it. The other one adds a line. Then the first one
# opens the file and reads it: fstat gives the new size, and read gives a zero byte for each byte that was added. No program has the file open
# meanwhile. The client keeps for a second up to where it has written, and takes the rest for empty without asking. Opened once more, or with O_DIRECT,
# the file is right; so it is if the other one adds its line three seconds later. Linux 6.1 reads both lines at once.
# Seen: "zeros: of 20 18, of 10 with O_DIRECT 0, of 10 three seconds later 0; opened again, of 40 0".
# Needs root on Debian 12 with gcc, and one minute. Nothing is installed.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir -p debs/partial at next/lists/partial next/cache/archives/partial
apt-get install -qqy --download-only --reinstall --no-install-recommends -o DPkg::Lock::Timeout=300 -o APT::Sandbox::User=root -o Dir::Cache::archives="$dir/debs" \
	samba=2:4.17.12+dfsg-0+deb12u4 cifs-utils=2:7.0-2 kmod python3-minimal patchelf >/dev/null
for package in debs/*.deb; do dpkg -x "$package" .; done
for d in bin lib sbin; do cp -a $d/. usr/$d/ 2>/dev/null || true; done
site=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Codename: bookworm' | head -1)
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $site trixie main" >next/list
from=(-qq -o APT::Sandbox::User=root -o Dir::Etc::sourcelist="$dir/next/list" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$dir/next/lists" -o Dir::Cache="$dir/next/cache")
apt-get "${from[@]}" update
(cd next && apt-get "${from[@]}" download user-mode-linux=6.12um1+b22 libc6 >/dev/null && for package in *.deb; do dpkg -x "$package" .; done)
usr/bin/patchelf --set-interpreter "$dir/next/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2" --set-rpath "$dir/next/usr/lib/x86_64-linux-gnu" next/usr/bin/linux.uml
ln -s "$dir/next/usr/lib/uml/modules" usr/lib/modules

# On processors with AMX, this kernel restores only a part of a program's registers, which the kernel of the host refuses: the rest is zeros.
cat >registers.c <<'C'
#define _GNU_SOURCE
#include <cpuid.h>
#include <dlfcn.h>
#include <elf.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
long ptrace(enum __ptrace_request request, ...) {
	static char whole[1 << 16];
	va_list rest;
	va_start(rest, request);
	int pid = va_arg(rest, int);
	unsigned long kind = va_arg(rest, unsigned long);
	struct iovec *data = va_arg(rest, struct iovec *), all = {whole, 0};
	unsigned a, b, size, d;
	if (request == PTRACE_SETREGSET && kind == NT_X86_XSTATE && __get_cpuid_count(0xd, 0, &a, &b, &size, &d) && data->iov_len < size && size <= sizeof whole) {
		memcpy(whole, data->iov_base, data->iov_len);
		all.iov_len = size;
		data = &all;
	}
	return ((long (*)(int, ...))dlsym(RTLD_NEXT, "ptrace"))(request, pid, kind, data);
}
C
gcc -O -shared -fPIC -o registers.so registers.c

cat >at/add.py <<'PY'
import os, time

def content(path, flags=0):
    fd = os.open(path, os.O_RDONLY | flags)
    try:
        return os.pread(fd, 100, 0)
    finally:
        os.close(fd)

zeros = {'read at once': 0, 'opened again': 0, 'read with O_DIRECT': 0, 'read three seconds later': 0}
for n in range(40):
    a, late = '/a%d' % n, n % 4 == 3
    with open('/mnt' + a, 'wb') as f:
        f.write(b'one\n')
    time.sleep(3 * late)
    with open('/media' + a, 'ab') as f:
        f.write(b'two\n')
    how = 'read three seconds later' if late else 'read at once' if n % 4 < 2 else 'read with O_DIRECT'
    for how, text in ((how, content('/mnt' + a, os.O_DIRECT * (n % 4 == 2))), ('opened again', content('/mnt' + a))):
        assert text in (b'one\ntwo\n', b'one\n\0\0\0\0'), text
        zeros[how] += text.count(b'\0') == 4
    assert content('/run/shared' + a) == b'one\ntwo\n'
print('zeros: of 20 %d, of 10 with O_DIRECT %d, of 10 three seconds later %d; opened again, of 40 %d' % (
    zeros['read at once'], zeros['read with O_DIRECT'], zeros['read three seconds later'], zeros['opened again']), flush=True)
assert zeros['read at once'] >= 5 and sum(zeros.values()) == zeros['read at once']
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
python3 add.py >seen 2>>log && touch well
echo o >/proc/sysrq-trigger
sleep 60
SH
chmod +x at/init
LD_PRELOAD=$dir/registers.so timeout 500 next/usr/bin/linux.uml mem=512M root=none rootfstype=hostfs rootflags=/ ro quiet con=null con0=null,fd:1 init="$dir/at/init" >boot 2>&1 </dev/null || true
cat at/seen || cat boot
[ -e at/well ] || { tail at/log; exit 1; }
