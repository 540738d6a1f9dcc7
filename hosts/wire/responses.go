package wire

import (
	"encoding/json"
	"strings"
)

// responsesTool is a tool, or a namespace with tools.
type responsesTool struct {
	Type, Name string
	Parameters json.RawMessage
	Tools      []responsesTool
}

// searchTool is a type of tool: a call of it is an item of its own.
const searchTool = "tool_search"

// responses is a request of OpenAI's Responses.
type responses struct {
	Stream bool
	Input  json.RawMessage
	Tools  []responsesTool
}

func (m responses) request() Request {
	r := Request{Stream: m.Stream, Tools: flat("", m.Tools)}
	var items []struct {
		Type, Role string
		ID         string `json:"call_id"`
		Output     json.RawMessage
		Tools      []responsesTool
	}
	if json.Unmarshal(m.Input, &items) != nil {
		return r // a plain text
	}
	for _, item := range items {
		if strings.HasSuffix(item.Type, "_output") {
			r.Last = &Result{item.ID, text(item.Output)}
		}
		r.Tools = append(r.Tools, flat("", item.Tools)...) // what a search for tools found
	}
	return r
}

func flat(namespace string, tools []responsesTool) (all []Tool) {
	for _, t := range tools {
		switch {
		case t.Type == "namespace":
			all = append(all, flat(t.Name, t.Tools)...)
		case t.Name != "":
			all = append(all, Tool{namespace, t.Name, t.Parameters})
		default: // one of the model's own, which has just a type
			all = append(all, Tool{Name: t.Type, Schema: t.Parameters})
		}
	}
	return all
}

func answerResponses(a Answer) (any, []Event) {
	items := []any{object{"type": "message", "id": "item-" + a.ID, "role": "assistant", "status": "completed",
		"content": []any{object{"type": "output_text", "text": a.Text, "annotations": []any{}}}}}
	if a.Name != "" {
		items = nil
		for _, one := range a.calls() {
			items = append(items, callItem(one))
		}
	}
	response := func(status string, output ...any) object {
		return object{"id": "resp-" + a.ID, "object": "response", "created_at": 1, "model": "scripted", "status": status,
			"output": append([]any{}, output...), "usage": object{"input_tokens": 10, "input_tokens_details": object{"cached_tokens": 0},
				"output_tokens": 10, "output_tokens_details": object{"reasoning_tokens": 0}, "total_tokens": 20}}
	}
	events := []Event{{"response.created", object{"response": response("in_progress")}}}
	for i, item := range items {
		events = append(events, Event{"response.output_item.added", object{"output_index": i, "item": item}},
			Event{"response.output_item.done", object{"output_index": i, "item": item}})
	}
	events = append(events, Event{"response.completed", object{"response": response("completed", items...)}})
	for i, e := range events {
		data := e.Data.(object)
		data["type"], data["sequence_number"] = e.Name, i
	}
	return response("completed", items...), events
}

// callItem is a call among the items of a response.
func callItem(a Answer) object {
	if a.Name == searchTool {
		return object{"type": "tool_search_call", "id": "item-" + a.ID, "call_id": a.ID, "execution": "client", "arguments": a.Arguments,
			"status": "completed"}
	}
	item := object{"type": "function_call", "id": "item-" + a.ID, "call_id": a.ID, "name": a.Name, "arguments": arguments(a),
		"status": "completed"}
	if a.Namespace != "" {
		item["namespace"] = a.Namespace
	}
	return item
}
