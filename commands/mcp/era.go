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
		return *s.session, nil // the version is one with sessions, so the request belongs to the session
	case version != modernVersion:
		return era{}, unsupported(m.params.meta.version)
	case len(capabilities) == 0 || capabilities[0] != '{':
		return era{}, badParams("params._meta needs " + strconv.Quote(metaCapabilities))
	}
	return era{modern: true, asks: canAsk(capabilities)}, nil
}

func unsupported(requested []byte) *failure {
	return &failure{code: codeUnsupported, message: "Unsupported protocol version", data: func(w writer) {
		w.add(`{"supported":`).raw(textio.AppendList(nil, versions())).add(`,"requested":`).text(word(requested)).add(`}`)
	}}
}

// initialize begins a session.
func (s *Server) initialize(m message) (func(writer), *failure) {
	version := word(m.params.version)
	if version == "" {
		return nil, badParams(`"protocolVersion" must be a string`)
	}
	if known := versions()[1:]; !slices.Contains(known, version) {
		version = known[0]
	}
	s.session = &era{version: version, asks: canAsk(m.params.capabilities)}
	return func(w writer) {
		w.add(`"protocolVersion":`).text(version).add(`,"capabilities":{"tools":{}},"serverInfo":`)
		s.about.writeIdentity(w).add(`,"instructions":`).text(s.about.Instructions)
	}, nil
}

// discover describes the server to a client of the era without sessions.
func (s *Server) discover(w writer) {
	w.add(`"supportedVersions":`).raw(textio.AppendList(nil, versions()))
	w.add(`,"capabilities":{"tools":{}},"instructions":`).text(s.about.Instructions)
	s.complete(w.life(), "complete")
}

// list gives the tools.
func (s *Server) list(m message, e era) (func(writer), *failure) {
	if unquote(m.params.cursor) != "" || m.params.cursor != nil && m.params.cursor[0] != '"' {
		return nil, badParams(`"cursor" is from no answer: all tools are on one page`)
	}
	tools := s.tools.List()
	return func(w writer) {
		if w.add(`"tools":`).raw(tools); e.modern {
			s.complete(w.life(), "complete")
		}
	}, nil
}

// life says how long a client may keep an answer.
func (w writer) life() writer {
	return w.add(`,"ttlMs":`).number(listLife).add(`,"cacheScope":"public"`)
}

// complete ends a result with what every one has in the era without sessions.
func (s *Server) complete(w writer, kind string) {
	s.about.writeIdentity(w.add(`,"resultType":"` + kind + `","_meta":{"` + metaServerInfo + `":`)).add(`}`)
}

func (a About) writeIdentity(w writer) writer {
	return w.add(`{"name":`).text(a.Name).add(`,"title":`).text(a.Title).add(`,"version":`).text(a.Version).add(`}`)
}
