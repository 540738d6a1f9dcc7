package mcp

import (
	"slices"
	"strconv"

	"fsbox/textio"
)

// modernVersion is the first version without sessions.
const modernVersion = "2026-07-28"

// versions are those that are served, newest first.
func versions() []string {
	return []string{modernVersion, "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}
}

// listLife is how long a client may keep what the server tells of itself and its tools, in
// milliseconds. Neither changes while the server runs.
const listLife = 60 * 60 * 1000

// era is what the protocol's version decides about one request.
type era struct {
	modern  bool
	version string // of a session
	asks    bool   // the client can put questions to a person
}

// eraOf finds the era of a request, and whether it may be served at all.
func (s *Server) eraOf(m message) (era, *failure) {
	switch {
	case !m.params.meta.modern() && s.session != nil:
		return *s.session, nil
	case !m.params.meta.modern():
		return era{}, badParams("params._meta needs " + strconv.Quote(metaVersion) + " and " + strconv.Quote(metaCapabilities) +
			`, or "initialize" must come first`)
	}
	version, capabilities := unquote(m.params.meta.version), m.params.meta.capabilities
	switch {
	case version == "":
		return era{}, badParams("params._meta needs " + strconv.Quote(metaVersion))
	case version != modernVersion && s.session != nil && slices.Contains(versions(), version):
		return *s.session, nil // a client of that version has no reason to send this, and means its session
	case version != modernVersion:
		return era{}, unsupported(m.params.meta.version)
	case len(capabilities) == 0 || capabilities[0] != '{':
		return era{}, badParams("params._meta needs " + strconv.Quote(metaCapabilities))
	}
	return era{modern: true, asks: canAsk(capabilities)}, nil
}

func unsupported(requested []byte) *failure {
	data := append(textio.AppendList([]byte(`{"supported":`), versions()), `,"requested":`...)
	data = textio.AppendQuoted(data, word(requested))
	return &failure{code: codeUnsupported, message: "Unsupported protocol version", data: append(data, '}')}
}

// initialize begins a session.
func (s *Server) initialize(m message) ([]byte, *failure) {
	version := word(m.params.version)
	if version == "" {
		return nil, badParams(`"protocolVersion" must be a string`)
	}
	if known := versions()[1:]; !slices.Contains(known, version) {
		version = known[0]
	}
	s.session = &era{version: version, asks: canAsk(m.params.capabilities)}
	b := textio.AppendQuoted([]byte(`{"protocolVersion":`), version)
	b = append(s.about.appendIdentity(append(b, `,"capabilities":{"tools":{}},"serverInfo":`...)), `,"instructions":`...)
	return append(textio.AppendQuoted(b, s.about.Instructions), '}'), nil
}

// discover describes the server to a client of the era without sessions.
func (s *Server) discover() []byte {
	b := textio.AppendList([]byte(`{"supportedVersions":`), versions())
	b = textio.AppendQuoted(append(b, `,"capabilities":{"tools":{}},"instructions":`...), s.about.Instructions)
	return s.complete(appendLife(b))
}

// list gives the tools.
func (s *Server) list(m message, e era) ([]byte, *failure) {
	if unquote(m.params.cursor) != "" || m.params.cursor != nil && m.params.cursor[0] != '"' {
		return nil, badParams(`"cursor" is from no answer: all tools are on one page`)
	}
	b := append([]byte(`{"tools":`), s.tools.List()...)
	if e.modern {
		return s.complete(appendLife(b)), nil
	}
	return append(b, '}'), nil
}

func appendLife(b []byte) []byte {
	return append(appendNumber(append(b, `,"ttlMs":`...), listLife), `,"cacheScope":"public"`...)
}

// complete ends a result with what every one has in the era without sessions.
func (s *Server) complete(b []byte) []byte { return append(s.appendComplete(b, "complete"), '}') }

func (s *Server) appendComplete(b []byte, kind string) []byte {
	b = append(append(append(b, `,"resultType":"`...), kind...), `","_meta":{"`+metaServerInfo+`":`...)
	return append(s.about.appendIdentity(b), '}')
}

func (a About) appendIdentity(b []byte) []byte {
	b = textio.AppendQuoted(append(b, `{"name":`...), a.Name)
	b = textio.AppendQuoted(append(b, `,"title":`...), a.Title)
	b = textio.AppendQuoted(append(b, `,"version":`...), a.Version)
	return append(b, '}')
}
