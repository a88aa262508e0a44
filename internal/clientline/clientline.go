// Package clientline makes lines of transcripts as the client writes them.
//
// A [Chain] is one transcript: every line hangs on the one before, has the fields
// that a client of its version gives it, in that order. It knows nothing of our
// reader, so that what our reader believes about the format cannot leak into what
// it is tested with.
package clientline

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Object is a JSON object that keeps its order: a name, its value, and so on.
type Object []any

// MarshalJSON writes the object as the client's JSON.stringify would.
func (o Object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i := 0; i+1 < len(o); i += 2 {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(Encode(o[i]))
		b.WriteByte(':')
		b.Write(Encode(o[i+1]))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Encode is the JSON of v. It is for values made in code, so an error is a mistake
// there.
func Encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(fmt.Sprintf("clientline: encode %T: %v", v, err))
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// Stamp is a time as the client writes it.
func Stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// Folder is the name of the directory that has the sessions of a path, which has
// to be short.
func Folder(path string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, path)
}

// Version is the client whose lines these are.
const Version = "2.1.325"

// Chain makes the lines of one transcript.
type Chain struct {
	Session    string
	Cwd        string
	Entrypoint string // "sdk-cli" without a terminal
	Agent      string // of a sub-agent: its id
	Parent     string // UUID of the line before
}

// parent is the field that names the line before.
func (c *Chain) parent() any {
	if c.Parent == "" {
		return nil
	}
	return c.Parent
}

// entry is a line with a UUID; the next one hangs on it.
func (c *Chain) entry(uuid string, at time.Time, own, more Object) Object {
	o := Object{"parentUuid", c.parent(), "isSidechain", c.Agent != ""}
	if c.Agent != "" {
		o = append(o, "agentId", c.Agent)
	}
	o = append(o, own...)
	o = append(o, "uuid", uuid, "timestamp", Stamp(at))
	o = append(o, more...)
	c.Parent = uuid
	return append(o, "userType", "external", "entrypoint", c.Entrypoint, "cwd", c.Cwd, "sessionId", c.Session,
		"version", Version, "gitBranch", "HEAD")
}

// Prompt is what the user said.
func (c *Chain) Prompt(uuid string, at time.Time, text string) Object {
	return c.entry(uuid, at, Object{"type", "user", "message", Object{"role", "user", "content", text}}, nil)
}

// Assistant is one block of a message of the model.
func (c *Chain) Assistant(uuid string, at time.Time, message any, request string) Object {
	return c.entry(uuid, at, Object{"message", message, "requestId", request, "type", "assistant"}, nil)
}

// Result is that of a tool.
func (c *Chain) Result(uuid string, at time.Time, content any, result any) Object {
	return c.entry(uuid, at, Object{"type", "user", "message", Object{"role", "user", "content", content}}, Object{"toolUseResult", result})
}

// Compacted returns the line at which a conversation was compacted.
func (c *Chain) Compacted(uuid string, at time.Time) Object {
	last := c.Parent
	c.Parent = ""
	return c.entry(uuid, at, Object{
		"logicalParentUuid", last, "type", "system", "subtype", "compact_boundary", "content", "Conversation compacted",
	}, Object{"level", "info", "compactMetadata", Object{"trigger", "manual", "preTokens", 1000}})
}

// Queue is a line about the queue of prompts.
func (c *Chain) Queue(operation string, at time.Time, text string) Object {
	o := Object{"type", "queue-operation", "operation", operation, "timestamp", Stamp(at), "sessionId", c.Session}
	if text != "" {
		o = append(o, "content", text)
	}
	return o
}

// LastPrompt names the prompt that the conversation ends with.
func (c *Chain) LastPrompt(text string) Object {
	return Object{"type", "last-prompt", "lastPrompt", text, "leafUuid", c.Parent, "sessionId", c.Session}
}
