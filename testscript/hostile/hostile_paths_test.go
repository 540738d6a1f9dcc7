package hostile

import "strings"

// hostileKind is what the contract says about a path: the code that every command answers, or that
// it is an ordinary name.
type hostileKind string

const (
	badPath   hostileKind = "invalid_path"
	traversal hostileKind = "path_traversal_attempt"
	outside   hostileKind = "path_outside_workspace"
	linkOut   hostileKind = "symlink_outside_workspace"
	linkLoop  hostileKind = "symlink_loop"
	denied    hostileKind = "path_blocked"
	readOnly  hostileKind = "deny_write" // path_blocked if the command changes something
	missing   hostileKind = "missing"    // an ordinary name that nothing has
	aFile     hostileKind = "a file"     // another spelling of plain.txt
)

// hostilePath is a path as a caller might send it to get out, or around a rule. $BASE is the folder
// that has the workspace, ws, and what lies beside it.
type hostilePath struct {
	path    string
	kind    hostileKind
	link    bool        // the last name is that of a link
	windows hostileKind // if it isn't kind
}

var hostileFiles = map[string]string{
	"out/qqqqqq": hostileSecret, "out/d/qqqqqq": hostileSecret, "ws2/qqqqqq": hostileSecret, "qqqqqq": hostileSecret,
	"ws/plain.txt": "plain\n", "ws/dir/sub/deep.txt": "deep\n", "ws/.env": hostileSecret, "ws/vault/qqqqqq": hostileSecret,
	"ws/dir/key.pem": hostileSecret, "ws/.git/config": hostileSecret, "ws/.git/hooks/pre-commit": "hook\n", "ws/.ssh/qqqqqq": hostileSecret,
}

// hostileSecret is in each file that must not be read.
const hostileSecret = "TOP SECRET: e\n"

// hostileDenied are the files and folders of the workspace that no request may change.
var hostileDenied = []string{"ws/.env", "ws/vault", "ws/dir/key.pem", "ws/.git", "ws/.ssh"}

// hostileLinks are the links in the workspace. A name with "qqqqqq" has a raw bytes field with
// "zzzzzz" that leads to where nothing is.
var hostileLinks = map[string]string{
	"l-qqqqqq": "../out/qqqqqq", "l-zzzzzz": "../out/zzzzzz", "abs-qqqqqq": "$BASE/out/qqqqqq", "abs-zzzzzz": "$BASE/out/zzzzzz",
	"far-qqqqqq": "../../../../../../../../../../../../../../../../../../$BASE/out/qqqqqq",
	"far-zzzzzz": "../../../../../../../../../../../../../../../../../../$BASE/out/zzzzzz",
	"out":        "../out", "outabs": "$BASE/out", "up": "..", "beside": "../ws2", "slash": "/", "dir/out": "../../out", "dot": "./././../out",
	"one": "two", "two": "three", "three": "../out", "in": "dir", "inabs": "$BASE/ws/dir", "in-up": "in/../../out", "back": "../ws/../out",
	"procroot": "/proc/self/root", "proccwd": "/proc/self/cwd", "procfd": "/proc/self/fd", "devnull": "/dev/null", "etc": "/etc/passwd",
	"self": "self", "loop1": "loop2", "loop2": "loop1", "loopdir": "loopdir/x", "selfabs": "$BASE/ws/selfabs",
	"longloop": "dir/../dir/../longloop",
	"to-env":   ".env", "to-vault": "vault", "to-qqqqqq": "vault/qqqqqq", "to-zzzzzz": "vault/zzzzzz", "to-key": "dir/../dir/key.pem",
	"abs-env": "$BASE/ws/.env",
	"to-git":  ".git", "to-hook": ".git/hooks/pre-commit", "to-to-env": "to-env", "dir/env": "../.env", "to-new-env": ".env.local",
	"to-new-key": "dir/new.pem",
	"name\xff":   "../out/qqqqqq", "name\n": "../out", "CON.link": "../out",
}

