// Command mockserver is the mock of the Messages API as a program, for tests that
// are not written in Go. It prints one JSON object with the environment that leads a
// client to it, and ends with its standard input.
package main

import (
	"encoding/json"
	"io"
	"os"
	"strings"

	"sesskeep/internal/storetest/mockapi"
)

func main() {
	s := mockapi.Start()
	defer s.End()
	env := map[string]string{}
	for _, pair := range s.Environ() {
		name, value, _ := strings.Cut(pair, "=")
		env[name] = value
	}
	if json.NewEncoder(os.Stdout).Encode(env) != nil {
		return // the client has disconnected
	}
	_, _ = io.Copy(io.Discard, os.Stdin) // until who started it ends
}
