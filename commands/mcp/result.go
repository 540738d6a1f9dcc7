package mcp

import (
	"bufio"
	"encoding/base64"
)

// writeResult writes the answer to a call.
func (c *Client) writeResult(w *bufio.Writer, id []byte, r Result) {
	_, _ = w.Write(append(appendHead(w.AvailableBuffer(), id), `,"result":{`...))
	if q := c.later.Load(); q != nil {
		c.writeQuestion(w, *q)
	} else {
		c.writeOutcome(w, r)
	}
	_, _ = w.WriteString("}}")
}

func (c *Client) writeOutcome(w *bufio.Writer, r Result) {
	_, _ = w.WriteString(`"content":[`)
	for i, block := range r.Content {
		if i > 0 {
			_ = w.WriteByte(',')
		}
		block.write(w)
	}
	_ = w.WriteByte(']')
	if r.Structured != nil {
		_, _ = w.WriteString(`,"structuredContent":`)
		_, _ = w.Write(r.Structured)
	}
	if r.Failed {
		_, _ = w.WriteString(`,"isError":true`)
	}
	if c.era.modern {
		_, _ = w.Write(c.server.appendComplete(w.AvailableBuffer(), "complete"))
	}
}

func (b Block) write(w *bufio.Writer) {
	if b.Kind == Text {
		_, _ = w.WriteString(`{"type":"text","text":`)
		writeString(w, b.Text)
		_ = w.WriteByte('}')
		return
	}
	_, _ = w.WriteString(`{"type":"` + b.Kind + `","data":"`)
	to64 := base64.NewEncoder(base64.StdEncoding, w)
	_, _ = to64.Write(b.Data)
	_ = to64.Close()
	_, _ = w.WriteString(`","mimeType":`)
	writeString(w, b.MediaType)
	_ = w.WriteByte('}')
}

// writeQuestion asks for another try of the call, with the answer to a question.
func (c *Client) writeQuestion(w *bufio.Writer, q Question) {
	_, _ = w.WriteString(`"inputRequests":{`)
	writeString(w, q.Key)
	_, _ = w.WriteString(`:{`)
	q.write(w)
	_, _ = w.WriteString(`}}`)
	_, _ = w.Write(c.server.appendComplete(w.AvailableBuffer(), "input_required"))
}
