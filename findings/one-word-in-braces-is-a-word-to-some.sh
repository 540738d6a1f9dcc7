#!/usr/bin/env bash
# The glob *.{ts}, with one word in its braces: ripgrep 15.0.0 and Go's doublestar 4.10.4 take the braces off, and find a.ts. bash 5.2,
# minimatch 11.0.9 and picomatch 4.0.7 take them literally, and find the file that is called a.{ts}. So a glob that somebody shortened from
# *.{ts,tsx} finds other files, or none, depending on which of them reads it.
# Seen: a.ts by ripgrep and doublestar, a.{ts} by the three others.
set -euo pipefail
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund minimatch@11.0.9 picomatch@4.0.7 @vscode/ripgrep-linux-x64@1.18.0 node@22.23.3
mkdir files program
touch files/a.ts 'files/a.{ts}'
cat >program/main.go <<'GO'
package main

import (
	"fmt"
	"os"

	"github.com/bmatcuk/doublestar/v4"
)

func main() {
	names, err := doublestar.Glob(os.DirFS(os.Args[1]), "*.{ts}")
	if err != nil {
		panic(err)
	}
	fmt.Println(names)
}
GO
(
	cd program
	export GOMODCACHE="$dir/modules" GOFLAGS=-mod=mod
	go mod init program 2>/dev/null
	go get github.com/bmatcuk/doublestar/v4@v4.10.4 2>/dev/null
	go build -o ../doublestar .
)
cat >node.mjs <<'JS'
import { minimatch } from "minimatch";
import picomatch from "picomatch";
const names = ["a.ts", "a.{ts}"];
console.log("minimatch", names.filter((name) => minimatch(name, "*.{ts}")).join());
console.log("picomatch", names.filter((name) => picomatch("*.{ts}")(name)).join());
JS
{
	echo "ripgrep $(cd files && ../node_modules/@vscode/ripgrep-linux-x64/bin/rg --no-config --files -g '*.{ts}')"
	echo "doublestar $(./doublestar files | tr -d '[]')"
	echo "bash $(cd files && echo *.{ts})"
	node_modules/.bin/node node.mjs
} | tee seen
diff seen - <<'SEEN'
ripgrep a.ts
doublestar a.ts
bash a.{ts}
minimatch a.{ts}
picomatch a.{ts}
SEEN
