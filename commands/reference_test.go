package commands

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fsbox/commands/answer"
	"fsbox/commands/cmdline"
	"fsbox/commands/command"
	"fsbox/commands/request"
)

const referencePage = "docs/reference.md"

// generated finds a part of the reference that is made from the structs, between two comments.
var generated = regexp.MustCompile(`(?s)(<!-- generated: (\w+) -->\n)(.*?)(<!-- end -->)`)

// referenceOf is docs/reference.md with the tables of today's structs, and with a section for each
// command.
func referenceOf(t *testing.T) page {
	t.Helper()
	r, text := reference{comments: structComments(t)}, readRepository(t, referencePage)
	text = generated.ReplaceAllStringFunc(withSections(text), func(part string) string {
		m := generated.FindStringSubmatch(part)
		return m[1] + r.section(m[2]) + m[4]
	})
	return page{referencePage, text}
}

// withSections adds a section to the reference for each command that has none, before that of the
// next command.
func withSections(text string) string {
	all := append(command.Names(documented()), "")
	for i, name := range slices.Backward(all[:len(all)-1]) {
		mark := "<!-- generated: " + name + " -->\n"
		if strings.Contains(text, mark) {
			continue
		}
		at := strings.Index(text, "## "+all[i+1]+"\n")
		if at < 0 || all[i+1] == "" {
			text, at = text+"\n", len(text)+1
		}
		text = text[:at] + "## " + name + "\n\n" + mark + "<!-- end -->\n\n" + text[at:]
	}
	return text
}

// reference writes the generated parts of the reference.
type reference struct {
	comments map[string]string // by package, type and field: "read.Result.Size"
}

// documented are the tools of the page: batch, mcp and what is for the shell have fields as well.
func documented() []command.Command {
	all := OfLine()
	for _, name := range []string{command.BatchName, command.MCPName, cmdline.CompletionName, cmdline.ManName} {
		all = append(all, command.Command{Name: name, Help: cmdline.About(nil, name).Help, HostOnly: true})
	}
	return all
}

func (r reference) section(name string) string {
	if name == "envelope" {
		return "\n" + r.members(reflect.TypeFor[answer.Answer]()) + "\n"
	}
	t, ok := command.Find(documented(), name)
	if !ok {
		return "\nThere is no command of this name.\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s\n\n", r.purpose(t))
	request := r.request(t)
	b.WriteString(fieldTable(request))
	b.WriteString(shellFlags(request))
	if codes := cmdline.CodeNames(cmdline.About(OfLine(), name).Codes); len(codes) > 0 {
		fmt.Fprintf(&b, "Error codes: %s. [All codes](codes.md).\n\n", codeList(codes))
	}
	for i, result := range cmdline.About(OfLine(), name).Results {
		of := reflect.TypeOf(result).Elem()
		fmt.Fprintf(&b, "%s\n\n%s\n", []string{"Result:", "Or:"}[min(i, 1)], r.members(of))
	}
	return b.String()
}

func (r reference) request(t command.Command) reflect.Type {
	switch t.Name {
	case command.BatchName:
		return reflect.TypeFor[cmdline.Batch]()
	case command.MCPName:
		return reflect.TypeFor[cmdline.MCP]()
	case cmdline.CompletionName:
		return reflect.TypeFor[cmdline.Completion]()
	case cmdline.ManName:
		return reflect.TypeFor[cmdline.Man]()
	}
	return reflect.TypeOf(t.New()).Elem()
}

// purpose is what the help says, with what the tool needs and its other names.
func (r reference) purpose(t command.Command) string {
	text := cmdline.About(OfLine(), t.Name).Text
	switch {
	case t.Deletes:
		text += " Needs `--allow-write` and `--allow-delete`."
	case t.Writes:
		text += " Needs `--allow-write`."
	}
	if len(t.Aliases) > 0 {
		text += " Other names in `batch` and MCP: " + codeList(t.Aliases) + "."
	}
	return text
}

func codeList(names []string) string { return "`" + strings.Join(names, "`, `") + "`" }

func fieldTable(t reflect.Type) string {
	if len(request.Fields(t)) == 0 {
		return "This command has no fields.\n\n"
	}
	b := strings.Builder{}
	b.WriteString("| field | type | default | meaning |\n|---|---|---|---|\n")
	for _, f := range request.Fields(t) {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", f.Name, request.TypeOf(f.Type).Name, fieldDefault(f),
			cell(fieldMeaning(f, t.Field(f.Index).Tag)))
	}
	return b.String() + "\n"
}

