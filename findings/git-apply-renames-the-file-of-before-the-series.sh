#!/usr/bin/env bash
# git 2.39.5 and GNU patch 2.7.6: of a series of two commits in one file (git format-patch --stdout), the first changes a line of a.txt,
# the second renames a.txt to b.txt. Given to `git apply`, or to `patch -p1`, b.txt is what a.txt was before the series: the edit isn't in
# it. Both exit with 0, and leave a.txt, which the series has removed. `git am` takes the same file for two patches, and is right.
# Seen: line 2 of b.txt is "2" by apply and patch, and "two" by am; a.txt is left by the first two.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq git=1:2.39.5-0+deb12u3 patch=2.7.6-7 2>/dev/null
for package in *.deb; do dpkg -x "$package" programs; done
export PATH="$dir/programs/usr/bin:$PATH" GIT_EXEC_PATH="$dir/programs/usr/lib/git-core" HOME="$dir" GIT_CONFIG_NOSYSTEM=1
git config --global user.name name
git config --global user.email name@example.org
git config --global init.defaultBranch main
git --version
patch --version | head -n 1

git init -q made
cd made
seq 1 20 >a.txt
git add a.txt
git commit -qm start
sed -i 's/^2$/two/' a.txt
git commit -qam edit
git mv a.txt b.txt
git commit -qm rename
git format-patch -q --stdout HEAD~2 >../series
git checkout -q HEAD~2
cd ..

for way in "git apply" "patch -s -p1" "git am -q"; do
	cp -r made tried
	(cd tried && $way <../series)
	left=$([ -e tried/a.txt ] && echo "is left" || echo "is gone")
	line=$(sed -n 2p tried/b.txt)
	echo "$way: exit status $?, line 2 of b.txt is \"$line\", a.txt $left"
	echo "$line, a.txt $left" >>seen
	rm -rf tried
done
diff seen - <<'SEEN'
2, a.txt is left
2, a.txt is left
two, a.txt is gone
SEEN
