package commands

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"fsbox/commands/answer"
	"fsbox/commands/approval"
	"fsbox/commands/session"
	"fsbox/commands/settings"
)

var consents = flag.Int("consents", 15, "random consents for each way to ask; the gate takes 60, 2,500 take some minutes")

// consentWays are the ways to agree to a request. Each sends it, has foreign change the workspace
// once somebody is asked, and agrees; when asked again it refuses. replay gives the same consent to
// the same request once more.
var consentWays = map[string]func(_ *testing.T, _ consentWorkspace, tool, request string, foreign func()) (int, bool, func()){
	"terminal":        agreeAtTerminal,
	"token":           agreeByToken,
	"session":         agreeInSession,
	"without session": agreeWithoutSession,
}

// consentWorkspace is a workspace under a server that asks, and under nobody's.
type consentWorkspace struct {
	client mcpClient
	env    *session.Session
	root   string
}

// TestConsentIsForOneChange makes random changes, each with somebody's consent, while others change
// the workspace between the question and the act. What comes of it is what was shown, or the
// request is asked about again and nothing is changed; and no consent counts twice.
func TestConsentIsForOneChange(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	if runtime.GOOS == "windows" {
		t.Skip("modes and links")
	}
	for way, agree := range consentWays {
		t.Run(way, func(t *testing.T) {
			r := shownSweep{Rand: rand.New(rand.NewPCG(38, 7))}
			outcomes := map[string]int{}
			for n := range *consents {
				tool, fields := r.request()
				request, err := json.Marshal(fields)
				if err != nil {
					t.Fatal(err)
				}
				foreign, seed := foreignChanges[r.IntN(len(foreignChanges))], r.Uint64()
				t.Run(fmt.Sprint(n), func(t *testing.T) { // which closes its workspaces
					outcomes[oneConsent(t, tool+" "+string(request), seed, tool, string(request), foreign, agree)]++
				})
			}
			for _, outcome := range []string{"done", "asked again", "not asked"} {
				if outcomes[outcome] < *consents/20 {
					t.Errorf("only %d of %q, of %v", outcomes[outcome], outcome, outcomes)
				}
			}
		})
	}
}

// foreignChanges are what others do meanwhile.
var foreignChanges = []func(root string) error{
	func(string) error { return nil },
	func(string) error { return nil },
	func(root string) error { return os.WriteFile(filepath.Join(root, "other"), []byte("x"), 0o666) },
	func(root string) error { return os.WriteFile(filepath.Join(root, "a"), []byte("one\ntwo\n"), 0o666) },
	func(root string) error { return os.Remove(filepath.Join(root, "a")) },
	func(root string) error { return os.Chmod(filepath.Join(root, "a"), 0o600) },
	func(root string) error { return os.WriteFile(filepath.Join(root, "d", "late"), nil, 0o666) },
	func(root string) error { return os.Chmod(filepath.Join(root, "d"), 0o700) },
	func(root string) error {
		return errors.Join(os.Rename(filepath.Join(root, "a"), filepath.Join(root, "old")), os.Symlink("b", filepath.Join(root, "a")))
	},
	func(root string) error {
		return errors.Join(os.Rename(filepath.Join(root, "b"), filepath.Join(root, "t")), os.Rename(filepath.Join(root, "a"),
			filepath.Join(root, "b")), os.Rename(filepath.Join(root, "t"), filepath.Join(root, "a")))
	},
}

// oneConsent tries one request, and says what came of it.
func oneConsent(t *testing.T, name string, seed uint64, tool, request string, foreign func(string) error,
	agree func(*testing.T, consentWorkspace, string, string, func()) (int, bool, func())) string {
	t.Helper()
	w, shown := newConsentWorkspace(t, seed), newConsentWorkspace(t, seed)
	desk := shown.env.Desk
	shown.env.Desk = nil
	a := send(t, shown.env, tool, request)
	shown.env.Desk = desk
	asked, done, replay := agree(t, w, tool, request, func() {
		if err := foreign(w.root); err != nil {
			t.Fatal(name, err)
		}
	})
	switch {
	case asked == 0:
		if done != a.Success || treeWithModes(t, w.root) != treeWithModes(t, shown.root) && a.Success {
			t.Errorf("%s: not asked, %v in place of %v", name, done, a.Success)
		}
		return "not asked"
	case done && treeWithModes(t, w.root) == foreignAlone(t, seed, foreign): // which has left nothing to change
		return "nothing left"
	case done:
		if err := foreign(shown.root); asked != 1 || err != nil || treeWithModes(t, w.root) != treeWithModes(t, shown.root) {
			t.Errorf("%s: asked %d times, %v, there is\n%s\nshown was\n%s", name, asked, err, treeWithModes(t, w.root), treeWithModes(t, shown.root))
		}
		fillConsentWorkspace(t, w.root, seed)
		before := treeWithModes(t, w.root)
		if replay(); treeWithModes(t, w.root) != before {
			t.Errorf("%s: the consent counts twice", name)
		}
		return "done"
	}
	if left := foreignAlone(t, seed, foreign); treeWithModes(t, w.root) != left {
		t.Errorf("%s: asked %d times, and refused, but there is\n%s\nand not\n%s", name, asked, treeWithModes(t, w.root), left)
	}
	return "asked again"
}

