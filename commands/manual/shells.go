package manual

import (
	"fmt"
	"slices"
	"strings"

	"fsbox/commands/words"

	"github.com/alecthomas/kong"
)

// bash writes one function. bash splits words at "=", so that --sort=size arrives as three. Where
// nothing is offered, "-o default" offers files.
func (p *Program) bash(w *page) {
	w.line(bashStart, p.Name, strings.Join(append(valued(p.Flags), "-C"), "|"))
	for _, c := range p.Children {
		p.bashValues(w, c.Name, c.Flags)
	}
	w.line(`    *:-C) COMPREPLY=($(compgen -d -- "$cur")); return ;;`)
	p.bashValues(w, "*", p.Flags)
	w.line("    esac")
	w.line("    case $command in")
	w.line(`    "") words="%s" ;;`, strings.Join(p.commandNames(), " "))
	w.line(`    help) words="%s" ;;`, strings.Join(p.pages(), " "))
	for _, c := range p.Children {
		w.line(`    %s) words="%s" flags="%s" ;;`, c.Name, strings.Join(p.operandWords(c), " "), spelled(c.Flags))
	}
	w.line(bashEnd, p.Name, spelled(p.Flags))
}

// bashStart finds the command, and the word before the one to complete.
const bashStart = `# Completion of %[1]s for bash.
_%[1]s() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= words= flags= at=1 word
    if [[ $cur == "=" ]]; then cur=; elif [[ $prev == "=" ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi
    while ((at < COMP_CWORD)); do
        word=${COMP_WORDS[at]}
        case $word in
        %[2]s) ((at++)); [[ ${COMP_WORDS[at]} == "=" ]] && ((at++)) ;;
        -*) ;;
        *) command=$word; break ;;
        esac
        ((at++))
    done
    COMPREPLY=()
    case $command:$prev in`

const bashEnd = `    esac
    [[ $cur == -* ]] && words="$flags %[2]s"
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o bashdefault -o default -F _%[1]s %[1]s`

func (p *Program) bashValues(w *page, cmd string, flags []*kong.Flag) {
	for _, f := range shown(flags) {
		switch offer := p.valueOf(f.Value).completes().bash; {
		case f.IsBool():
		case offer == "":
			w.line(`    %s:--%s) return ;;`, cmd, f.Name)
		default:
			w.line(`    %s:--%s) COMPREPLY=($(compgen %s -- "$cur")); return ;;`, cmd, f.Name, offer)
		}
	}
}

// completion is how each shell is told to complete a value.
type completion struct{ bash, zsh, fish string }

func (v Value) completes() completion {
	switch v.Kind {
	case Word:
		all := strings.Join(v.Words, " ")
		return completion{`-W "` + all + `"`, "(" + all + ")", " -x -a '" + all + "'"}
	case File:
		return completion{"-f", "_files", " -r -F"}
	case Folder:
		return completion{"-d", "_files -/", " -x -a '(__fish_complete_directories)'"}
	case Text:
		return completion{zsh: " ", fish: " -x"}
	}
	return completion{}
}

// valued are the flags that take a value from the next word.
func valued(flags []*kong.Flag) []string {
	var all []string
	for _, f := range shown(flags) {
		if !f.IsBool() {
			all = append(all, "--"+f.Name)
		}
	}
	return all
}

func spelled(flags []*kong.Flag) string {
	return strings.Join(slices.Concat(words.Mapped(shown(flags), spellings)...), " ")
}

// operandWords are the words that may come first after a command, if they are a closed list.
func (p *Program) operandWords(c *kong.Node) []string {
	if len(c.Positional) == 0 {
		return nil
	}
	return p.valueOf(c.Positional[0]).Words
}

