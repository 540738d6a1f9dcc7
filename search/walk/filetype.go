package walk

import "strings"

// FileTypeGlobs gives the patterns for the base names of a file type such as "go" or "py". Names
// and patterns follow ripgrep's --type-list where it has them; what else people call a type is
// taken as well, in any case.
func FileTypeGlobs(name string) ([]string, bool) {
	name = strings.ToLower(name)
	if also := fileTypeAlso(name); also != "" {
		name = also
	}
	return fileTypeGlobs(name)
}

func fileTypeGlobs(name string) ([]string, bool) {
	switch name {
	case "asm":
		return []string{"*.asm", "*.s", "*.S"}, true
	case "astro":
		return []string{"*.astro"}, true
	case "awk":
		return []string{"*.awk"}, true
	case "bat", "batch":
		return []string{"*.bat"}, true
	case "bazel":
		return []string{"*.bazel", "*.bazelrc", "*.BUILD", "*.bzl", "BUILD", "MODULE.bazel", "WORKSPACE", "WORKSPACE.bazel", "WORKSPACE.bzlmod"}, true
	case "c":
		return []string{"*.[chH]", "*.[chH].in", "*.cats"}, true
	case "clojure":
		return []string{"*.clj", "*.cljc", "*.cljs", "*.cljx"}, true
	case "cmake":
		return []string{"*.cmake", "CMakeLists.txt"}, true
	case "config":
		return []string{"*.cfg", "*.conf", "*.config", "*.ini"}, true
	case "cpp":
		return []string{"*.[ChH]", "*.[ChH].in", "*.[ch]pp", "*.[ch]pp.in", "*.[ch]xx", "*.[ch]xx.in", "*.cc", "*.cc.in", "*.hh", "*.hh.in", "*.inl"}, true
	case "cs", "csharp":
		return []string{"*.cs"}, true
	case "css":
		return []string{"*.css", "*.scss"}, true
	case "csv":
		return []string{"*.csv"}, true
	case "cuda":
		return []string{"*.cu", "*.cuh"}, true
	case "dart":
		return []string{"*.dart"}, true
	case "diff":
		return []string{"*.diff", "*.patch"}, true
	case "docker":
		return []string{"*Dockerfile*"}, true
	case "dockercompose":
		return []string{"docker-compose.*.yml", "docker-compose.yml"}, true
	case "elixir":
		return []string{"*.eex", "*.ex", "*.exs", "*.heex", "*.leex", "*.livemd"}, true
	case "elm":
		return []string{"*.elm"}, true
	case "erlang":
		return []string{"*.erl", "*.hrl"}, true
	case "fish":
		return []string{"*.fish"}, true
	case "fortran":
		return []string{"*.F", "*.F77", "*.F90", "*.F95", "*.f", "*.f77", "*.f90", "*.f95", "*.pfo"}, true
	case "fsharp":
		return []string{"*.fs", "*.fsi", "*.fsx"}, true
	case "go":
		return []string{"*.go"}, true
	case "gradle":
		return []string{"*.gradle", "*.gradle.kts", "gradle-wrapper.*", "gradle.properties", "gradlew", "gradlew.bat"}, true
	case "graphql":
		return []string{"*.graphql", "*.graphqls"}, true
	case "groovy":
		return []string{"*.gradle", "*.groovy"}, true
	case "h":
		return []string{"*.h", "*.hh", "*.hpp"}, true
	case "haskell":
		return []string{"*.c2hs", "*.cpphs", "*.hs", "*.hsc", "*.lhs"}, true
	case "hbs":
		return []string{"*.hbs"}, true
	case "html":
		return []string{"*.ejs", "*.htm", "*.html"}, true
	case "java":
		return []string{"*.java", "*.jsp", "*.jspx", "*.properties"}, true
	case "js":
		return []string{"*.cjs", "*.js", "*.jsx", "*.mjs", "*.vue"}, true
	case "json":
		return []string{"*.json", "*.sarif", "composer.lock"}, true
	case "jsonl":
		return []string{"*.jsonl"}, true
	case "jsx":
		return []string{"*.jsx"}, true
	case "julia":
		return []string{"*.jl"}, true
	case "jupyter":
		return []string{"*.ipynb", "*.jpynb"}, true
	case "kotlin":
		return []string{"*.kt", "*.kts"}, true
	case "less":
		return []string{"*.less"}, true
	case "lisp":
		return []string{"*.el", "*.jl", "*.lisp", "*.lsp", "*.sc", "*.scm"}, true
	case "lock":
		return []string{"*.lock", "package-lock.json"}, true
	case "log":
		return []string{"*.log"}, true
	case "lua":
		return []string{"*.lua"}, true
	case "make":
		return []string{"*.mak", "*.mk", "[Gg][Nn][Uu]makefile", "[Gg][Nn][Uu]makefile.am", "[Gg][Nn][Uu]makefile.in", "[Mm]akefile", "[Mm]akefile.am", "[Mm]akefile.in", "Makefile.*"}, true
	case "markdown", "md":
		return []string{"*.markdown", "*.md", "*.mdown", "*.mdwn", "*.mdx", "*.mkd", "*.mkdn"}, true
	case "matlab":
		return []string{"*.m"}, true
	case "nim":
		return []string{"*.nim", "*.nimble", "*.nimf", "*.nims"}, true
	case "nix":
		return []string{"*.nix"}, true
	case "objc":
		return []string{"*.h", "*.m"}, true
	case "objcpp":
		return []string{"*.h", "*.mm"}, true
	case "ocaml":
		return []string{"*.ml", "*.mli", "*.mll", "*.mly"}, true
	case "org":
		return []string{"*.org", "*.org_archive"}, true
	case "perl":
		return []string{"*.PL", "*.perl", "*.pl", "*.plh", "*.plx", "*.pm", "*.t"}, true
	case "php":
		return []string{"*.php", "*.php3", "*.php4", "*.php5", "*.php7", "*.php8", "*.pht", "*.phtml"}, true
	case "prisma":
		return []string{"*.prisma"}, true
	case "proto", "protobuf":
		return []string{"*.proto"}, true
	case "ps":
		return []string{"*.cdxml", "*.ps1", "*.ps1xml", "*.psd1", "*.psm1"}, true
	case "py", "python":
		return []string{"*.py", "*.pyi"}, true
	case "r":
		return []string{"*.R", "*.Rmd", "*.Rnw", "*.r"}, true
	case "rst":
		return []string{"*.rst"}, true
	case "ruby":
		return []string{"*.gemspec", "*.rb", "*.rbw", ".irbrc", "Gemfile", "Rakefile", "config.ru"}, true
	case "rust":
		return []string{"*.rs"}, true
	case "sass":
		return []string{"*.sass", "*.scss"}, true
	case "scala":
		return []string{"*.sbt", "*.scala"}, true
	case "sh":
		return []string{"*.bash", "*.bashrc", "*.csh", "*.cshrc", "*.ksh", "*.kshrc", "*.sh", "*.tcsh", "*.zsh", ".bash_login", ".bash_logout", ".bash_profile", ".bashrc", ".cshrc", ".kshrc", ".login", ".logout", ".profile", ".tcshrc", ".zlogin", ".zlogout", ".zprofile", ".zshenv", ".zshrc", "bash_login", "bash_logout", "bash_profile", "bashrc", "profile", "zlogin", "zlogout", "zprofile", "zshenv", "zshrc"}, true
	case "solidity":
		return []string{"*.sol"}, true
	case "sql":
		return []string{"*.psql", "*.sql"}, true
	case "svelte":
		return []string{"*.svelte", "*.svelte.ts"}, true
	case "svg":
		return []string{"*.svg"}, true
	case "swift":
		return []string{"*.swift"}, true
	case "tcl":
		return []string{"*.tcl"}, true
	case "tex":
		return []string{"*.bib", "*.cls", "*.dtx", "*.ins", "*.ltx", "*.sty", "*.tex"}, true
	case "tf":
		return []string{"*.terraform.lock.hcl", "*.terraformrc", "*.tf", "*.tf.json", "*.tfrc", "*.tfvars", "*.tfvars.json", "terraform.rc"}, true
	case "toml":
		return []string{"*.toml", "Cargo.lock"}, true
	case "ts", "typescript":
		return []string{"*.cts", "*.mts", "*.ts", "*.tsx"}, true
	case "tsx":
		return []string{"*.tsx"}, true
	case "txt":
		return []string{"*.txt"}, true
	case "vb":
		return []string{"*.vb"}, true
	case "vim":
		return []string{"*.vim", ".gvimrc", ".vimrc", "_gvimrc", "_vimrc", "gvimrc", "vimrc"}, true
	case "vue":
		return []string{"*.vue"}, true
	case "wgsl":
		return []string{"*.wgsl"}, true
	case "xml":
		return []string{"*.dtd", "*.rng", "*.sch", "*.xhtml", "*.xjb", "*.xml", "*.xml.dist", "*.xsd", "*.xsl", "*.xslt"}, true
	case "yaml":
		return []string{"*.yaml", "*.yml"}, true
	case "zig":
		return []string{"*.zig"}, true
	}
	return nil, false
}

// FileTypes lists the names of types, sorted, without their other names.
func FileTypes() []string {
	return []string{
		"asm", "astro", "awk", "bat", "batch", "bazel", "c", "clojure", "cmake", "config", "cpp", "cs", "csharp", "css", "csv",
		"cuda", "dart", "diff", "docker", "dockercompose", "elixir", "elm", "erlang", "fish", "fortran", "fsharp", "go",
		"gradle", "graphql", "groovy", "h", "haskell", "hbs", "html", "java", "js", "json", "jsonl", "jsx", "julia", "jupyter",
		"kotlin", "less", "lisp", "lock", "log", "lua", "make", "markdown", "matlab", "md", "nim", "nix", "objc", "objcpp",
		"ocaml", "org", "perl", "php", "prisma", "proto", "protobuf", "ps", "py", "python", "r", "rst", "ruby", "rust", "sass",
		"scala", "sh", "solidity", "sql", "svelte", "svg", "swift", "tcl", "tex", "tf", "toml", "ts", "tsx", "txt",
		"typescript", "vb", "vim", "vue", "wgsl", "xml", "yaml", "zig",
	}
}
