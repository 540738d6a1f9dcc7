package walk

import (
	"slices"
	"strings"
)

// fileTypes are the types of files: names, other words that people use for the type (also), and
// globs for base names. Names and globs follow ripgrep's --type-list where it has the type. As an
// array it costs nothing until it is used; a map would be filled at start-up.
var fileTypes = [...]struct{ names, also, globs string }{
	{"asm", "", "*.asm *.s *.S"},
	{"astro", "", "*.astro"},
	{"awk", "", "*.awk"},
	{"bat batch", "", "*.bat"},
	{"bazel", "", "*.bazel *.bazelrc *.BUILD *.bzl BUILD MODULE.bazel WORKSPACE WORKSPACE.bazel WORKSPACE.bzlmod"},
	{"c", "", "*.[chH] *.[chH].in *.cats"},
	{"clojure", "clj", "*.clj *.cljc *.cljs *.cljx"},
	{"cmake", "", "*.cmake CMakeLists.txt"},
	{"config", "", "*.cfg *.conf *.config *.ini"},
	{"cpp", "c++ cc cxx hpp", "*.[ChH] *.[ChH].in *.[ch]pp *.[ch]pp.in *.[ch]xx *.[ch]xx.in *.cc *.cc.in *.hh *.hh.in *.inl"},
	{"cs csharp", "c#", "*.cs"},
	{"css", "", "*.css *.scss"},
	{"csv", "", "*.csv"},
	{"cuda", "", "*.cu *.cuh"},
	{"dart", "", "*.dart"},
	{"diff", "patch", "*.diff *.patch"},
	{"docker", "dockerfile", "*Dockerfile*"},
	{"dockercompose", "", "docker-compose.*.yml docker-compose.yml"},
	{"elixir", "ex exs", "*.eex *.ex *.exs *.heex *.leex *.livemd"},
	{"elm", "", "*.elm"},
	{"erlang", "erl", "*.erl *.hrl"},
	{"fish", "", "*.fish"},
	{"fortran", "", "*.F *.F77 *.F90 *.F95 *.f *.f77 *.f90 *.f95 *.pfo"},
	{"fsharp", "f# fs", "*.fs *.fsi *.fsx"},
	{"go", "golang", "*.go"},
	{"gradle", "", "*.gradle *.gradle.kts gradle-wrapper.* gradle.properties gradlew gradlew.bat"},
	{"graphql", "gql", "*.graphql *.graphqls"},
	{"groovy", "", "*.gradle *.groovy"},
	{"h", "", "*.h *.hh *.hpp"},
	{"haskell", "hs", "*.c2hs *.cpphs *.hs *.hsc *.lhs"},
	{"hbs", "", "*.hbs"},
	{"html", "htm", "*.ejs *.htm *.html"},
	{"java", "", "*.java *.jsp *.jspx *.properties"},
	{"js", "javascript mjs node nodejs", "*.cjs *.js *.jsx *.mjs *.vue"},
	{"json", "", "*.json *.sarif composer.lock"},
	{"jsonl", "", "*.jsonl"},
	{"jsx", "", "*.jsx"},
	{"julia", "jl", "*.jl"},
	{"jupyter", "ipynb", "*.ipynb *.jpynb"},
	{"kotlin", "kt", "*.kt *.kts"},
	{"less", "", "*.less"},
	{"lisp", "", "*.el *.jl *.lisp *.lsp *.sc *.scm"},
	{"lock", "", "*.lock package-lock.json"},
	{"log", "", "*.log"},
	{"lua", "", "*.lua"},
	{"make", "makefile", "*.mak *.mk [Gg][Nn][Uu]makefile [Gg][Nn][Uu]makefile.am [Gg][Nn][Uu]makefile.in [Mm]akefile [Mm]akefile.am " +
		"[Mm]akefile.in Makefile.*"},
	{"markdown md", "", "*.markdown *.md *.mdown *.mdwn *.mdx *.mkd *.mkdn"},
	{"matlab", "", "*.m"},
	{"nim", "", "*.nim *.nimble *.nimf *.nims"},
	{"nix", "", "*.nix"},
	{"objc", "objective-c objectivec", "*.h *.m"},
	{"objcpp", "", "*.h *.mm"},
	{"ocaml", "ml", "*.ml *.mli *.mll *.mly"},
	{"org", "", "*.org *.org_archive"},
	{"perl", "pl", "*.PL *.perl *.pl *.plh *.plx *.pm *.t"},
	{"php", "", "*.php *.php3 *.php4 *.php5 *.php7 *.php8 *.pht *.phtml"},
	{"prisma", "", "*.prisma"},
	{"proto protobuf", "", "*.proto"},
	{"ps", "powershell ps1", "*.cdxml *.ps1 *.ps1xml *.psd1 *.psm1"},
	{"py python", "python3", "*.py *.pyi"},
	{"r", "", "*.R *.Rmd *.Rnw *.r"},
	{"rst", "", "*.rst"},
	{"ruby", "rb", "*.gemspec *.rb *.rbw .irbrc Gemfile Rakefile config.ru"},
	{"rust", "rs", "*.rs"},
	{"sass", "scss", "*.sass *.scss"},
	{"scala", "", "*.sbt *.scala"},
	{"sh", "bash shell zsh", "*.bash *.bashrc *.csh *.cshrc *.ksh *.kshrc *.sh *.tcsh *.zsh .bash_login .bash_logout .bash_profile " +
		".bashrc .cshrc .kshrc .login .logout .profile .tcshrc .zlogin .zlogout .zprofile .zshenv .zshrc bash_login bash_logout " +
		"bash_profile bashrc profile zlogin zlogout zprofile zshenv zshrc"},
	{"solidity", "", "*.sol"},
	{"sql", "", "*.psql *.sql"},
	{"svelte", "", "*.svelte *.svelte.ts"},
	{"svg", "", "*.svg"},
	{"swift", "", "*.swift"},
	{"tcl", "", "*.tcl"},
	{"tex", "latex", "*.bib *.cls *.dtx *.ins *.ltx *.sty *.tex"},
	{"tf", "terraform", "*.terraform.lock.hcl *.terraformrc *.tf *.tf.json *.tfrc *.tfvars *.tfvars.json terraform.rc"},
	{"toml", "", "*.toml Cargo.lock"},
	{"ts typescript", "", "*.cts *.mts *.ts *.tsx"},
	{"tsx", "", "*.tsx"},
	{"txt", "text", "*.txt"},
	{"vb", "", "*.vb"},
	{"vim", "", "*.vim .gvimrc .vimrc _gvimrc _vimrc gvimrc vimrc"},
	{"vue", "", "*.vue"},
	{"wgsl", "", "*.wgsl"},
	{"xml", "", "*.dtd *.rng *.sch *.xhtml *.xjb *.xml *.xml.dist *.xsd *.xsl *.xslt"},
	{"yaml", "yml", "*.yaml *.yml"},
	{"zig", "", "*.zig"},
}

// FileTypeGlobs gives the patterns for the base names of a file type such as "go" or "py". The name
// may be in any case.
func FileTypeGlobs(name string) ([]string, bool) {
	name = strings.ToLower(name)
	for _, t := range fileTypes {
		if slices.Contains(strings.Fields(t.names+" "+t.also), name) {
			return strings.Fields(t.globs), true
		}
	}
	return nil, false
}

// FileTypes lists the names of types, sorted, without the other words for them.
func FileTypes() []string {
	var names []string
	for _, t := range fileTypes {
		names = append(names, strings.Fields(t.names)...)
	}
	slices.Sort(names)
	return names
}
