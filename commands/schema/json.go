package schema

import (
	"bytes"
	"slices"
	"strconv"

	"fsbox/textio"
)

// object is a JSON object of names and values in turn. A value is a text, a list of texts, a
// switch, a number, JSON as bytes, or a list of that; an empty list is left out with its name.
func object(members ...any) []byte {
	var all [][]byte
	for i := 0; i < len(members); i += 2 {
		m := append(textio.AppendQuoted(nil, members[i].(string)), ':')
		switch value := members[i+1].(type) {
		case string:
			m = textio.AppendQuoted(m, value)
		case []string:
			if len(value) > 0 {
				m = textio.AppendList(m, value)
			}
		case bool:
			m = strconv.AppendBool(m, value)
		case int:
			m = strconv.AppendInt(m, int64(value), 10)
		case [][]byte:
			m = append(m, JsonArray(value)...)
		case []byte:
			m = append(m, value...)
		}
		if m[len(m)-1] != ':' {
			all = append(all, m)
		}
	}
	return joined('{', all, '}')
}

// JsonArray is a JSON array of values that are JSON already.
func JsonArray(values [][]byte) []byte { return joined('[', values, ']') }

func joined(open byte, all [][]byte, end byte) []byte {
	return slices.Concat([]byte{open}, bytes.Join(all, []byte{','}), []byte{end})
}
