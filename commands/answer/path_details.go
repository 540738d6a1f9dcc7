package answer

import (
	"fmt"
	"strings"

	"fsbox/commands/words"
)

// PathDetails are the details of every failure about one path.
type PathDetails struct {
	words.PathName
	Type      string   `json:"type,omitzero"`      // not_a_file: what is there instead, as info calls it
	Pattern   string   `json:"pattern,omitzero"`   // path_blocked: the rule
	Etag      string   `json:"etag,omitzero"`      // stale: the current one
	Size      int64    `json:"size,omitzero"`      // file_too_large: bytes
	Limit     int64    `json:"limit,omitzero"`     // file_too_large: bytes
	Line      int64    `json:"line,omitzero"`      // invalid_encoding: the first line with invalid bytes
	Similar   []string `json:"similar,omitzero"`   // not_found: paths that exist
	Committed bool     `json:"committed,omitzero"` // the change is in place, or a part of it

	ExactNames []words.PathName `json:"exact_names,omitzero"` // of similar, those that aren't UTF-8
}

// WriteDetails writes what the hint doesn't say.
func (d *PathDetails) WriteDetails(t *Text, hint string) {
	for _, path := range d.Similar {
		inHint := fmt.Sprintf("%q", path)
		if exact := words.Base64(path); exact != "" {
			inHint = exact
		}
		if len(d.Similar) > 1 || !strings.Contains(hint, inHint) {
			t.Line("similar: ", words.Exact(path))
		}
	}
	rest := *d
	rest.Path, rest.Type, rest.Pattern, rest.Similar, rest.ExactNames, rest.Line = "", "", "", nil, nil, 0
	t.Facts(&rest)
}
