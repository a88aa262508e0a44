package settings

import "testing"

// Our server comes in, is replaced where it says something else, and goes; everything else stays.
func TestServer(t *testing.T) {
	const program = "/usr/bin/sesskeep"
	for name, text := range map[string]string{
		"no servers": "{\n\t\"numStartups\": 3,\n\t\"odd\" : [1,2]\n}\n",
		"others":     "{\n  \"mcpServers\": {\n    \"git\": {\"command\": \"git-mcp\"}\n  },\n  \"x\": 1.50\n}",
		"one line":   `{"a":1,"mcpServers":{"git":{"command":"git-mcp"}}}`,
	} {
		with, err := AddServer([]byte(text), program, []string{"mcp"})
		if err != nil || !HasServer(with) {
			t.Fatalf("%s: %v\n%s", name, err, with)
		}
		again, err := AddServer(with, program, []string{"mcp"})
		if err != nil || string(again) != string(with) {
			t.Errorf("%s: a second time it changed: %v\n%s", name, err, again)
		}
		other, err := AddServer(with, program, []string{"mcp", "--all-projects"})
		if err != nil || string(other) == string(with) {
			t.Errorf("%s: other arguments changed nothing: %v", name, err)
		}
		for _, from := range [][]byte{with, other} {
			if back, err := RemoveServer(from); err != nil || string(back) != text {
				t.Errorf("%s: after removal %v\n%s\nwant\n%s", name, err, back, text)
			}
		}
	}
}

// A list of servers that is none is left alone.
func TestServersThatAreNone(t *testing.T) {
	for _, text := range []string{`{"mcpServers": []}`, `{"mcpServers": {`, `[]`} {
		if got, err := AddServer([]byte(text), "p", nil); err == nil {
			t.Errorf("%s: got %s", text, got)
		}
	}
}
