package change

import (
	"fmt"

	"fsbox/commands/words"
)

// LineCounts says how many lines were added and removed, as far as they are known.
func LineCounts(additions, deletions int) string {
	switch {
	case additions+deletions == 0:
		return ""
	case deletions == 0:
		return ": " + words.Plural(int64(additions), "line")
	}
	return fmt.Sprintf(": +%d -%d lines", additions, deletions)
}
