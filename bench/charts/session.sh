# What the picture of a session shows. It runs in an empty directory.
show() {
	find . -exec touch -d 2026-11-20T09:30:00Z {} +
	printf '\033[32m$\033[0m %s\n' "$*"
	"$@"
	echo
}
umask 022
mkdir server
printf 'package server\n' >server/serve.go
printf 'package main\n\nimport "fmt"\n\nfunc main() {\n\tfmt.Println("hello, wrold")\n}\n' >main.go
printf 'package main\n\nfunc Example() {\n\tmain()\n\t// Output: hello, wrold\n}\n' >main_test.go
show fsbox ls
show fsbox grep wrold
show fsbox edit main.go --expected-text wrold --replacement-text world
show fsbox info main.go
show fsbox read mian.go
