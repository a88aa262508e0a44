package mcp

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// request is a call of a tool, as one message.
type request struct {
	Version string  `json:"jsonrpc"`
	ID      int     `json:"id"`
	Method  string  `json:"method"`
	Params  callFor `json:"params"`
}

type callFor struct {
	Name      string `json:"name"`
	Arguments any    `json:"arguments"`
}

// Request returns the message that calls a tool of another sesskeep server.
func Request(tool string, arguments any) any {
	return request{"2.0", 1, "tools/call", callFor{tool, arguments}}
}

// Response decodes the answer to such a message. It reports false if that is not the answer of a tool.
func Response(message []byte) (answer string, ok bool, err error) {
	var r struct {
		Result *mcp.CallToolResult `json:"result"`
	}
	if err := json.Unmarshal(message, &r); err != nil || r.Result == nil {
		return "", false, nil
	}
	answer, err = text(r.Result)
	return answer, true, err
}
