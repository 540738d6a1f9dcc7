package commands

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"fsbox/commands/answer"
	"fsbox/commands/approval"
	"fsbox/commands/command"
	"fsbox/commands/edit"
	"fsbox/commands/info"
	"fsbox/commands/patch"
	"fsbox/commands/session"
	"fsbox/commands/words"
	"fsbox/sandbox/disk/fserr"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// details are all those that failures have.
var details = []any{
	approval.ApprovalDetails{}, patch.Details{}, patch.FailureDetails{}, answer.PathDetails{}, command.LineDetails{},
	edit.MissDetails{}, edit.PlacesDetails{}, edit.Details{}, edit.StaleDetails{}, command.EncodingDetails{},
	command.BinaryDetails{}, edit.ManyMissDetails{}, edit.ManyCountDetails{},
	command.WriteSizeDetails{}, command.RegexDetails{}, session.CrashDetails{}, session.StuckDetails{},
}

// answered are the types of all results and details that answers are made of.
func answered() (all []reflect.Type) {
	for _, tool := range OfLine() {
		for _, r := range tool.Results {
			all = append(all, reflect.TypeOf(r).Elem())
		}
	}
	for _, d := range details {
		all = append(all, reflect.TypeOf(d))
	}
	return all
}

func TestAnsweredIsComplete(t *testing.T) {
	known := map[string]bool{"Result": true}
	for _, of := range answered() {
		known[of.Name()] = true
	}
	for name := range declared(t, ".") {
		switch {
		case known[name]:
		case strings.HasSuffix(name, "Result"):
			t.Errorf("%s is missing among the Results of its verb", name)
		case strings.HasSuffix(name, "Details"):
			t.Errorf("%s is missing among the details in response_test.go", name)
		}
	}
}

// declared gives the exported names that a package declares, with the type of those that have one
// spelled out.
func declared(t *testing.T, folder string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range sourcesBelow(t, folder) {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if decl, ok := d.(*ast.GenDecl); ok {
				addNames(all, decl)
			}
		}
	}
	return all
}

// sourcesBelow are the files of Go in a folder and below it, without tests.
func sourcesBelow(t *testing.T, folder string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func addNames(all map[string]string, decl *ast.GenDecl) {
	for _, spec := range decl.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			all[s.Name.Name] = ""
		case *ast.ValueSpec:
			for _, name := range s.Names {
				if of, ok := s.Type.(*ast.Ident); ok && name.IsExported() {
					all[name.Name] = of.Name
				} else if name.IsExported() {
					all[name.Name] = ""
				}
			}
		}
	}
}

var answerTexts = []string{"", "a", "a/b.go", "<script>&amp;</script>", "quote \" and \\ and /", "line\nend\r\n\ttab", "\x00\x01\x1f\x7f",
	"é ü 世界 😀", "\u2028\u2029\ufeff\ufffd", "e\u0301", strings.Repeat("long ", 300)}

// fillRandom sets a value, and all in it, to anything it can be in an answer.
func fillRandom(r *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if r.IntN(3) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fillRandom(r, v.Elem())
		}
	case reflect.Interface:
		switch r.IntN(3) {
		case 0:
			v.Set(reflect.ValueOf(jsontext.Value("null")))
		case 1:
			v.Set(reflect.ValueOf(&info.LinkedInfo{PathName: words.PathOf(answerTexts[r.IntN(len(answerTexts))]), Type: "file"}))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fillRandom(r, v.Field(i))
			}
		}
	case reflect.Slice:
		if _, raw := v.Interface().(jsontext.Value); raw {
			v.Set(reflect.ValueOf(jsontext.Value(`{"raw":["JSON",1]}`)))
			return
		}
		if n := r.IntN(5) - 1; n >= 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
		}
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			fillRandom(r, v.Index(i))
		}
	case reflect.String:
		v.SetString(answerTexts[r.IntN(len(answerTexts))])
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int, reflect.Int64:
		v.SetInt([]int64{0, 1, -1, 50, 1<<53 + 1, 1<<63 - 1, -1 << 63}[r.IntN(7)])
	case reflect.Uint8:
		v.SetUint(r.Uint64N(256))
	case reflect.Uint32:
		v.SetUint(uint64([]fs.FileMode{0, fs.ModeDir, fs.ModeSymlink, fs.ModeSocket}[r.IntN(4)]))
	case reflect.Uint64:
		v.SetUint([]uint64{0, 1, 1<<64 - 1}[r.IntN(3)])
	case reflect.Float64:
		v.SetFloat([]float64{0, 1, -0.5, words.Seconds(time.UnixMicro(1_700_000_000_123_456)),
			words.Seconds(time.Unix(r.Int64N(4e9), r.Int64N(1e9)))}[r.IntN(5)])
	default:
		panic("no random " + v.Kind().String())
	}
}

// Whatever answers hold can be written.
func TestAnswersAreJSON(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, of := range answered() {
		for range sized(300) {
			v := reflect.New(of)
			fillRandom(r, v.Elem())
			text := strings.TrimSpace(lineOf(answer.Answer{Result: v.Interface()}))
			if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' }) {
				t.Fatalf("%v: a control character in %q", of, text)
			}
		}
	}
}

