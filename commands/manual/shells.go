package manual

import (
	"fmt"
	"strings"
)

// bash writes one function. bash splits words at "=", so that --sort=size arrives as three. Where
// nothing is offered, "-o default" offers files.
func (p *Program) bash(w *page) {
	w.line("# Completion of %s for bash.", p.Name)
	w.line("_%s() {", p.Name)
	w.line("    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= words= flags= at=1 word")
	w.line(`    if [[ $cur == "=" ]]; then cur=; elif [[ $prev == "=" ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi`)
	w.line("    while ((at < COMP_CWORD)); do")
	w.line("        word=${COMP_WORDS[at]}")
	w.line(`        case $word in`)
	w.line(`        %s) ((at++)); [[ ${COMP_WORDS[at]} == "=" ]] && ((at++)) ;;`, strings.Join(append(valued(p.Options), "-C"), "|"))
	w.line("        -*) ;;")
	w.line("        *) command=$word; break ;;")
	w.line("        esac")
	w.line("        ((at++))")
	w.line("    done")
	w.line("    COMPREPLY=()")
	w.line("    case $command:$prev in")
	for _, c := range p.Commands {
		bashValues(w, c.Name, c.Options)
	}
	w.line(`    *:-C) COMPREPLY=($(compgen -d -- "$cur")); return ;;`)
	bashValues(w, "*", p.Options)
	w.line("    esac")
	w.line("    case $command in")
	w.line(`    "") words="%s" ;;`, strings.Join(p.commandNames(), " "))
	w.line(`    help) words="%s" ;;`, strings.Join(p.pages(), " "))
	for _, c := range p.Commands {
		w.line(`    %s) words="%s" flags="%s" ;;`, c.Name, strings.Join(c.operandWords(), " "), spelled(c.Options))
	}
	w.line("    esac")
	w.line(`    [[ $cur == -* ]] && words="$flags %s"`, spelled(p.Options))
	w.line(`    COMPREPLY=($(compgen -W "$words" -- "$cur"))`)
	w.line("}")
	w.line("complete -o bashdefault -o default -F _%s %s", p.Name, p.Name)
}

func bashValues(w *page, command string, options []Option) {
	for _, o := range options {
		offer := ""
		switch o.Value.Kind {
		case Word:
			offer = fmt.Sprintf(`-W "%s"`, strings.Join(o.Value.Words, " "))
		case File:
			offer = "-f"
		case Folder:
			offer = "-d"
		case Text:
			w.line(`    %s:--%s) return ;;`, command, o.Name)
			continue
		default:
			continue
		}
		w.line(`    %s:--%s) COMPREPLY=($(compgen %s -- "$cur")); return ;;`, command, o.Name, offer)
	}
}

// valued are the flags that take a value from the next word.
func valued(options []Option) []string {
	var all []string
	for _, o := range options {
		if o.Value.Kind != Switch {
			all = append(all, "--"+o.Name)
		}
	}
	return all
}

func spelled(options []Option) string {
	var all []string
	for _, o := range options {
		all = append(all, o.flags()...)
	}
	return strings.Join(all, " ")
}

// operandWords are the words that may come first after a command, if they are a closed list.
func (c *Command) operandWords() []string {
	if len(c.Operands) > 0 && c.Operands[0].Value.Kind == Word {
		return c.Operands[0].Value.Words
	}
	return nil
}

func (p *Program) zsh(w *page) {
	w.line("#compdef %s", p.Name)
	w.line("# Completion of %s for zsh.", p.Name)
	w.line("_%s() {", p.Name)
	w.line("    local context state state_descr line curcontext=$curcontext")
	w.line("    typeset -A opt_args")
	w.line("    local -a settings commands")
	w.line("    settings=(")
	for _, o := range p.Options {
		zshOption(w, o)
	}
	w.line("    )")
	w.line("    commands=(")
	for _, c := range p.Commands {
		w.line("        %s", quote(c.Name+":"+brief(c.Help)))
	}
	w.line("        'help:Show help'")
	w.line("    )")
	w.line(`    _arguments -C $settings '-C[The workspace folder]:DIR:_files -/' '1: :->command' '*:: :->rest' && return`)
	w.line("    case $state in")
	w.line("    command) _describe command commands ;;")
	w.line("    rest)")
	w.line("        case $words[1] in")
	w.line("        help) _values page %s ;;", strings.Join(p.pages(), " "))
	for _, c := range p.Commands {
		w.line("        %s)", c.Name)
		w.line("            _arguments $settings \\")
		for _, o := range c.Options {
			w.WriteString("        ")
			zshOption(w, o, " \\")
		}
		for i, a := range c.Operands {
			w.line("                %s \\", quote(fmt.Sprintf("%d::%s:%s", i+1, zshText(a.Name), a.Value.zsh())))
		}
		w.line("                ;;")
	}
	w.line("        esac ;;")
	w.line("    esac")
	w.line("}")
	w.line(`if [[ $funcstack[1] == _%s ]]; then _%s "$@"; else compdef _%s %s; fi`, p.Name, p.Name, p.Name, p.Name)
}

