package conformance

import (
	"bufio"
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// shim passes requests by HTTP on to processes of fsbox: one for each session, and one for all
// requests without a session. Its answers have the status that the protocol wants for HTTP.
type shim struct {
	root      string
	mutex     sync.Mutex
	processes map[string]*process // by session, "" for none
	last      int
}

// process answers one request at a time.
type process struct {
	mutex sync.Mutex
	in    io.WriteCloser
	out   *bufio.Reader
}

func startShim(t *testing.T, root string) string {
	s := &shim{root: root, processes: map[string]*process{}}
	server := httptest.NewServer(s)
	t.Cleanup(func() {
		server.Close()
		for _, p := range s.processes {
			p.in.Close()
		}
	})
	return server.URL
}

func (s *shim) process(session string) (*process, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if p := s.processes[session]; p != nil {
		return p, nil
	}
	cmd := serve(s.root)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p := &process{in: in, out: bufio.NewReader(out)}
	s.processes[session] = p
	return p, cmd.Start()
}

func (p *process) ask(message []byte, wait bool) ([]byte, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if _, err := p.in.Write(append(bytes.TrimSpace(message), '\n')); err != nil || !wait {
		return nil, err
	}
	return p.out.ReadBytes('\n')
}

type message struct {
	ID     stdjson.RawMessage `json:"id"`
	Method string             `json:"method"`
	Params struct {
		Meta map[string]any `json:"_meta"`
	} `json:"params"`
	Error *struct{ Code int } `json:"error"`
}

const versionKey = "io.modelcontextprotocol/protocolVersion"

func (s *shim) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var m message
	if r.Method != http.MethodPost || err != nil || stdjson.Unmarshal(body, &m) != nil {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	named, has := m.Params.Meta[versionKey]
	if header := r.Header.Get("MCP-Protocol-Version"); has && header != "" && header != named {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32020,"message":"Header mismatch"}}`, m.ID)
		return
	}
	session := r.Header.Get("Mcp-Session-Id")
	if m.Method == "initialize" && !has {
		s.mutex.Lock()
		s.last++
		session = fmt.Sprint("session-", s.last)
		s.mutex.Unlock()
		w.Header().Set("Mcp-Session-Id", session)
	}
	s.pass(w, session, m, body)
}

func (s *shim) pass(w http.ResponseWriter, session string, m message, body []byte) {
	p, err := s.process(session)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	answer, err := p.ask(body, m.ID != nil)
	var got message
	switch {
	case err != nil:
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	case m.ID == nil:
		w.WriteHeader(http.StatusAccepted)
		return
	case stdjson.Unmarshal(answer, &got) == nil && got.Error != nil && session == "":
		w.WriteHeader(statusOf(got.Error.Code))
	}
	_, _ = w.Write(answer) // a client that is gone needs none
}

func statusOf(code int) int {
	if code == -32601 {
		return http.StatusNotFound
	}
	return http.StatusBadRequest
}
