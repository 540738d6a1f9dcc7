#!/bin/sh
# Sets a version in all files that name the old one:
#
#     release.sh OLD NEW        in the workspace, or with FSBOX_ROOT set
#
# The text form is easy to take apart by lines. The exit status of a call is 0 for success, 1 for a failure, 2 for a request
# that is wrong; finding nothing is a success.
set -eu
export FSBOX_ALLOW_WRITE=1 FSBOX_FORMAT=text

# One path a line. A last line in square brackets is a remark, such as how to go on after a cut.
found=$(fsbox grep "$1" --output-mode files --max-matches 10000) || {
	echo "$found" >&2 # the code, the reason and a hint
	exit 1
}
failed=0
while IFS= read -r path; do
	case $path in '' | '['*) continue ;; esac
	etag=$(fsbox info "$path" | sed -n 's/^etag: //p')
	# With its etag, a file that somebody else changes right now is refused as stale.
	fsbox edit "$path" --expected-text "$1" --replacement-text "$2" --replace-all --if-match "$etag" || failed=1
done <<END
$found
END
exit $failed
