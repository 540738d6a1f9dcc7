package transaction_test

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/fixture"
	"fsbox/sandbox/policy"
	"fsbox/sandbox/transaction"
)

// foldingFolder is a folder on a file system that treats some different names as the same.
type foldingFolder struct {
	dir.Descriptor
	same func(listed, asked string) bool
}

func (f foldingFolder) real(name string) string {
	entries, err := dir.List(context.Background(), f.Descriptor)
	for _, e := range entries {
		if err == nil && f.same(e.Name, name) {
			return e.Name
		}
	}
	return name
}

func (f foldingFolder) Descend(string) (dir.Folder, error)   { return nil, fserr.ErrUnsupported }
func (f foldingFolder) Lstat(name string) (stat.Info, error) { return f.Descriptor.Lstat(f.real(name)) }
func (f foldingFolder) Remove(name string) error             { return f.Descriptor.Remove(f.real(name)) }
func (f foldingFolder) Readlink(name string) (string, error) {
	return f.Descriptor.Readlink(f.real(name))
}
func (f foldingFolder) Open(name string, n int) (*openfile.File, error) {
	return f.Descriptor.Open(f.real(name), n)
}

func (f foldingFolder) Move(name string, to dir.Folder, newName string, how dir.Moving) error {
	return f.Descriptor.Move(f.real(name), to.(foldingFolder).Descriptor, newName, how)
}

func (f foldingFolder) Sub(name string) (dir.Folder, error) {
	folder, err := f.Descriptor.Sub(f.real(name))
	if err != nil {
		return nil, err
	}
	return foldingFolder{folder.(dir.Descriptor), f.same}, nil
}

// The rules by which file systems treat names as the same.
//
//lint:ignore SA6005 upper case alone, as such file systems have it
func anyCase(listed, asked string) bool { return strings.ToUpper(listed) == strings.ToUpper(asked) }
func casefold(listed, asked string) bool {
	return policy.FoldName(listed) == policy.FoldName(asked)
}
func shortNames(listed, asked string) bool {
	trimmed := strings.TrimRight(asked, ". ")
	return anyCase(listed, trimmed) || short(listed) == strings.ToUpper(trimmed)
}

// short is the short name that DOS gives a long one, or nearly.
func short(name string) string {
	base, ext, _ := strings.Cut(strings.TrimLeft(strings.ToUpper(name), "."), ".")
	base = base[:min(6, len(base))] + "~1"
	if ext != "" {
		base += "." + ext[:min(3, len(ext))]
	}
	return base
}

func openFolding(t *testing.T, root string, o sandbox.Options, same func(listed, asked string) bool) *sandbox.Workspace {
	t.Helper()
	w := fixture.OpenWorkspace(t, root, o)
	w.RootFolder = foldingFolder{Descriptor: w.RootFolder.(dir.Descriptor), same: same}
	return w
}

var foldingTree = []string{
	".env", "d/KEY.pem", "d/x.txt", ".git/hooks/x", "Credentials/a", "l => .env", "toFolder => d", "id_rsa", "Private/f", ".env.example",
	"credentials.json", "ß.key", "caf\u00e9/f", "plain~1",
}

// anySpelling are paths that are denied on every file system, though some of them lead nowhere
// there.
const anySpelling = ".ENV .Env D/key.PEM l .Git/Config CREDENTIALS/a Credentials/a ID_RSA Private/f private/new .Env.Local d/new.PEM d/KEY.PEM " +
	".e\u200bnv .\u00adenv .env\ufeff \ufe0f.env .\u2060ENV id_rſa \u212aEY.pem d/\u212aEY.pem credentialſ.json ss.KEY ß.key CAFE\u0301/f caf\u00e9/f " +
	".g\u200cit/CONFIG .e\u200bnv.local d/\u200dnew.ke\u200dy"

