package cmdline

import (
	"fsbox/commands/request"
	"fsbox/commands/verb"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// flagAliases registers a flag for every name of a field: for the spelling with "_", for each
// alias, and for a positional that the arguments give by name, as in --query=-x.
func flagAliases(c *verb.Call, args []string) func(*kong.Kong) error {
	return func(k *kong.Kong) error {
		for _, flag := range k.Model.Flags {
			flag.Aliases = append(flag.Aliases, underscored(flag.Name)...)
		}
		node := k.Model.Children[0]
		for _, flag := range node.Flags {
			for _, alias := range flag.Aliases {
				flag.Aliases = append(flag.Aliases, hyphenated(alias)...)
			}
			flag.Aliases = append(flag.Aliases, underscored(flag.Name)...)
		}
		isNamed := func(value *kong.Positional) bool {
			f, _, _ := request.FindField(c.Fields, request.KeyOf(value.Name))
			return named(args, append([]string{f.Name}, f.Aliases...)) && asFlag(node, value, f.Aliases)
		}
		node.Positional = slices.DeleteFunc(node.Positional, isNamed)
		return nil
	}
}

// asFlag makes a flag of a positional.
func asFlag(node *kong.Node, value *kong.Positional, aliases []string) bool {
	flag := &kong.Flag{Value: value, Hidden: true}
	for _, alias := range aliases {
		flag.Aliases = append(flag.Aliases, alias)
		flag.Aliases = append(flag.Aliases, hyphenated(alias)...)
	}
	value.Flag = flag
	node.Flags = append(node.Flags, flag)
	return true
}

func underscored(name string) []string {
	if !strings.Contains(name, "-") {
		return nil
	}
	return []string{request.KeyOf(name)}
}

func hyphenated(name string) []string {
	if !strings.Contains(name, "_") {
		return nil
	}
	return []string{request.FlagOf(name)}
}

// named reports whether one of the names is given as a long flag.
func named(args []string, names []string) bool {
	for _, a := range args {
		if a == "--" {
			return false
		}
		flag, _, _ := strings.Cut(strings.TrimPrefix(a, "--"), "=")
		for _, n := range names {
			if strings.HasPrefix(a, "--") && (flag == n || request.KeyOf(flag) == n) {
				return true
			}
		}
	}
	return false
}
