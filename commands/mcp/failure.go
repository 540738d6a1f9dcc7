package mcp

// failure is an error of the protocol: the answer to a request that reached no tool, or made one
// panic.
type failure struct {
	code    int
	message string
	data    func(writer) // nil for none
}

// Error makes a failure an error, so that a check can return it beside those of the decoder.
func (f *failure) Error() string { return f.message }

// Codes of JSON-RPC, and of the protocol.
const (
	codeParse       = -32700
	codeInvalid     = -32600
	codeNoMethod    = -32601
	codeParams      = -32602
	codeInternal    = -32603
	codeUnsupported = -32022 // protocol version
)

func invalid(message string) *failure   { return &failure{code: codeInvalid, message: message} }
func badParams(message string) *failure { return &failure{code: codeParams, message: message} }
