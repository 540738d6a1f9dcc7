package setup

import (
	"bytes"
	"slices"
	"strconv"

	"fsbox/textio"
)

// jsonObject is a JSON object in the making. Its members keep the order in which they are added.
type jsonObject []byte

func (o *jsonObject) key(name string) {
	if len(*o) == 0 {
		*o = append(*o, '{')
	} else {
		*o = append(*o, ',')
	}
	*o = append(textio.AppendQuoted(*o, name), ':')
}

// raw adds a value that is JSON already.
func (o *jsonObject) raw(name string, value []byte) *jsonObject {
	o.key(name)
	*o = append(*o, value...)
	return o
}

func (o *jsonObject) text(name, value string) *jsonObject {
	o.key(name)
	*o = textio.AppendQuoted(*o, value)
	return o
}

func (o *jsonObject) bool(name string, value bool) *jsonObject {
	o.key(name)
	*o = strconv.AppendBool(*o, value)
	return o
}

func (o *jsonObject) number(name string, value int64) *jsonObject {
	o.key(name)
	*o = strconv.AppendInt(*o, value, 10)
	return o
}

// end gives the object.
func (o *jsonObject) end() []byte {
	if len(*o) == 0 {
		return []byte("{}")
	}
	return append(*o, '}')
}

// jsonTexts is a JSON array of strings.
func jsonTexts(texts []string) []byte { return textio.AppendList(nil, texts) }

// JsonArray is a JSON array of values that are JSON already.
func JsonArray(values [][]byte) []byte {
	return slices.Concat([]byte{'['}, bytes.Join(values, []byte{','}), []byte{']'})
}