// hostilePaths are the rows. In those with "qqqqqq", the same with "zzzzzz" must give the same
// answer.
var hostilePaths = slicesOf(
	rows(badPath, " ", "\t", " \n ", "a\x00b", "\r", "\x00", "plain.txt\x00", "dir/\x00/x", "../out/qqqqqq\x00.txt", "\u00a0",
		strings.Repeat("a", 4097), strings.Repeat("a/", 2049), "/"+strings.Repeat("../", 2000), strings.Repeat("n", 256),
		"dir/"+strings.Repeat("\u00e9", 128)),
	rows(traversal, "..", "../", "../out/qqqqqq", "../out/zzzzzz", "./../out/qqqqqq", "dir/../../out/qqqqqq", "dir/..", "dir/../plain.txt",
		"in/../out/qqqqqq",
		"nosuch/../../out/qqqqqq", "plain.txt/../../out/qqqqqq", "../ws/plain.txt", "../ws", "../ws2/qqqqqq", "../../../../../../etc/passwd",
		"..//out//qqqqqq",
		"dir//..//..//out", "./..", "dir/.././../out/qqqqqq", "$BASE/ws/../out/qqqqqq", "$BASE/ws/..", "/..", "/../etc/passwd",
		"/proc/self/../self/environ",
		"dir/../.env", "vault/../.env", "self/../x", "out/..", "out/../ws/.env", "../\xff", "..\u002fout/qqqqqq", "../\x1b[31m"),
	rows(outside, "/", "/etc/passwd", "/etc/zzzzzz", "$BASE", "$BASE/", "$BASE/out", "$BASE/out/qqqqqq", "$BASE/qqqqqq", "$BASE/ws2",
		"$BASE/ws2/qqqqqq", "$BASE/wsx",
		"/./etc/passwd", "/proc/self/root", "/proc/self/environ", "/proc/self/cwd/plain.txt", "/dev/null", "/dev/stdin",
		"/dev/fd/0", "/sys",
		"/tmp", "/nosuch/$BASE/ws/plain.txt", "/\xff", "/\u2025", "$BASE/state"),
	rows(linkOut, "out/qqqqqq", "out/d/qqqqqq", "out/new/deep/qqqqqq", "outabs/qqqqqq", "up/out/qqqqqq", "up/ws/plain.txt", "up/qqqqqq",
		"beside/qqqqqq", "slash/etc/passwd", "slash/$BASE/out/qqqqqq",
		"dir/out/qqqqqq", "dot/qqqqqq", "one/qqqqqq", "in/out/qqqqqq", "inabs/out/qqqqqq", "in-up/qqqqqq", "back/qqqqqq",
		"$BASE/ws/out/qqqqqq", "out//d/",
		"procroot/$BASE/out/qqqqqq", "procroot/etc/passwd", "proccwd/plain.txt", "proccwd/qqqqqq", "procfd/0", "procfd/3", "out/\xff",
		"name\n/qqqqqq", "CON.link/qqqqqq"),
	links(linkOut, "out", "out/", "out/.", "outabs", "up", "beside", "slash", "dir/out", "dot", "one", "three", "in-up", "back",
		"l-qqqqqq", "abs-qqqqqq", "far-qqqqqq", "in/out", "inabs/out", "./out", "procroot", "proccwd",
		"procfd", "devnull", "etc", "name\xff", "name\n", "$BASE/ws/l-qqqqqq", "CON.link"),
	rows(linkLoop, "self/x", "loop1/x", "loop2/qqqqqq", "loopdir/x", "selfabs/x", "longloop/x"),
	links(linkLoop, "self", "loop1", "loop2", "loopdir", "selfabs", "longloop", "self/"),
	rows(denied, ".env", ".env/", "./.env", ".//.env", ".env.local", ".env.qqqqqq", "dir/.env", "dir/key.pem", "dir/new.key", "in/key.pem",
		"inabs/key.pem", "vault", "vault/", "vault/qqqqqq", "vault/new",
		"vault/a/b", ".git/config", ".ssh", ".ssh/qqqqqq", ".ssh/new", "dir/.ssh/id", "to-vault/qqqqqq", "to-vault/new", "to-git/config",
		"$BASE/ws/.env", "$BASE/ws/vault/qqqqqq", "credentials", ".e\u200bnv\u200b", ".Env", "VAULT/qqqqqq", "Dir/Key.PEM",
		"id_rsa", "dir/id_ed25519", ".aws/x", ".netrc", "\xff.pem", "\n.key", "up/ws/.env"),
	links(denied, "to-env", "to-vault", "to-qqqqqq", "to-key", "abs-env", "to-to-env", "dir/env", "in/env", "to-new-env", "to-new-key"),
	rows(readOnly, ".git/hooks/pre-commit", ".git/hooks", ".git", ".git/", "to-git/hooks/pre-commit", "$BASE/ws/.git/hooks"),
	links(readOnly, "to-git", "to-hook"),
	rows(missing, "...", "....", "..test", "te..st", "%2e%2e", "%2e%2e%2fout", "..%2fout", "~", "~root", "$HOME", "./-", "--", "-rf",
		"--root=x", "a b", "'", "\"", "`id`", "$(id)", ";ls", "|", "&", "new\n", "new\r",
		"tab\there", "\x1b[2J", "\x7f", "bell\a", "\u202egpj.exe", "\u200b", "\ufeff", "na\u00efve", "nai\u0308ve",
		"\uff0e\uff0e", "\u2024\u2024", "..\uff0fout", "\u2215etc", "bad\xff", "\xc0\xae\xc0\xae", "\xed\xa0\x80",
		"\xf0\x9f\x92\xa9", strings.Repeat("n", 255), "[a-z]", "*", "**", "?", "{a,b}", "!x", "#x", "\\x", "fsbox", "http", "nul\u0301"),
	unlikeWindows(missing, badPath, "CON", "con", "nul", "NUL.txt", "aux.c", "COM1", "lpt9.log", "CONIN$", "a:b", "plain.txt:stream",
		"plain.txt::$DATA", "C:", "C:x", "c:x", "COM\u00b9", "dot.", "blank ", "x<y", "x>y"),
	unlikeWindows(missing, traversal, "..\\out\\qqqqqq", "dir\\..\\..\\out\\qqqqqq", "..\\"),
	unlikeWindows(missing, outside, "\\etc"),
	unlikeWindows(outside, badPath, "//", "//etc/passwd"),
	unlikeWindows(missing, badPath, "\\\\server\\share\\x", "\\\\?\\C:\\x", "\\\\.\\PIPE\\x", "\\??\\C:\\x"),
	rows(aFile, "plain.txt", "./plain.txt", ".//plain.txt", "././plain.txt", "$BASE/ws/plain.txt", "$BASE/ws//plain.txt",
		"$BASE/ws/./plain.txt"),
)

func rows(kind hostileKind, paths ...string) (all []hostilePath) {
	for _, p := range paths {
		all = append(all, hostilePath{path: p, kind: kind, windows: kind})
	}
	return all
}

func links(kind hostileKind, paths ...string) (all []hostilePath) {
	for _, row := range rows(kind, paths...) {
		row.link = true
		all = append(all, row)
	}
	return all
}

func unlikeWindows(kind, windows hostileKind, paths ...string) (all []hostilePath) {
	for _, row := range rows(kind, paths...) {
		row.windows = windows
		all = append(all, row)
	}
	return all
}

func slicesOf(lists ...[]hostilePath) (all []hostilePath) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}
