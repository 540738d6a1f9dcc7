#!/usr/bin/env bash
# Subversion 1.14.2: `svn diff` of a deleted file has "+++ n (nonexistent)" and no date. git 2.39.5 and GNU patch 2.7.6 take that for a
# file that is there and has no lines any more: after `git apply -p0`, or `patch -p0`, n is there, and empty. Both exit with 0.
# `svn diff --git` adds "deleted file mode" above the same line. That changes nothing for patch, and git, whose form it is, refuses the
# diff. Seen: "0 bytes" twice; then "exit status 128, 6 bytes" by git, "0 bytes" by patch.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq git=1:2.39.5-0+deb12u3 patch=2.7.6-7 subversion=1.14.2-4+deb12u1 libsvn1=1.14.2-4+deb12u1 \
	libapr1 libaprutil1 libserf-1-1 libutf8proc2 libsasl2-2 libdb5.3 2>/dev/null
for package in *.deb; do dpkg -x "$package" programs; done
export PATH="$dir/programs/usr/bin:$PATH" LD_LIBRARY_PATH="$dir/programs/usr/lib/x86_64-linux-gnu" HOME="$dir"
export GIT_EXEC_PATH="$dir/programs/usr/lib/git-core" GIT_CONFIG_NOSYSTEM=1
svn --version -q
git --version
patch --version | head -n 1

svnadmin create store
svn checkout -q "file://$dir/store" made
cd made
seq 1 3 >n
svn add -q n
svn commit -qm start
svn update -q
svn delete -q n
svn diff >../plain
svn diff --git >../git
cd ..
grep '^+++' plain

for form in plain git; do
	strip=$([ $form = git ] && echo 1 || echo 0)
	for way in "git apply" patch; do
		mkdir tried
		seq 1 3 >tried/n
		status=0
		(cd tried && $way -p$strip <../$form >/dev/null) || status=$?
		left=$([ -e tried/n ] && echo "$(stat -c %s tried/n) bytes" || echo gone)
		echo "$form, $way: exit status $status, $left"
		echo "$status $left" >>seen
		rm -rf tried
	done
done
diff seen - <<'SEEN'
0 0 bytes
0 0 bytes
128 6 bytes
0 0 bytes
SEEN
