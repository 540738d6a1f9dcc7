package wire

import (
	"encoding/json"
	"fmt"
)

// gemini is a request of Google's generateContent. Not every host sends an id with a result: its
// number serves as one.
type gemini struct {
	Contents []struct {
		Parts []struct {
			Response *struct{ Response json.RawMessage } `json:"functionResponse"`
		}
	}
	Tools []struct {
		Functions []struct {
			Name       string
			Schema     json.RawMessage `json:"parametersJsonSchema"`
			Parameters json.RawMessage
		} `json:"functionDeclarations"`
	}
}

func (m gemini) request() (r Request) {
	for _, t := range m.Tools {
		for _, f := range t.Functions {
			if f.Schema == nil {
				f.Schema = f.Parameters
			}
			r.Tools = append(r.Tools, Tool{Name: f.Name, Schema: f.Schema})
		}
	}
	n := 0
	for _, c := range m.Contents {
		for _, part := range c.Parts {
			if part.Response != nil {
				n++
				r.Last = &Result{fmt.Sprint("result ", n), output(part.Response.Response)}
			}
		}
	}
	return r
}

// output is the text of a function's response: a member called output or error.
func output(raw json.RawMessage) string {
	var r struct{ Output, Error json.RawMessage }
	if json.Unmarshal(raw, &r) != nil || r.Output == nil && r.Error == nil {
		return string(raw)
	}
	if r.Output != nil {
		return text(r.Output)
	}
	return text(r.Error)
}

func answerGemini(a Answer) (any, []Event) {
	part := object{"text": a.Text}
	if a.Name != "" {
		part = object{"functionCall": object{"id": a.ID, "name": a.Name, "args": a.Arguments}}
	}
	reply := object{
		"candidates":    []any{object{"index": 0, "finishReason": "STOP", "content": object{"role": "model", "parts": []any{part}}}},
		"usageMetadata": object{"promptTokenCount": 10, "candidatesTokenCount": 10, "totalTokenCount": 20}, "modelVersion": "scripted",
	}
	return reply, []Event{{"", reply}}
}
