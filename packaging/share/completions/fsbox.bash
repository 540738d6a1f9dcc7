# Completion of fsbox for bash.
_fsbox() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= words= flags= at=1 word
    if [[ $cur == "=" ]]; then cur=; elif [[ $prev == "=" ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi
    while ((at < COMP_CWORD)); do
        word=${COMP_WORDS[at]}
        case $word in
        --root|--config|--tools|--deny|--deny-write|--approval|--approval-key|--approve-allow|--max-read-bytes|--max-output-bytes|--max-answer-chars|--max-write-bytes|--max-results|--timeout|--state-dir|--log|--confine|--format|--json|-C) ((at++)); [[ ${COMP_WORDS[at]} == "=" ]] && ((at++)) ;;
        -*) ;;
        *) command=$word; break ;;
        esac
        ((at++))
    done
    COMPREPLY=()
    case $command:$prev in
    ls:--depth) return ;;
    ls:--max-entries) return ;;
    ls:--pattern) return ;;
    ls:--sort) COMPREPLY=($(compgen -W "path modified size" -- "$cur")); return ;;
    ls:--cursor) return ;;
    glob:--limit) return ;;
    glob:--sort) COMPREPLY=($(compgen -W "path modified size" -- "$cur")); return ;;
    glob:--type) COMPREPLY=($(compgen -W "file directory any" -- "$cur")); return ;;
    glob:--cursor) return ;;
    read:--start-line) return ;;
    read:--max-lines) return ;;
    read:--max-bytes) return ;;
    read:--max-line-chars) return ;;
    read:--encoding) return ;;
    read:--on-invalid) COMPREPLY=($(compgen -W "replace error" -- "$cur")); return ;;
    read:--cursor) return ;;
    grep:--glob) return ;;
    grep:--before) return ;;
    grep:--after) return ;;
    grep:--context) return ;;
    grep:--max-matches) return ;;
    grep:--max-matches-per-file) return ;;
    grep:--output-mode) COMPREPLY=($(compgen -W "matches files counts" -- "$cur")); return ;;
    grep:--file-type) return ;;
    grep:--cursor) return ;;
    write:--content) return ;;
    write:--content-file) COMPREPLY=($(compgen -f -- "$cur")); return ;;
    write:--mode) COMPREPLY=($(compgen -W "create overwrite append" -- "$cur")); return ;;
    write:--encoding) return ;;
    write:--eol) COMPREPLY=($(compgen -W "auto verbatim lf crlf" -- "$cur")); return ;;
    write:--file-mode) return ;;
    write:--if-match) return ;;
    write:--approval-token) return ;;
    append:--content) return ;;
    append:--content-file) COMPREPLY=($(compgen -f -- "$cur")); return ;;
    append:--encoding) return ;;
    append:--eol) COMPREPLY=($(compgen -W "auto verbatim lf crlf" -- "$cur")); return ;;
    append:--if-match) return ;;
    append:--approval-token) return ;;
    edit:--expected-text) return ;;
    edit:--replacement-text) return ;;
    edit:--expected-count) return ;;
    edit:--start-anchor) return ;;
    edit:--end-anchor) return ;;
    edit:--insert-after) return ;;
    edit:--source-start) return ;;
    edit:--source-end) return ;;
    edit:--source-path) return ;;
    edit:--edits) return ;;
    edit:--glob) return ;;
    edit:--match) COMPREPLY=($(compgen -W "exact lenient" -- "$cur")); return ;;
    edit:--if-match) return ;;
    edit:--approval-token) return ;;
    patch:--continue-patch) return ;;
    patch:--patch-file) COMPREPLY=($(compgen -f -- "$cur")); return ;;
    patch:--match) COMPREPLY=($(compgen -W "exact lenient" -- "$cur")); return ;;
    patch:--approval-token) return ;;
    mkdir:--approval-token) return ;;
    copy:--approval-token) return ;;
    move:--approval-token) return ;;
    delete:--if-match) return ;;
    delete:--approval-token) return ;;
    undo:--backup-id) return ;;
    undo:--since) return ;;
    undo:--cursor) return ;;
    undo:--path) COMPREPLY=($(compgen -f -- "$cur")); return ;;
    undo:--approval-token) return ;;
    schema:--for) COMPREPLY=($(compgen -W "mcp openai openai-responses anthropic" -- "$cur")); return ;;
    batch:--max-calls) return ;;
    mcp:--max-calls) return ;;
    *:-C) COMPREPLY=($(compgen -d -- "$cur")); return ;;
    *:--root) COMPREPLY=($(compgen -d -- "$cur")); return ;;
    *:--config) COMPREPLY=($(compgen -f -- "$cur")); return ;;
    *:--tools) return ;;
    *:--deny) return ;;
    *:--deny-write) return ;;
    *:--approval) COMPREPLY=($(compgen -W "off prompt token" -- "$cur")); return ;;
    *:--approval-key) COMPREPLY=($(compgen -f -- "$cur")); return ;;
    *:--approve-allow) return ;;
    *:--max-read-bytes) return ;;
    *:--max-output-bytes) return ;;
    *:--max-answer-chars) return ;;
    *:--max-write-bytes) return ;;
    *:--max-results) return ;;
    *:--timeout) return ;;
    *:--state-dir) COMPREPLY=($(compgen -d -- "$cur")); return ;;
    *:--log) COMPREPLY=($(compgen -f -- "$cur")); return ;;
    *:--confine) COMPREPLY=($(compgen -W "auto require off" -- "$cur")); return ;;
    *:--format) COMPREPLY=($(compgen -W "json pretty text" -- "$cur")); return ;;
    *:--json) return ;;
    esac
    case $command in
    "") words="info ls glob read grep write append edit patch mkdir copy move delete undo check schema approve batch mcp completion man help" ;;
    help) words="info ls glob read grep write append edit patch mkdir copy move delete undo check schema approve batch mcp completion man help flags errors" ;;
    info) words="" flags="--hash --absolute" ;;
    ls) words="" flags="--recursive --depth --max-entries --include-hidden --no-ignore --pattern --sort --cursor" ;;
    glob) words="" flags="--limit --sort --type --include-hidden --no-ignore --cursor --print0" ;;
    read) words="" flags="--start-line --max-lines --max-bytes --max-line-chars --line-numbers --anchors --encoding --on-invalid --raw --cursor" ;;
    grep) words="" flags="--glob --use-regex --no-case-sensitive --case-sensitive --ignore-case -i --whole-word -w --multiline --before -B --after -A --context -C --anchors --max-matches --max-matches-per-file --output-mode --file-type --include-hidden --no-ignore --cursor --print0" ;;
    write) words="" flags="--content --content-file --mode --no-create-parents --create-parents --encoding --eol --file-mode --if-match --no-diff --diff --dry-run --approval-token" ;;
    append) words="" flags="--content --content-file --no-create-parents --create-parents --ensure-newline --encoding --eol --if-match --no-diff --diff --dry-run --approval-token" ;;
    edit) words="" flags="--expected-text --replacement-text --replace-all --expected-count --whole-word --start-anchor --end-anchor --insert-after --source-start --source-end --source-path --cut --edits --glob --match --if-match --no-diff --diff --dry-run --approval-token" ;;
    patch) words="" flags="--continue-patch --patch-file --match --no-diff --diff --dry-run --approval-token" ;;
    mkdir) words="" flags="--no-parents --parents --approval-token" ;;
    copy) words="" flags="--overwrite --no-create-parents --create-parents --dry-run --approval-token" ;;
    move) words="" flags="--overwrite --no-create-parents --create-parents --dry-run --approval-token" ;;
    delete) words="" flags="--recursive --if-match --dry-run --approval-token" ;;
    undo) words="" flags="--backup-id --since --list --cursor --path --no-diff --diff --dry-run --approval-token" ;;
    check) words="" flags="" ;;
    schema) words="info ls glob read grep write append edit patch mkdir copy move delete undo check" flags="--for" ;;
    approve) words="" flags="--dry-run" ;;
    batch) words="" flags="--max-calls" ;;
    mcp) words="" flags="--structured --max-calls" ;;
    completion) words="bash zsh fish" flags="" ;;
    man) words="" flags="" ;;
    esac
    [[ $cur == -* ]] && words="$flags --help -h --root --create-root --config --allow-write --allow-delete --tools --all-fields --deny --no-default-deny --deny-write --approval --approval-key --approve-allow --max-read-bytes --max-output-bytes --max-answer-chars --max-write-bytes --max-results --timeout --state-dir --no-backup --no-progress --log --confine --no-fsync --format --json --version"
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o bashdefault -o default -F _fsbox fsbox
