package commands

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"fsbox/commands/approval"
	"fsbox/commands/patch"
	"fsbox/commands/settings"
)

// A plan whose answer would be too long to be shown whole is carried out when somebody agrees, and
// says that it isn't whole.
func TestLongPlan(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	if runtime.GOOS == "windows" {
		t.Skip("names are text on this system")
	}
	now := time.Unix(1_800_000_000, 0)
	env := tokenEnv(t, &now)
	env.Settings.Approval, env.Limits.Timeout = settings.ApprovalPrompt, time.Minute
	var text strings.Builder
	const files = approval.MaxNames + 100
	folder := strings.Repeat(strings.Repeat(`\377`, 250)+"/", 4) // an answer has such a name twice, once in base64
	for i := range files {
		fmt.Fprintf(&text, "--- /dev/null\n+++ \"b/%s%d\"\n@@ -0,0 +1 @@\n+x\n", folder, i)
	}
	request, err := json.Marshal(map[string]string{"patch": text.String()})
	if err != nil {
		t.Fatal(err)
	}
	var shown string
	env.Desk.Approver = yes{func(plan *approval.Plan) { shown = plan.Question("/", 80, false) }}
	a := send(t, env, "patch", string(request))
	if r, ok := a.Result.(*patch.Result); !ok || r.FilesModified != files {
		t.Fatalf("%s %s %+v", a.Error, a.Message, a.Hint)
	}
	if !strings.Contains(shown, fmt.Sprintf("[%d more paths]", files-approval.MaxNames)) || !strings.Contains(shown, approval.DiffIsCut) {
		t.Errorf("%.300q ... %.300q", shown, shown[len(shown)-300:])
	}
}