// Another spelling doesn't get around the policy, whether the file system finds the file by it or
// not; short names, and what a link in another spelling leads to, are denied where it does.
func TestPolicySpelling(t *testing.T) {
	deny := append(policy.DefaultDeny(), "PRIVATE", "cafe\u0301")
	const allowed = ".ENV.EXAMPLE d/x.txt d/x\u200b.txt D/X.TXT d/new toFolder/x.txt TOFOLDER/x.txt plain~1 env .git/HOOKS/x "
	for name, tt := range map[string]struct {
		same            func(listed, asked string) bool
		denied, allowed string
	}{
		"exact":    {func(a, b string) bool { return a == b }, "", "L ENV~1"},
		"case":     {anyCase, "L TOFOLDER/new.PEM", "ENV~1"},
		"casefold": {casefold, "L", "ENV~1"},
		"short": {shortNames, "L ENV~1 env~1 .env. id_rsa. CREDEN~1.JSO GIT~1/config CREDEN~1/a Creden~1/A PRIVAT~1/f",
			"ENV~1.EXA d/x.txt. D/X~1.TXT nosuch~1 d/nosuch~1"},
	} {
		t.Run(name, func(t *testing.T) {
			w := openFolding(t, fixture.MakeTree(t, foldingTree), sandbox.Options{NoSync: true, Whole: 1 << 20, Policy: rulesOf(t, deny, policy.DefaultDenyWrite())},
				tt.same)
			for path := range strings.FieldsSeq(anySpelling + " .e\u200bnv.example " + tt.denied) { // what opens holds by all readings
				_, err := w.Stat(path)
				fixture.Fails(t, err, path, fserr.ErrBlocked)
			}
			for path := range strings.FieldsSeq(allowed + tt.allowed) {
				if _, err := w.Stat(path); err != nil {
					t.Errorf("%q: %v", path, err)
				}
			}
		})
	}
}

// The names in a walk's list, and changes, are checked alike on every file system.
func TestPolicySpellingWalks(t *testing.T) {
	root := fixture.MakeTree(t, foldingTree)
	o := sandbox.Options{NoSync: true, Whole: 1 << 20, Policy: rulesOf(t, append(policy.DefaultDeny(), "PRIVATE"), append(policy.DefaultDenyWrite(),
		"*.Lock"))}
	ctx := context.Background()
	disktest.MakeEntry(t, root, "tree/Credentials = x")
	for _, w := range []*sandbox.Workspace{openFolding(t, root, o, anyCase), fixture.OpenWorkspace(t, root, o)} {
		for path, denied := range map[string]bool{"Credentials": true, "Private": true, "d": false, "d/x.txt": false, "plain~1": false,
			"caf\u00e9": false} {
			if w.DeniesEntry(path, false) != denied {
				t.Errorf("%q: denied %v", path, !denied)
			}
		}
		for _, path := range []string{".Git/hooks/new", "d/Key.Pem", "d/a.LOCK"} {
			_, err := transaction.Commit(ctx, w, []transaction.Change{fixture.Put(path, "1", transaction.MayCreate)})
			fixture.Fails(t, err, path, fserr.ErrBlocked)
		}
		_, err := transaction.Delete(ctx, w, transaction.WriteOptions{Path: ".GIT", Recursive: true})
		fixture.Fails(t, err, ".GIT", fserr.ErrBlocked)
		_, err = transaction.Delete(ctx, w, transaction.WriteOptions{Path: "tree", Recursive: true})
		fixture.Fails(t, err, "tree/Credentials", fserr.ErrBlocked)
	}
}

// Real mounts of such file systems, if this machine can make them.
func TestPolicySpellingMounted(t *testing.T) {
	for name, script := range map[string]string{
		"casefold": `truncate -s 32M i && mkfs.ext4 -q -O casefold i && mount -o loop i m && mkdir m/ws && chattr +F m/ws`,
		"vfat":     `truncate -s 32M i && mkfs.vfat i && mount -o loop i m && mkdir m/ws`,
		"exfat":    `truncate -s 32M i && mkfs.exfat i && l=$(losetup -f --show i) && mount.exfat-fuse $l m && mkdir m/ws`,
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			mount := exec.Command("sh", "-c", "mkdir m && "+script)
			mount.Dir = folder
			t.Cleanup(func() {
				clean := exec.Command("sh", "-c", `umount m; losetup -j i | cut -d: -f1 | xargs -r losetup -d`)
				clean.Dir = folder
				_ = clean.Run()
			})
			if out, err := mount.CombinedOutput(); err != nil {
				t.Skipf("can't be mounted here: %v: %s", err, out)
			}
			root := filepath.Join(folder, "m", "ws")
			w := fixture.OpenWorkspace(t, root, sandbox.Options{NoSync: true, Whole: 1 << 20, Policy: rulesOf(t, policy.DefaultDeny(), policy.DefaultDenyWrite())})
			for _, entry := range []string{".env", "Credentials = x", "d/KEY.PEM", "readme.txt"} {
				disktest.MakeEntry(t, root, entry)
			}
			for _, path := range []string{".ENV", "credentials", "Credentials", "d/key.PEM", "d/KEY.PEM", "d/other.PEM", ".Git/config"} {
				_, err := w.Stat(path)
				fixture.Fails(t, err, path, fserr.ErrBlocked)
			}
			if _, err := w.Stat("README.TXT"); err != nil || w.DeniesEntry("readme.txt", false) || !w.DeniesEntry("Credentials", false) {
				t.Errorf("%v, %v, %v", err, w.DeniesEntry("readme.txt", false), w.DeniesEntry("Credentials", false))
			}
		})
	}
}
