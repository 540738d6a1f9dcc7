package mcp

import "encoding/base64"

// writeResult writes the members of the answer to a call.
func (c *Client) writeResult(w writer, r Result) {
	if q := c.later.Load(); q != nil {
		c.writeQuestion(w, *q)
		return
	}
	w.add(`"content":[`)
	for i, block := range r.Content {
		if i > 0 {
			w.add(`,`)
		}
		block.write(w)
	}
	w.add(`]`)
	if r.Structured != nil {
		r.Structured(w.add(`,"structuredContent":`))
	}
	if r.Failed {
		w.add(`,"isError":true`)
	}
	if c.era.modern {
		c.server.complete(w, "complete")
	}
}

func (b Block) write(w writer) {
	if b.Kind == Text {
		w.add(`{"type":"text","text":`).text(b.Text).add(`}`)
		return
	}
	w.add(`{"type":"` + b.Kind + `","data":"`)
	to64 := base64.NewEncoder(base64.StdEncoding, w)
	_, _ = to64.Write(b.Data)
	_ = to64.Close()
	w.add(`","mimeType":`).text(b.MediaType).add(`}`)
}

// writeQuestion asks for another try of the call, with the answer to a question.
func (c *Client) writeQuestion(w writer, q Question) {
	q.write(w.add(`"inputRequests":{`).text(q.Key).add(`:{`))
	c.server.complete(w.add(`}}`), "input_required")
}
