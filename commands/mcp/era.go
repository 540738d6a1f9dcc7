package mcp

import (
	"slices"
	"strconv"

	"fsbox/textio"
)

// modernVersion is the first version without sessions.
const modernVersion = "2026-07-28"

// versions are those that are served, newest first.
var versions = [...]string{modernVersion, "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// listLife is how long a client may keep what the server tells of itself and its tools, in
// milliseconds. Neither changes while the server runs.
const listLife = 60 * 60 * 1000

// era is what the protocol's version decides about one request.
type era struct {
	modern bool
	asks   bool   // the client can put questions to a person
	client string // its name
}

// eraOf finds the era of a request, and whether it may be served at all.
func (s *Server) eraOf(m message) (era, *failure) {
	asked := m.Params.Meta
	modern := asked.Version != nil || asked.Capabilities != nil // the era without sessions: see doc.go
	switch {
	case !modern && (m.Method == "initialize" || m.Method == "ping"): // begins a session, or needs none
		return era{}, nil
	case !modern && s.session != nil:
		return *s.session, nil
	case !modern:
		return era{}, badParams("params._meta needs " + strconv.Quote(metaVersion) + " and " + strconv.Quote(metaCapabilities) +
			`, or "initialize" must come first`)
	case asked.Version == nil:
		return era{}, badParams("params._meta needs " + strconv.Quote(metaVersion))
	}
	switch version := string(*asked.Version); {
	case version != modernVersion && s.session != nil && slices.Contains(versions[:], version):
		return *s.session, nil // the version is one with sessions, so the request belongs to the session
	case version != modernVersion:
		return era{}, unsupported(version)
	case asked.Capabilities == nil:
		return era{}, badParams("params._meta needs " + strconv.Quote(metaCapabilities))
	}
	return era{modern: true, asks: asked.Capabilities.canAsk(), client: asked.Client.name}, nil
}

func unsupported(requested string) *failure {
	return &failure{code: codeUnsupported, message: "Unsupported protocol version", data: func(w writer) {
		w.add(`{"supported":`).raw(textio.AppendList(nil, versions[:])).add(`,"requested":`).text(requested).add(`}`)
	}}
}

// initialize begins a session.
func (s *Server) initialize(m message) (func(writer), *failure) {
	version := string(m.Params.Version)
	if version == "" {
		return nil, badParams(`"protocolVersion" is missing`)
	}
	if known := versions[1:]; !slices.Contains(known, version) {
		version = known[0]
	}
	name := m.Params.Client.name
	if s.session != nil && s.session.client != name {
		name = "" // two clients: it is not known which of them reads the answers
	}
	s.session = &era{asks: m.Params.Capabilities.canAsk(), client: name}
	return func(w writer) {
		w.add(`"protocolVersion":`).text(version).add(`,"capabilities":{"tools":{}},"serverInfo":`)
		s.about.writeIdentity(w).add(`,"instructions":`).text(s.about.Instructions)
	}, nil
}

// discover describes the server to a client of the era without sessions.
func (s *Server) discover(w writer) {
	w.add(`"supportedVersions":`).raw(textio.AppendList(nil, versions[:]))
	w.add(`,"capabilities":{"tools":{}},"instructions":`).text(s.about.Instructions)
	s.complete(w.life(), "complete")
}

// list gives the tools.
func (s *Server) list(m message, e era) (func(writer), *failure) {
	if m.Params.Cursor != "" {
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