type sentence string

func (s sentence) Summary() string { return string(s) }

// The envelope has its members in the order of the wire format, those without a value left out, on
// one line.
func TestEnvelope(t *testing.T) {
	full := (&answer.Failure{Code: answer.CodeBusy, Message: "m", Hint: "h", Retryable: true, Details: &edit.Details{Edit: 2}})
	for _, tt := range []struct {
		a    answer.Answer
		want string
	}{
		{answer.Succeeded(nil, sentence("done"), nil), `{"success":true,"result":"done","message":"done"}`},
		{answer.Succeeded(jsontext.Value(`{"a":1}`), sentence("done"), []string{"w"}),
			`{"id":{"a":1},"success":true,"result":"done","message":"done","warnings":["w"]}`},
		{answer.Succeeded(jsontext.Value("null"), sentence("a\nb"), nil), `{"id":null,"success":true,"result":"a\nb","message":"a\nb"}`},
		{answer.Failed(nil, answer.Failf(answer.CodeNotFound, "%q does not exist", "x"), nil),
			`{"success":false,"error":"not_found","message":"\"x\" does not exist"}`},
		{answer.Failed(jsontext.Value("7"), full, []string{"w", "v"}),
			`{"id":7,"success":false,"error":"busy","message":"m","hint":"h","retryable":true,"details":{"edit":2},"warnings":["w","v"]}`},
	} {
		if got := lineOf(tt.a); got != tt.want+"\n" {
			t.Errorf("%swant %s", got, tt.want)
		}
	}
}

func TestExitStatus(t *testing.T) {
	for name, of := range declared(t, ".") {
		if of != "Code" {
			continue
		}
		code := codeOf(t, name)
		want := 1
		if code == answer.CodeInvalidInput || code == answer.CodeUnknownTool {
			want = 2
		}
		if got := answer.Failed(nil, &answer.Failure{Code: code}, nil).ExitStatus(); got != want {
			t.Errorf("%s ends with %d, want %d", code, got, want)
		}
	}
	if got := answer.Succeeded(nil, sentence(""), nil).ExitStatus(); got != 0 {
		t.Errorf("success ends with %d", got)
	}
}

// codeOf gives the value of a constant of failure.go.
func codeOf(t *testing.T, constant string) answer.Code {
	t.Helper()
	source, err := os.ReadFile("answer/failure.go")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(source)) {
		if words := strings.Fields(line); len(words) > 3 && words[0] == constant && words[1] == "Code" {
			return answer.Code(strings.Trim(words[3], `"`))
		}
	}
	t.Fatalf("%s isn't in failure.go", constant)
	return ""
}

// A failure repeats both ends of a long text, whole characters of it; a success shows all.
func TestFailuresAreShort(t *testing.T) {
	long := "x" + strings.Repeat("é", 3000) // the cut falls into a character
	f := command.WithPathDetails(answer.Failf(answer.CodeNotFound, "%s", long).
		WithHint("%s", long), &fserr.PathError{Path: long, Err: fserr.ErrNotFound})
	f.Details.(*answer.PathDetails).Similar = []string{long}
	kept := "x" + strings.Repeat("é", 63) + "… (5746 bytes omitted) …" + strings.Repeat("é", 64)
	var back struct {
		Message string `json:"message"`
		Hint    string `json:"hint"`
		Details struct {
			Path    string   `json:"path"`
			Similar []string `json:"similar"`
		} `json:"details"`
	}
	if err := json.Unmarshal([]byte(lineOf(answer.Failed(nil, f, nil))), &back); err != nil {
		t.Fatal(err)
	}
	if back.Message != kept || back.Hint != kept || back.Details.Path != kept || back.Details.Similar[0] != long {
		t.Errorf("%+v", back)
	}
	if line := lineOf(answer.Succeeded(nil, &info.Result{PathName: words.PathOf(long)}, nil)); !strings.Contains(line,
		`"path":"`+long+`"`) {
		t.Errorf("a success is cut: %s", line)
	}
}

// Names that aren't UTF-8 have a raw bytes field.
func TestTwins(t *testing.T) {
	for _, tt := range []struct {
		of   any
		want string
	}{
		{info.LinkedInfo{PathName: words.PathOf("a\xff"), Type: "file"}, `{"path":"a` + "\ufffd" + `","path_base64":"Yf8=","type":"file"}`},
		{info.LinkedInfo{PathName: words.PathOf("a"), Type: "file"}, `{"path":"a","type":"file"}`},
		{answer.SkippedPath{PathName: words.PathOf("a\xff"), Error: answer.CodeNotFound}, `{"path":"a` + "\ufffd" +
			`","path_base64":"Yf8=","error":"not_found"}`},
	} {
		if got := asJSON(t, tt.of); got != tt.want {
			t.Errorf("%s, want %s", got, tt.want)
		}
	}
}