func zshOption(w *page, o Option, end ...string) {
	for _, flag := range o.flags() {
		spec := flag
		if o.Value.Kind != Switch && strings.HasPrefix(flag, "--") {
			spec += "="
		}
		spec += "[" + zshText(brief(o.Help)) + "]"
		if o.Value.Kind != Switch {
			spec += ":" + zshText(o.Value.Name) + ":" + o.Value.zsh()
		}
		w.line("        %s%s", quote(spec), strings.Join(end, ""))
	}
}

// zsh is the action that completes a value.
func (v Value) zsh() string {
	switch v.Kind {
	case Word:
		return "(" + strings.Join(v.Words, " ") + ")"
	case File:
		return "_files"
	case Folder:
		return "_files -/"
	}
	return " "
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
	for _, c := range p.Commands {
		w.line("complete -c %s -f -n %s -a %s -d %s", p.Name, none, c.Name, fishQuote(brief(c.Help)))
	}
	w.line("complete -c %s -f -n %s -a help -d 'Show help'", p.Name, none)
	w.line("complete -c %s -f -n '__fish_seen_subcommand_from help' -a '%s'", p.Name, strings.Join(p.pages(), " "))
	w.line("complete -c %s -n %s -s C -x -a '(__fish_complete_directories)' -d 'The workspace folder'", p.Name, none)
	for _, o := range p.Options {
		w.line("complete -c %s%s", p.Name, o.fish())
	}
	for _, c := range p.Commands {
		in := fmt.Sprintf(" -n '__fish_seen_subcommand_from %s'", c.Name)
		for _, o := range c.Options {
			w.line("complete -c %s%s%s", p.Name, in, o.fish())
		}
		if words := c.operandWords(); len(words) > 0 {
			w.line("complete -c %s%s -f -a '%s'", p.Name, in, strings.Join(words, " "))
		}
	}
}

func (o *Option) fish() string {
	line := " -l " + o.Name
	if o.OnByDef {
		line = " -l no-" + o.Name
	}
	if o.Short != "" {
		line += " -s " + o.Short
	}
	switch o.Value.Kind {
	case Text:
		line += " -x"
	case Word:
		line += " -x -a '" + strings.Join(o.Value.Words, " ") + "'"
	case File:
		line += " -r -F"
	case Folder:
		line += " -x -a '(__fish_complete_directories)'"
	}
	return line + " -d " + fishQuote(brief(o.Help))
}

func fishQuote(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'"
}

// powershell writes a table of words by command, and looks the last ones up in it.
func (p *Program) powershell(w *page) {
	w.line("# Completion of %s for PowerShell.", p.Name)
	w.line("Register-ArgumentCompleter -Native -CommandName %s -ScriptBlock {", p.Name)
	w.line("    param($wordToComplete, $commandAst, $cursorPosition)")
	w.line("    $words = @{")
	w.line("        '' = @(%s)", powerList(append(p.commandNames(), strings.Fields(spelled(p.Options))...)))
	w.line("        'help' = @(%s)", powerList(p.pages()))
	for _, c := range p.Commands {
		all := append(c.operandWords(), strings.Fields(spelled(c.Options)+" "+spelled(p.Options))...)
		w.line("        '%s' = @(%s)", c.Name, powerList(all))
	}
	w.line("    }")
	w.line("    $values = @{")
	for _, c := range p.Commands {
		powerValues(w, c.Name, c.Options)
	}
	powerValues(w, "", p.Options)
	w.line("    }")
	w.line("    $line = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |")
	w.line("        Select-Object -Skip 1 | ForEach-Object { $_.ToString() })")
	w.line("    $command = @($line | Where-Object { $words.ContainsKey($_) }) + '' | Select-Object -First 1")
	w.line("    $before = if ($line.Count -gt 0) { $line[-1] } else { '' }")
	w.line(`    $offer = $values["$command $before"]`)
	w.line(`    if ($null -eq $offer) { $offer = $values[" $before"] }`)
	w.line("    if ($null -eq $offer) { $offer = $words[$command] }")
	w.line(`    $offer | Where-Object { $_ -like "$wordToComplete*" } |`)
	w.line("        ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }")
	w.line("}")
}

func powerValues(w *page, command string, options []Option) {
	for _, o := range options {
		if o.Value.Kind == Word {
			w.line("        '%s --%s' = @(%s)", command, o.Name, powerList(o.Value.Words))
		}
	}
}

func powerList(words []string) string { return "'" + strings.Join(words, "', '") + "'" }
