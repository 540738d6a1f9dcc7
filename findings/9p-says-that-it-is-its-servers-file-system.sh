#!/usr/bin/env bash
# Linux 6.1.192 (Debian's linux-image-6.1.0-56-amd64) with a folder of qemu 7.2 mounted by 9p: statfs answers the number of the file
# system that the folder lies on at the server, such as ef53 for ext4, and not that of 9p, 1021997. So a program that tells network file
# systems from local ones by that number takes it for a local one. What tells is the list of mounts, and that st_dev has no major number.
# Seen: "9p mount says ef53, device 0:N" where the folder is on ext4. Needs root on Debian 12, and a minute.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
dpkg -s qemu-system-x86 >/dev/null 2>&1 || { apt-get update -qq; apt-get install -qqy --no-install-recommends qemu-system-x86=1:7.2+dfsg-7+deb12u18+b3; }
cd "$dir"
apt-get download -qq linux-image-6.1.0-56-amd64=6.1.192-2 busybox-static=1:1.35.0-4+deb12u1+b1 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

mkdir -p initial/{bin,proc,dev,modules,at} share
cp bin/busybox initial/bin/
modules="virtio_ring virtio virtio_pci_modern_dev virtio_pci_legacy_dev virtio_pci netfs fscache 9pnet 9pnet_virtio 9p"
for m in $modules; do find lib/modules -name "$m.ko" -exec cp {} initial/modules/ \;; done
cat >initial/init <<INIT
#!/bin/busybox sh
/bin/busybox mount -t proc p /proc
for m in $modules; do /bin/busybox insmod /modules/\$m.ko; done
/bin/busybox mount -t 9p -o trans=virtio,version=9p2000.L share /at || exit
echo "9p mount says \$(/bin/busybox stat -f -c %t /at), device \$(/bin/busybox awk '\$5 == "/at" { print \$3 }' /proc/self/mountinfo)"
/bin/busybox poweroff -f
INIT
chmod +x initial/init
(cd initial && find . | cpio -o -H newc 2>/dev/null) >initial.cpio
timeout 300 qemu-system-x86_64 -accel tcg -m 512 -nographic -no-reboot -nic none -kernel boot/vmlinuz-* -initrd initial.cpio \
	-append "console=ttyS0 quiet panic=-1" -virtfs local,path=share,mount_tag=share,security_model=none </dev/null >log 2>&1 || true
seen=$(grep -a -o '9p mount says .*' log | tr -d '\r') || { tail -n 5 log; exit 1; }
here=$(stat -f -c %t share)
echo "$(qemu-system-x86_64 --version | head -n 1); the folder lies on $here; $seen"
case $seen in "9p mount says $here, device 0:"*) ;; *) exit 1 ;; esac
