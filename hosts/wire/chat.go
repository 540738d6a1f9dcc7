package wire

import "encoding/json"

// chat is a request of OpenAI's Chat Completions.
type chat struct {
	Stream   bool
	Messages []struct {
		Role    string
		ID      string `json:"tool_call_id"`
		Content json.RawMessage
	}
	Tools []struct {
		Function struct {
			Name       string
			Parameters json.RawMessage
		}
	}
}

func (m chat) request() Request {
	r := Request{Stream: m.Stream}
	for _, t := range m.Tools {
		r.Tools = append(r.Tools, Tool{Name: t.Function.Name, Schema: t.Function.Parameters})
	}
	for _, message := range m.Messages {
		r.Aside = r.Last != nil && message.Role == "user"
		if message.Role == "tool" {
			r.Last = &Result{message.ID, text(message.Content)}
		}
	}
	return r
}

func answerChat(a Answer) (any, []Event) {
	message, reason := object{"role": "assistant", "content": a.Text}, "stop"
	if a.Name != "" {
		var calls []any
		for i, one := range a.calls() {
			calls = append(calls, object{"index": i, "id": one.ID, "type": "function",
				"function": object{"name": one.Name, "arguments": arguments(one)}})
		}
		message, reason = object{"role": "assistant", "content": nil, "tool_calls": calls}, "tool_calls"
	}
	usage := object{"prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 20}
	reply := func(kind string, choice object) object {
		choice["index"] = 0
		return object{"id": "chat-" + a.ID, "object": kind, "created": 1, "model": "scripted", "choices": []any{choice}}
	}
	plain := reply("chat.completion", object{"message": message, "finish_reason": reason})
	plain["usage"] = usage
	last := reply("chat.completion.chunk", object{"delta": object{}, "finish_reason": reason})
	last["usage"] = usage
	return plain, []Event{
		{"", reply("chat.completion.chunk", object{"delta": message, "finish_reason": nil})}, {"", last}, {"", "[DONE]"},
	}
}
