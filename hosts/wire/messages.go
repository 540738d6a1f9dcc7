package wire

import "encoding/json"

// Anthropic's Messages.
func decodeMessages(body []byte) (Request, error) {
	var m struct {
		Stream   bool
		Messages []struct{ Content json.RawMessage }
		Tools    []struct {
			Name   string
			Schema json.RawMessage `json:"input_schema"`
		}
	}
	if err := json.Unmarshal(body, &m); err != nil {
		return Request{}, err
	}
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
	return r, nil
}

func answerMessages(a Answer) (any, []Event) {
	block, start := object{"type": "text", "text": a.Text}, object{"type": "text", "text": ""}
	delta, reason := object{"type": "text_delta", "text": a.Text}, "end_turn"
	if a.Name != "" {
		block = object{"type": "tool_use", "id": a.ID, "name": a.Name, "input": a.Arguments}
		start = object{"type": "tool_use", "id": a.ID, "name": a.Name, "input": object{}}
		delta, reason = object{"type": "input_json_delta", "partial_json": arguments(a)}, "tool_use"
	}
	message := func(content ...any) object {
		return object{"id": "msg_" + a.ID, "type": "message", "role": "assistant", "model": "scripted", "content": append([]any{}, content...),
			"stop_reason": nil, "stop_sequence": nil, "usage": object{"input_tokens": 10, "output_tokens": 10}}
	}
	plain := message(block)
	plain["stop_reason"] = reason
	return plain, []Event{
		{"message_start", object{"type": "message_start", "message": message()}},
		{"content_block_start", object{"type": "content_block_start", "index": 0, "content_block": start}},
		{"content_block_delta", object{"type": "content_block_delta", "index": 0, "delta": delta}},
		{"content_block_stop", object{"type": "content_block_stop", "index": 0}},
		{"message_delta", object{"type": "message_delta", "delta": object{"stop_reason": reason, "stop_sequence": nil},
			"usage": object{"output_tokens": 10}}},
		{"message_stop", object{"type": "message_stop"}},
	}
}