func fieldDefault(f request.Field) string {
	switch {
	case f.Def != "":
		return "`" + f.Def + "`"
	case f.Need:
		return "required"
	case f.Kind == reflect.Bool:
		return "`false`"
	}
	return ""
}

// fieldMeaning is the help of a field with its words, its cap, its flag if that has another name,
// and its aliases.
func fieldMeaning(f request.Field, tag reflect.StructTag) string {
	text := strings.ReplaceAll(tag.Get("help"), "${default}", f.Def)
	if words := f.Words(tag); len(words) > 0 {
		text += " One of " + codeList(words) + "."
	}
	switch f.Cap {
	case "results":
		text += " At most `max_results`."
	case "output":
		text += " At most `max_output_bytes`."
	case "context":
		text += fmt.Sprintf(" At most %d.", request.MaxContext)
	}
	if f.Flag != request.FlagOf(f.Name) {
		text += " As a flag: `--" + f.Flag + "`."
	}
	if len(f.Aliases) > 0 {
		text += " Also " + codeList(f.Aliases) + "."
	}
	return text
}

// shellFlags are the flags that only the command line has.
func shellFlags(t reflect.Type) string {
	var b strings.Builder
	for i := range t.NumField() {
		sf := t.Field(i)
		if name := sf.Tag.Get("name"); sf.Tag.Get("json") == "-" && name != "" {
			fmt.Fprintf(&b, "- `--%s`, on the command line only: %s\n", name, sf.Tag.Get("help"))
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return b.String() + "\n"
}

// members is the table of what a result has, with the members of its parts under their path.
func (r reference) members(t reflect.Type) string {
	b := strings.Builder{}
	b.WriteString("| member | type | meaning |\n|---|---|---|\n")
	r.addMembers(&b, "", t)
	return b.String()
}

func (r reference) addMembers(b *strings.Builder, prefix string, t reflect.Type) {
	for _, m := range answer.Members(t) {
		owner := t
		if len(m.Index) > 1 {
			owner = t.FieldByIndex(m.Index[:len(m.Index)-1]).Type
		}
		of := memberType(m.Type, m.OmitZero)
		if m.OmitZero {
			of += ", may be absent"
		}
		if m.Tag.Get("mcp") == "-" {
			of += ", absent over MCP"
		}
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", prefix+m.Key, of, cell(r.comments[path.Base(owner.PkgPath())+"."+owner.Name()+"."+m.Name]))
		if part, suffix := partOf(m.Type); part != nil {
			r.addMembers(b, prefix+m.Key+suffix, part)
		}
	}
}

// memberType is the JSON type of a member.
func memberType(t reflect.Type, absent bool) string {
	null := ""
	for t.Kind() == reflect.Pointer {
		if t = t.Elem(); !absent {
			null = " or null"
		}
		absent = false
	}
	switch {
	case t == reflect.TypeFor[[]byte]():
		return "string, base64"
	case t.Kind() == reflect.Interface, t.String() == "jsontext.Value":
		return "any"
	case t.Kind() == reflect.Slice:
		return "list of " + strings.TrimSuffix(memberType(t.Elem(), false), "s") + "s" + null
	case t.Kind() == reflect.Array:
		return "pair of " + request.KindOf(t.Elem().Kind()).Name + "s"
	}
	return request.KindOf(t.Kind()).Name + null
}

// partOf is the struct that a member holds, or that the elements of a list are.
func partOf(t reflect.Type) (part reflect.Type, suffix string) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	suffix = "."
	if t.Kind() == reflect.Slice && t != reflect.TypeFor[[]byte]() && t.String() != "jsontext.Value" {
		t, suffix = t.Elem(), "[]."
	}
	if t.Kind() != reflect.Struct {
		return nil, ""
	}
	return t, suffix
}

// cell makes a text fit into one cell of a table.
func cell(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(text), "|", `\|`), "\n", " ")
}

// structComments reads what is written beside the fields of the structs of which answers are made.
func structComments(t *testing.T) map[string]string {
	t.Helper()
	comments := map[string]string{}
	for _, name := range slices.Concat(sourcesBelow(t, "../textio"), sourcesBelow(t, ".")) {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			if s, ok := spec.Type.(*ast.StructType); ok {
				addComments(comments, file.Name.Name+"."+spec.Name.Name, s)
			}
			return true
		})
	}
	return comments
}

func addComments(comments map[string]string, name string, s *ast.StructType) {
	for _, f := range s.Fields.List {
		text := strings.TrimSpace(f.Doc.Text() + f.Comment.Text())
		for _, id := range f.Names {
			comments[name+"."+id.Name] = text
		}
	}
}
