#!/usr/bin/env bash
# go-re2 1.13.0: Compile returns an error for a pattern that is none, as Go's regexp does. Besides, the RE2 inside writes two lines to the
# process's stderr. A server whose stderr a host shows, or takes for failures, writes there
# what its client sent.
# Seen: an error, and lines on stderr with "re2.cc" and the pattern.
set -euo pipefail
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
cd "$dir"
export GOMODCACHE="$dir/modules" GOFLAGS=-mod=mod CGO_ENABLED=0
cat >main.go <<'GO'
package main

import (
	"fmt"

	"github.com/wasilibs/go-re2"
)

func main() {
	_, err := re2.Compile("(open")
	fmt.Println(err)
}
GO
go mod init program 2>/dev/null
go get github.com/wasilibs/go-re2@v1.13.0 2>/dev/null
go build -o program .
echo "Compile returns: $(./program 2>stderr)"
echo "stderr has:"
cat stderr
[ -n "$(./program 2>/dev/null)" ]
grep -q 're2\.cc.*(open' stderr
