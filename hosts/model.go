package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"fsbox/hosts/reader"
	"fsbox/hosts/wire"
)

// asker is what a model does: a call, and then one for each answer until there is no more.
type asker interface {
	First() reader.Call
	Next(answer string) (reader.Call, bool)
}

// model is the server that a host takes for its model.
type model struct {
	host   host
	reader asker
	record string          // folder for requests, or nothing
	work   context.Context // ends once there is nothing more to do
	finish func()          // ends it

	mu       sync.Mutex
	requests int
	last     string      // the result that was answered last
	answer   wire.Answer // with this
	tools    []wire.Tool
	begun    bool // the reader was asked
}

// serve listens on this machine only.
func (m *model) serve() (url string, stop func(), err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{Handler: m}
	go server.Serve(listener)
	return "http://" + listener.Addr().String(), func() { server.Close() }, nil
}

func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	m.requests++
	if m.record != "" {
		name := fmt.Sprintf("%03d%s.json", m.requests, strings.ReplaceAll(r.URL.Path, "/", "_"))
		_ = os.WriteFile(filepath.Join(m.record, name), body, 0o666) // for a person only
	}
	protocol, known := wire.Of(r.URL.Path)
	if !known {
		m.other(w, r, body)
		return
	}
	request, err := protocol.Decode(r.URL.Path, body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	_ = protocol.Write(w, request, m.think(request)) // a host that doesn't wait asks again
}

// bytesOfToken is about what a token of source code has.
const bytesOfToken = 3

// other answers what hosts ask besides.
func (m *model) other(w http.ResponseWriter, r *http.Request, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	switch {
	case strings.HasSuffix(r.URL.Path, "count_tokens"):
		fmt.Fprintf(w, `{"input_tokens": %d}`, len(body)/bytesOfToken)
	case strings.HasSuffix(r.URL.Path, "countTokens"):
		fmt.Fprintf(w, `{"totalTokens": %d}`, len(body)/bytesOfToken)
	case strings.HasSuffix(r.URL.Path, "/models"):
		fmt.Fprint(w, `{"object": "list", "data": [{"id": "scripted", "object": "model"}], "models": []}`)
	default:
		http.NotFound(w, r)
	}
}

// think is the reader's answer. A request that offers none of fsbox's tools, or asks something else
// after a result, is not part of the work: hosts want a title, or a summary.
func (m *model) think(r wire.Request) wire.Answer {
	switch {
	case r.Aside || !m.host.offers(r.Tools):
		return wire.Answer{Text: "nothing"}
	case r.Last == nil && m.answer.ID != "" || r.Last != nil && r.Last.ID == m.last:
		return m.answer // asked again
	}
	m.tools = r.Tools
	m.answer = wire.Answer{ID: fmt.Sprintf("call_%04d", m.requests), Text: "done"}
	if r.Last == nil && m.host.search != "" {
		m.answer.Name, m.answer.Arguments = m.host.search, m.host.query
		return m.answer
	}
	var call reader.Call
	more := true
	if m.begun {
		call, more = m.reader.Next(r.Last.Text)
	} else {
		call = m.reader.First()
	}
	if r.Last != nil {
		m.last = r.Last.ID
	}
	m.begun = true
	if more {
		m.host.ask(&m.answer, call)
		for i, call := range call.Besides {
			one := wire.Answer{ID: fmt.Sprintf("%s_%d", m.answer.ID, i+2)}
			m.host.ask(&one, call)
			m.answer.More = append(m.answer.More, one)
		}
	} else {
		m.finish()
	}
	return m.answer
}

// ask makes a call of a tool by the name that the host has given it.
func (h host) ask(a *wire.Answer, call reader.Call) {
	name := strings.Replace(h.tools, "NAME", call.Tool, 1)
	if namespace, rest, spaced := strings.Cut(name, "/"); spaced {
		a.Namespace, name = namespace, rest
	}
	a.Name, a.Arguments = name, call.Arguments
	if h.through != "" {
		a.Name, a.Arguments = h.through, map[string]any{"name": name, "arguments": call.Arguments}
	}
}

// offers reports whether there is a tool of fsbox, or the one that finds them.
func (h host) offers(tools []wire.Tool) bool {
	return slices.ContainsFunc(tools, func(t wire.Tool) bool { return h.ours(t) || h.search != "" && t.Name == h.search })
}

// toolNames are fsbox's.
func toolNames() []string {
	return strings.Fields("info ls glob read grep write append edit patch mkdir delete move copy undo")
}

// ours reports whether a tool that a host offers comes from fsbox.
func (h host) ours(t wire.Tool) bool {
	name := t.Name
	if t.Namespace != "" {
		name = t.Namespace + "/" + name
	}
	before, after, _ := strings.Cut(h.tools, "NAME")
	rest, is := strings.CutPrefix(name, before)
	return is && slices.Contains(toolNames(), strings.TrimSuffix(rest, after))
}
