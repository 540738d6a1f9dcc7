package answer

import (
	"bytes"
	"io"
	"reflect"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Items is a list that may be very long: its result holds a hundred thousand items in as little
// memory as it can, and makes them into what the answer has one by one. A result with such a list
// has a method LongList() Items.
type Items interface {
	Len() int
	AppendItem(b []byte, i int) []byte // as JSON
	ItemType() reflect.Type            // what an item is in JSON
}

// encodeItems writes an answer with such a list: first what comes before it, and last what comes
// after it.
func (a Answer) encodeItems(w io.Writer, list Items) error {
	var rest bytes.Buffer
	at := 0
	gap := json.MarshalToFunc(func(enc *jsontext.Encoder, _ Items) error {
		at = int(enc.OutputOffset()) + len(":[")
		return enc.WriteValue(jsontext.Value("[]"))
	})
	if err := json.MarshalWrite(&rest, &a, jsonOptions, json.WithMarshalers(gap)); err != nil {
		return err
	}
	if _, err := w.Write(rest.Next(at)); err != nil {
		return err
	}
	if err := writeItems(w, list); err != nil {
		return err
	}
	_, err := rest.WriteTo(w)
	return err
}

// writeItems writes items with commas between them.
func writeItems(w io.Writer, list Items) error {
	var b []byte
	for i := range list.Len() {
		if i > 0 {
			b = append(b, ',')
		}
		if b = list.AppendItem(b, i); len(b) >= Chunk/2 {
			if _, err := w.Write(b); err != nil {
				return err
			}
			b = b[:0]
		}
	}
	_, err := w.Write(b)
	return err
}

// AppendJSON appends a value, which is encoded without an error, as answers have it.
func AppendJSON(b []byte, v any) []byte {
	w := bytes.NewBuffer(b)
	_ = json.MarshalWrite(w, v, jsonOptions) // a bytes.Buffer takes everything
	return w.Bytes()
}
