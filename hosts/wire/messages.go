package wire

import "encoding/json"

// messages is a request of Anthropic's Messages.
type messages struct {
	Stream   bool
	Messages []struct{ Content json.RawMessage }
	Tools    []struct {
		Name   string
		Schema json.RawMessage `json:"input_schema"`
	}
}

func (m messages) request() Request {
	r := Request{Stream: m.Stream}
	for _, t := range m.Tools {
		r.Tools = append(r.Tools, Tool{Name: t.Name, Schema: t.Schema})
	}
	for _, message := range m.Messages {
		var blocks []struct {
			Type    string
			ID      string `json:"tool_use_id"`
			Content json.RawMessage
		}
		if json.Unmarshal(message.Content, &blocks) != nil {
			continue // a plain text
		}
		for _, b := range blocks {
			if b.Type == "tool_result" {
				r.Last = &Result{b.ID, text(b.Content)}
			}
		}
	}
	return r
}

func answerMessages(a Answer) (any, []Event) {
	message := func(content ...any) object {
		return object{"id": "msg_" + a.ID, "type": "message", "role": "assistant", "model": "scripted", "content": append([]any{}, content...),
			"stop_reason": nil, "stop_sequence": nil, "usage": object{"input_tokens": 10, "output_tokens": 10}}
	}
	events := []Event{{"message_start", object{"type": "message_start", "message": message()}}}
	var blocks []any
	add := func(block, start, delta object) {
		at := len(blocks)
		blocks = append(blocks, block)
		events = append(events, Event{"content_block_start", object{"type": "content_block_start", "index": at, "content_block": start}},
			Event{"content_block_delta", object{"type": "content_block_delta", "index": at, "delta": delta}},
			Event{"content_block_stop", object{"type": "content_block_stop", "index": at}})
	}
	reason := "tool_use"
	for _, one := range a.calls() {
		add(object{"type": "tool_use", "id": one.ID, "name": one.Name, "input": one.Arguments},
			object{"type": "tool_use", "id": one.ID, "name": one.Name, "input": object{}},
			object{"type": "input_json_delta", "partial_json": arguments(one)})
	}
	if a.Name == "" {
		reason = "end_turn"
		add(object{"type": "text", "text": a.Text}, object{"type": "text", "text": ""}, object{"type": "text_delta", "text": a.Text})
	}
	plain := message(blocks...)
	plain["stop_reason"] = reason
	return plain, append(events,
		Event{"message_delta", object{"type": "message_delta", "delta": object{"stop_reason": reason, "stop_sequence": nil},
			"usage": object{"output_tokens": 10}}},
		Event{"message_stop", object{"type": "message_stop"}})
}
