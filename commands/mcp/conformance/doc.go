// Package conformance tries fsbox mcp with other people's clients, and with the scenarios of the
// protocol's own conformance suite. It is a module of its own, so that what it needs is no
// dependency of the program.
//
//	go test ./...                                 # the official Go client
//	npm install --prefix DIR node@22 @modelcontextprotocol/inspector@2.12.0 \
//	    @modelcontextprotocol/conformance@0.2.0-alpha.12
//	FSBOX_NPM=DIR go test ./...                   # and what npm has; else those tests skip
//
// The suite speaks HTTP only, so shim_test.go passes its requests on to processes of fsbox.
//
// Of its scenarios for servers, these are run: server-initialize, ping and tools-list for
// 2025-11-25; tools-list, caching and server-stateless for 2026-07-28. The others are left out, for
// these reasons:
//
//	tools-call-*, json-schema-2020-12, elicitation-*, input-required-result-*
//	    call tools that only a test server has, such as test_simple_text
//	resources-*, prompts-*, completion-complete, sep-2164-*, logging-set-level
//	    features that a server of tools doesn't have; the log is the operator's (--log)
//	server-session-lifecycle, server-sse-*, http-*, dns-*
//	    are about HTTP, which here is the shim, not the program
//	tasks-*, sep-2640-*
//	    extensions
//
// Of server-stateless and caching, the checks that are named in scenarios_test.go need such tools
// and features as well.
package conformance
