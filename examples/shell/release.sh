#!/bin/sh
# Sets a version in all files of a workspace that name the old one. An empty folder is filled first.
#
#     release.sh WORKSPACE OLD NEW
#
# The text form is easy to take apart by lines. The exit status of a call is 0 for success, 1 for a failure, 2 for a request
# that is wrong; finding nothing is a success.
set -eu
if [ $# -ne 3 ]; then
	echo "usage: $0 WORKSPACE OLD NEW" >&2
	exit 2
fi
export FSBOX_ROOT="$1" FSBOX_CREATE_ROOT=1 FSBOX_ALLOW_WRITE=1 FSBOX_FORMAT=text
listed=$(fsbox ls --include-hidden) || {
	echo "$listed" >&2
	exit 1
}
case $listed in
'[nothing'*)
	fsbox write VERSION --content "$2"
	fsbox write doc/history.md --content "since $2"
	;;
esac

# One path a line. A last line in square brackets is a remark, such as how to go on after a cut.
found=$(fsbox grep "$2" --output-mode files --max-matches 10000) || {
	echo "$found" >&2 # the code, the reason and a hint
	exit 1
}
failed=0
while IFS= read -r path; do
	case $path in '' | '['*) continue ;; esac
	etag=$(fsbox info "$path" | sed -n 's/^etag: //p')
	# With its etag, a file that somebody else changes right now is refused as stale.
	fsbox edit "$path" --expected-text "$2" --replacement-text "$3" --replace-all --if-match "$etag" || failed=1
done <<END
$found
END
exit $failed