func (p *Program) zsh(w *page) {
	w.line(zshStart, p.Name)
	for _, f := range shown(p.Flags) {
		p.zshOption(w, f)
	}
	w.line("    )\n    commands=(")
	for _, c := range p.Children {
		w.line("        %s", quote(c.Name+":"+brief(c.Help)))
	}
	w.line(zshCommands, strings.Join(p.pages(), " "))
	for _, c := range p.Children {
		w.line("        %s)\n            _arguments $settings \\", c.Name)
		for _, f := range shown(c.Flags) {
			w.WriteString("        ")
			p.zshOption(w, f, " \\")
		}
		for i, a := range c.Positional {
			w.line("                %s \\", quote(fmt.Sprintf("%d::%s:%s", i+1, zshText(a.Name), p.valueOf(a).completes().zsh)))
		}
		w.line("                ;;")
	}
	w.line("        esac ;;\n    esac\n}")
	w.line(`if [[ $funcstack[1] == _%[1]s ]]; then _%[1]s "$@"; else compdef _%[1]s %[1]s; fi`, p.Name)
}

const zshStart = `#compdef %[1]s
# Completion of %[1]s for zsh.
_%[1]s() {
    local context state state_descr line curcontext=$curcontext
    typeset -A opt_args
    local -a settings commands
    settings=(`

const zshCommands = `        'help:Show help'
    )
    _arguments -C $settings '-C[The workspace directory]:DIR:_files -/' '1: :->command' '*:: :->rest' && return
    case $state in
    command) _describe command commands ;;
    rest)
        case $words[1] in
        help) _values page %s ;;`

func (p *Program) zshOption(w *page, f *kong.Flag, end ...string) {
	v := p.valueOf(f.Value)
	for _, flag := range spellings(f) {
		spec := flag
		if v.Kind != Switch && strings.HasPrefix(flag, "--") {
			spec += "="
		}
		spec += "[" + zshText(brief(WithDefault(f.Value))) + "]"
		if v.Kind != Switch {
			spec += ":" + zshText(v.Name) + ":" + v.completes().zsh
		}
		w.line("        %s%s", quote(spec), strings.Join(end, ""))
	}
}

// zshText escapes what ends a description.
func zshText(s string) string {
	return strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, ":", `\:`).Replace(s)
}

// quote makes one word for a POSIX shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func (p *Program) fish(w *page) {
	w.line("# Completion of %s for fish.", p.Name)
	names := strings.Join(p.commandNames(), " ")
	none := fmt.Sprintf(`'not __fish_seen_subcommand_from %s'`, names)
	for _, c := range p.Children {
		w.line("complete -c %s -f -n %s -a %s -d %s", p.Name, none, c.Name, fishQuote(brief(c.Help)))
	}
	w.line("complete -c %s -f -n %s -a help -d 'Show help'", p.Name, none)
	w.line("complete -c %s -f -n '__fish_seen_subcommand_from help' -a '%s'", p.Name, strings.Join(p.pages(), " "))
	w.line("complete -c %s -n %s -s C -x -a '(__fish_complete_directories)' -d 'The workspace directory'", p.Name, none)
	for _, f := range shown(p.Flags) {
		w.line("complete -c %s%s", p.Name, p.fishFlag(f))
	}
	for _, c := range p.Children {
		in := fmt.Sprintf(" -n '__fish_seen_subcommand_from %s'", c.Name)
		for _, f := range shown(c.Flags) {
			w.line("complete -c %s%s%s", p.Name, in, p.fishFlag(f))
		}
		if words := p.operandWords(c); len(words) > 0 {
			w.line("complete -c %s%s -f -a '%s'", p.Name, in, strings.Join(words, " "))
		}
	}
}

func (p *Program) fishFlag(f *kong.Flag) string {
	line := " -l " + f.Name
	if f.Tag.Negatable != "" {
		line = " -l no-" + f.Name
	}
	if f.Short != 0 {
		line += " -s " + string(f.Short)
	}
	return line + p.valueOf(f.Value).completes().fish + " -d " + fishQuote(brief(WithDefault(f.Value)))
}

func fishQuote(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'"
}
