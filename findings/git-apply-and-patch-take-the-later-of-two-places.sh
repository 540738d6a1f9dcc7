#!/usr/bin/env bash
# git 2.39.5 and GNU patch 2.7.6: a hunk names line 16, and its text isn't there, but at lines 11 and 21, five lines before and five after.
# `git apply` and `patch` both change the later place, and exit with 0. git says nothing; patch says the offset, and not that there was
# another place as near. Seen: line 22 is new, line 12 isn't, by both.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq git=1:2.39.5-0+deb12u3 patch=2.7.6-7 2>/dev/null
for package in *.deb; do dpkg -x "$package" programs; done
export PATH="$dir/programs/usr/bin:$PATH" GIT_EXEC_PATH="$dir/programs/usr/lib/git-core" HOME="$dir" GIT_CONFIG_NOSYSTEM=1
git --version
patch --version | head -n 1

{
	seq -f 'a%g' 1 10
	printf 'top\nold\nend\n'
	seq -f 'b%g' 1 7
	printf 'top\nold\nend\n'
	seq -f 'c%g' 1 10
} >file
cat >change <<'DIFF'
--- a/file
+++ b/file
@@ -16,3 +16,3 @@
 top
-old
+new
 end
DIFF
for way in "git apply" "patch -p1"; do
	mkdir tried
	cp file tried
	(cd tried && $way <../change)
	at=$(grep -n new tried/file)
	echo "$way: $at"
	echo "$at" >>seen
	rm -r tried
done
printf '22:new\n22:new\n' | diff seen -
