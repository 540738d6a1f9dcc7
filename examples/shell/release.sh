#!/bin/sh
# Sets a version in all files of a workspace that name the old one as a word, or in none: with 1.4 neither 11.4 nor x1.4 changes, but
# 1.4.2 does. An empty directory is filled first.
#
#     release.sh WORKSPACE OLD NEW
#
# The exit status of a call is 0 for success, 1 for a failure, 2 for a request that is wrong. A value that comes from outside is
# joined to its flag by "=": then one that begins with "-" isn't taken for a flag.
set -eu
if [ $# -ne 3 ]; then
	echo "usage: $0 WORKSPACE OLD NEW" >&2
	exit 2
fi
export FSBOX_ROOT="$1" FSBOX_CREATE_ROOT=1 FSBOX_ALLOW_WRITE=1 FSBOX_FORMAT=text
listed=$(fsbox ls --include-hidden --format json) || {
	echo "$listed" >&2
	exit 1
}
case $listed in
*'"count":0'*) # a quote in a name would be \"
	fsbox write VERSION --content="$2"
	fsbox write doc/history.md --content="since $2"
	;;
esac

# One call for all files. A list of names would have to be taken apart, and names may hold line breaks.
answer=$(fsbox edit --whole-word --glob '**' --expected-text="$2" --replacement-text="$3") || {
	status=$?
	case $answer in
	match_not_found:*) # the code comes first, then the reason, then a hint
		echo "no file has $2"
		exit 0
		;;
	esac
	printf '%s\n' "$answer" >&2
	exit $status
}
printf '%s\n' "$answer"