// foreignAlone is what there is if only the foreign change is made.
func foreignAlone(t *testing.T, seed uint64, foreign func(string) error) string {
	t.Helper()
	w := newConsentWorkspace(t, seed)
	if err := foreign(w.root); err != nil {
		t.Fatal(err)
	}
	return treeWithModes(t, w.root)
}

// newConsentWorkspace makes the workspace of a seed, in which one change can be undone.
func newConsentWorkspace(t *testing.T, seed uint64) (w consentWorkspace) {
	t.Helper()
	var file string
	w.client, w.env, file = mcpOver(t)
	w.root = filepath.Dir(file)
	fillConsentWorkspace(t, w.root, seed)
	desk := w.env.Desk
	w.env.Desk = nil
	undone := rand.New(rand.NewPCG(seed, 2)).IntN(3)
	a := send(t, w.env, []string{"write", "delete", "move"}[undone], []string{`{"path":"c","content":"mine\n","mode":"overwrite"}`,
		`{"path":"gone","recursive":true}`, `{"from":"gone","to":"moved"}`}[undone])
	w.env.Desk = desk
	if !a.Success {
		t.Fatal(a.Message)
	}
	return w
}

// fillConsentWorkspace writes the files of a seed, those that are there in place.
func fillConsentWorkspace(t *testing.T, root string, seed uint64) {
	t.Helper()
	r := shownSweep{Rand: rand.New(rand.NewPCG(seed, 1))}
	if err := os.RemoveAll(filepath.Join(root, "m")); err != nil { // that a mkdir has made
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b", "c", "d/a", "d/e/f", "gone/x"} {
		content := string(r.randomBytes())
		if info, err := os.Lstat(filepath.Join(root, name)); err == nil && !info.Mode().IsRegular() {
			_ = os.RemoveAll(filepath.Join(root, name))
		}
		writeFile(t, filepath.Join(root, name), content+"one x\n")
		if err := os.Chmod(filepath.Join(root, name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// treeWithModes is everything in a folder, as text.
func treeWithModes(t *testing.T, root string) string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		text, _ := os.ReadFile(path)
		target, _ := os.Readlink(path)
		rel, _ := filepath.Rel(root, path)
		all[rel] = fmt.Sprintf("%v %q %q", info.Mode(), text, target)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(&b, "%s %s\n", name, all[name])
	}
	return b.String()
}

// onceYes agrees to the first question, after foreign has changed something, and to no other.
type onceYes struct {
	asked   int
	foreign func()
}

func (o *onceYes) Approve(context.Context, *approval.Plan) (bool, error) {
	if o.asked++; o.asked == 1 {
		o.foreign()
	}
	return o.asked == 1, nil
}

func agreeAtTerminal(t *testing.T, w consentWorkspace, tool, request string, foreign func()) (int, bool, func()) {
	t.Helper()
	o := &onceYes{foreign: foreign}
	w.env.Settings.Approval, w.env.Desk.Approver = settings.ApprovalPrompt, o
	a := send(t, w.env, tool, request)
	return o.asked, a.Success, func() {}
}

func agreeByToken(t *testing.T, w consentWorkspace, tool, request string, foreign func()) (int, bool, func()) {
	t.Helper()
	w.env.Settings.Approval = settings.ApprovalToken
	a := send(t, w.env, tool, request)
	if a.Error != answer.CodeApprovalRequired {
		return 0, a.Success, nil
	}
	with := strings.Replace(strings.TrimSuffix(request, "}")+fmt.Sprintf(`,"approval":%q}`, tokenFor(t, w.env, a)), "{,", "{", 1)
	foreign()
	asked := 1
	if a = send(t, w.env, tool, with); a.Error == answer.CodeApprovalRequired {
		asked++
	}
	return asked, a.Success, func() { send(t, w.env, tool, with) }
}

func agreeInSession(t *testing.T, w consentWorkspace, tool, request string, foreign func()) (asked int, done bool, replay func()) {
	t.Helper()
	c := w.client
	c.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},` +
		`"clientInfo":{"name":"x","version":"1"}}}`)
	c.receive()
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, request)
	for {
		m := c.receive()
		if m["method"] != "elicitation/create" {
			return asked, at(m, "result", "isError") == nil, func() {
				c.send(`{"jsonrpc":"2.0","id":"ask-1","result":%s}`, saysYes)
				c.send(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
				c.receive()
			}
		}
		if asked++; asked > 1 {
			c.send(`{"jsonrpc":"2.0","id":%q,"result":{"action":"decline"}}`, m["id"])
			continue
		}
		foreign()
		c.send(`{"jsonrpc":"2.0","id":%q,"result":%s}`, m["id"], saysYes)
	}
}

func agreeWithoutSession(t *testing.T, w consentWorkspace, tool, request string, foreign func()) (asked int, done bool, replay func()) {
	t.Helper()
	c := &clientWithoutSession{mcpClient: w.client}
	call := fmt.Sprintf(`"name":%q,"arguments":%s`, tool, request)
	a := c.call(call, "", "", "")
	state, key, _ := questionIn(a)
	if key == "" {
		return 0, at(a, "result", "isError") == nil, nil
	}
	foreign()
	a = c.call(call, state, key, saysYes)
	if again, other, _ := questionIn(a); other != "" {
		a = c.call(call, again, other, `{"action":"decline"}`)
		return 2, at(a, "result", "isError") == nil, nil
	}
	return 1, at(a, "result", "isError") == nil, func() { c.call(call, state, key, saysYes) }
}
