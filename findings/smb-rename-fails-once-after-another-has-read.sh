#!/usr/bin/env bash
# Linux 6.12.113 (Debian 13's user-mode-linux), a share of Samba 4.17.12 by SMB 3.1.1, mounted twice as by two clients (`nosharesock`), and else the
# defaults of both. One client has read a file and closed it. A moment later the other one renames it, as `mv` does: that fails with EIO, and the
# next try succeeds. It looks like a failure of the disk, and is none: the reading client keeps the file open for a second in case it is read again, the
# server has to ask it first, and can't do so within the request, in which the client opens, renames and closes at once. A removal is made.
# Three seconds later nobody has to be asked. With cache=none the reading client keeps the file as well.
# Seen: "renamed at once 0 of 10, then at the second try 10; three seconds later 10 of 10; with cache=none 0 of 10; removed at once 10 of 10".
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

cat >at/rename.py <<'PY'
import errno, os, time

def tries(n, call, reader='/media', pause=0):
    """How often a call fails with EIO, right after another client has read the file."""
    with open('/mnt/a%d' % n, 'w') as f:
        f.write('one')
    time.sleep(2)
    with open(reader + '/a%d' % n) as f:
        f.read()
    time.sleep(pause)
    for failed in range(50):
        try:
            call('/mnt/a%d' % n)
            return failed
        except OSError as e:
            assert e.errno == errno.EIO
            time.sleep(0.05)

def rename(a):
    os.rename(a, a + 'x')

once = [tries(n, rename) for n in range(10)]
late = [tries(n, rename, pause=3) for n in range(10, 20)]
none = [tries(n, rename, '/opt') for n in range(20, 30)]
gone = [tries(n, os.remove) for n in range(30, 40)]
seen = 'renamed at once %d of 10, then at the second try %d; three seconds later %d of 10; with cache=none %d of 10; removed at once %d of 10' % (
    once.count(0), once.count(1), late.count(0), none.count(0), gone.count(0))
print(seen, flush=True)
assert seen == ('renamed at once 0 of 10, then at the second try 10; three seconds later 10 of 10; with cache=none 0 of 10; '
                'removed at once 10 of 10')
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
	for at in /mnt,cache=strict /media,cache=strict /opt,cache=none; do
		until mount -t cifs -o username=root,password=x,vers=3.1.1,nosharesock,${at#*,} //127.0.0.1/s ${at%,*}; do sleep 0.5; done
	done
} >log 2>&1
python3 rename.py >seen 2>>log && touch well
echo o >/proc/sysrq-trigger
sleep 60
SH
chmod +x at/init
LD_PRELOAD=$dir/registers.so timeout 500 next/usr/bin/linux.uml mem=512M root=none rootfstype=hostfs rootflags=/ ro quiet con=null con0=null,fd:1 init="$dir/at/init" >boot 2>&1 </dev/null || true
cat at/seen || cat boot
[ -e at/well ] || { tail at/log; exit 1; }
