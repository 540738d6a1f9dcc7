package walk

// fileTypeAlso gives the file type for another name of it, such as that of its language or its
// usual extension; "" if the name is unknown.
func fileTypeAlso(name string) string {
	switch name {
	case "golang":
		return "go"
	case "python3":
		return "py"
	case "javascript", "mjs", "node", "nodejs":
		return "js"
	case "rs":
		return "rust"
	case "rb":
		return "ruby"
	case "c++", "cc", "cxx", "hpp":
		return "cpp"
	case "c#":
		return "cs"
	case "f#", "fs":
		return "fsharp"
	case "bash", "shell", "zsh":
		return "sh"
	case "powershell", "ps1":
		return "ps"
	case "yml":
		return "yaml"
	case "htm":
		return "html"
	case "scss":
		return "sass"
	case "kt":
		return "kotlin"
	case "hs":
		return "haskell"
	case "clj":
		return "clojure"
	case "ex", "exs":
		return "elixir"
	case "erl":
		return "erlang"
	case "pl":
		return "perl"
	case "ml":
		return "ocaml"
	case "jl":
		return "julia"
	case "ipynb":
		return "jupyter"
	case "gql":
		return "graphql"
	case "objective-c", "objectivec":
		return "objc"
	case "dockerfile":
		return "docker"
	case "makefile":
		return "make"
	case "terraform":
		return "tf"
	case "latex":
		return "tex"
	case "text":
		return "txt"
	case "patch":
		return "diff"
	}
	return ""
}
