// Package wire speaks the protocols by which hosts ask a model: what a request offers and reports,
// and an answer that is one tool call or a text.
package wire

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// Tool is a definition in a request.
type Tool struct {
	Namespace string `json:"namespace,omitempty"` // Responses only
	Name      string
	Schema    json.RawMessage
}

// Result is what a call has come to.
type Result struct{ ID, Text string }

// Request is what a host asks of a model.
type Request struct {
	Stream bool
	Tools  []Tool
	Last   *Result // the newest tool result
	Aside  bool    // something else is asked after it, such as a summary
}

// Answer is what a model says: a call, or a text if it has no name.
type Answer struct {
	ID, Namespace, Name string
	Arguments           any
	Text                string
	More                []Answer // further calls at the same time; Gemini's protocol has none of them
}

// calls are the call of an answer and the further ones, if it is one.
func (a Answer) calls() []Answer {
	if a.Name == "" {
		return nil
	}
	return append([]Answer{a}, a.More...)
}

// Protocol is one way to ask.
type Protocol struct {
	Name   string
	decode func(body []byte) (Request, error)
	answer func(Answer) (plain any, events []Event)
}

// Event is one of a stream. A name goes on a line of its own.
type Event struct {
	Name string
	Data any
}

// Of returns the protocol of a URL's path, and false for any other.
func Of(path string) (Protocol, bool) {
	switch {
	case strings.HasSuffix(path, "/messages"):
		return Protocol{"Messages", decode[messages], answerMessages}, true
	case strings.HasSuffix(path, "/chat/completions"):
		return Protocol{"Chat Completions", decode[chat], answerChat}, true
	case strings.HasSuffix(path, "/responses"):
		return Protocol{"Responses", decode[responses], answerResponses}, true
	case strings.HasSuffix(path, "enerateContent"): // generateContent, streamGenerateContent
		return Protocol{"generateContent", decode[gemini], answerGemini}, true
	}
	return Protocol{}, false
}

// Decode reads a request.
func (p Protocol) Decode(path string, body []byte) (Request, error) {
	r, err := p.decode(body)
	r.Stream = r.Stream || strings.HasSuffix(path, ":streamGenerateContent")
	return r, err
}

// decode reads a request of one protocol.
func decode[M interface{ request() Request }](body []byte) (Request, error) {
	var m M
	if err := json.Unmarshal(body, &m); err != nil {
		return Request{}, err
	}
	return m.request(), nil
}

// Write sends an answer, as a stream if that was asked for.
func (p Protocol) Write(w http.ResponseWriter, r Request, a Answer) error {
	plain, events := p.answer(a)
	if !r.Stream {
		w.Header().Set("Content-Type", "application/json")
		return json.NewEncoder(w).Encode(plain)
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range events {
		data, err := json.Marshal(e.Data)
		if err != nil {
			return err
		}
		if text, ok := e.Data.(string); ok { // the end of a Chat Completions stream isn't JSON
			data = []byte(text)
		}
		if e.Name != "" {
			fmt.Fprintf(w, "event: %s\n", e.Name)
		}
		if _, err := fmt.Fprintf(w, "data: %s\n\n", data); err != nil {
			return err
		}
	}
	return nil
}

// object is a JSON object that is written here.
type object = map[string]any

// text is the content of a message: a string, or blocks of which some have text.
func text(raw json.RawMessage) string {
	var whole string
	if json.Unmarshal(raw, &whole) == nil {
		return whole
	}
	var blocks []struct{ Text string }
	if json.Unmarshal(raw, &blocks) != nil {
		return string(raw)
	}
	parts := make([]string, len(blocks))
	for i, block := range blocks {
		parts[i] = block.Text
	}
	return strings.Join(parts, "\n") // a model is shown where one ends
}

// arguments is what a call says, as JSON in a string.
func arguments(a Answer) string {
	data, err := json.Marshal(a.Arguments)
	if err != nil {
		return "{}" // never: they are made of strings and numbers
	}
	return string(data)
}
