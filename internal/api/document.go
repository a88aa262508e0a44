package api

import (
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"sesskeep/internal/board"
	"sesskeep/internal/money"
	"sesskeep/internal/runs"
	"sesskeep/internal/stamp"
)

// Document returns the OpenAPI document of every server.
func Document() ([]byte, error) { return documentServer().doc.MarshalJSON() }

// documentServer returns a server with all routes, which serves no requests.
func documentServer() *Server {
	return New(Options{Version: "1", Runs: runs.New(runs.Options{})})
}

// registerTypes registers the schemas of types that marshal themselves: times are strings,
// amounts of money are numbers.
func registerTypes(r huma.Registry) {
	r.RegisterTypeAlias(reflect.TypeFor[stamp.Time](), reflect.TypeFor[time.Time]())
	for _, t := range []reflect.Type{reflect.TypeFor[money.Ledger](), reflect.TypeFor[money.UsageReport]()} {
		registerNumbers(r, t, map[reflect.Type]bool{})
	}
}

// registerNumbers registers the integer types below t that are written with decimals.
func registerNumbers(r huma.Registry, t reflect.Type, seen map[reflect.Type]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		registerNumbers(r, t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			registerNumbers(r, t.Field(i).Type, seen)
		}
	case reflect.Int64:
		if t.Implements(reflect.TypeFor[json.Marshaler]()) {
			r.RegisterTypeAlias(t, reflect.TypeFor[float64]())
		}
	}
}

// document completes the OpenAPI document of a server.
type document struct{ *Server }

// complete adds to the document what huma does not generate.
func (s document) complete() {
	s.addStreams()
	s.addDurations()
	s.dropUnusedStatuses()
	s.acceptAnyNumber()
	s.describeChoices()
	s.describe()
	s.addEnums()
	s.addSamples()
}

// addDurations adds the durations that parts and calls marshal beside their fields.
func (s document) addDurations() {
	for name, text := range map[string]string{"ViewPart": "Milliseconds spent thinking", "ViewCall": "Milliseconds until the result"} {
		if schema := s.doc.Components.Schemas.Map()[name]; schema != nil {
			schema.Properties["durationMs"] = &huma.Schema{Type: huma.TypeInteger, Format: "int64", Description: text}
		}
	}
}

// dropUnusedStatuses removes status 422, which huma documents and the server never sends:
// invalid requests are answered with 400.
func (s document) dropUnusedStatuses() {
	for _, item := range s.doc.Paths {
		for _, op := range []*huma.Operation{item.Get, item.Put, item.Post, item.Delete, item.Patch} {
			if op != nil {
				delete(op.Responses, "422")
			}
		}
	}
}

// streamDoc documents a route that huma does not serve.
type streamDoc struct {
	routeInfo
	kind   string       // media type of the answer
	shape  reflect.Type // type of each part of the answer; nil if it has no schema
	params []string     // "NAME: description"; a ? after the name marks a boolean, a * a repeatable parameter
}

// ticketDoc documents the parameter of downloads that replaces a token.
const ticketDoc = ticketKey + ": Ticket from createTicket for this path, instead of a token"

// streamDocs documents these routes, by method and path.
var streamDocs = map[string]streamDoc{
	"GET /events": {
		routeInfo: routeInfo{id: "events", sum: "Stream events as server-sent events", tag: aboutSessions,
			more: "Each event has an id and a kind. The header Last-Event-ID resumes after an event; if that is not exactly possible, the stream starts with one event reset. Events run and inbox have no id: they carry the state of every run and the open questions, at the start and after every change."},
		kind: "text/event-stream", shape: reflect.TypeFor[board.Event](),
		params: []string{"session*: Only these sessions, by id; id@HOME is the one in that home", "lines: false leaves out the written lines"},
	},
	"GET /metrics": {routeInfo: routeInfo{id: "metrics", sum: "Report metrics for Prometheus", tag: aboutServer}, kind: "text/plain"},
	"GET /projects/{project}/sessions/{id}/blobs/{ref}": {
		routeInfo: routeInfo{id: "blob", sum: "Download an image, a document or a long text of a session", tag: aboutConversations,
			more: "The first bytes decide the content type. Browsers show text, and png, jpeg, gif and webp of at most 50 million pixels; everything else is a download."},
		kind: "application/octet-stream", params: []string{"root: Directory of the home, if several have the session", "download?: Always send as a download", ticketDoc},
	},
	"GET /projects/{project}/sessions/{id}/export": {
		routeInfo: routeInfo{id: "exportSession", sum: "Export a session as a document", tag: aboutConversations,
			more: "Marks such as [github-token:1] stand in the place of what looks like a secret, as the header X-Redacted says. That is best effort. jsonl is the file itself, with all secrets in it."},
		kind: "application/octet-stream",
		params: []string{"root: Directory of the home, if several have the session", "format: markdown, html (one file that loads nothing), text, json or jsonl (the original file). Default: markdown", "leaf: Conversation, by the uuid of its last line. Default: the active one",
			"from: Message that the document begins with. Default: the first", "to: Message that the document ends with. Default: the last",
			"all?: All conversations", "agents?: Include sub-agents", "excludeThinking?: Leave out thinking", "excludeTools?: Leave out tool calls", "includeStructuredContent?: Include the content blocks of messages (json only)", "replay?: Add controls that play the session on its time axis (html only)",
			"redact?: false leaves secrets in the document, which needs the role operate. Default: marks stand in their place, except in jsonl", ticketDoc},
	},
	"GET /runs/{run}/output": {
		routeInfo: routeInfo{id: "runOutput", sum: "Stream the output of a run as server-sent events", tag: aboutRuns,
			more: "Events are line, a line of the client's output; piece, a part of a message that is being written; run, the state of the run; and end. An id is a byte offset in the log, and Last-Event-ID resumes there."},
		kind: "text/event-stream",
	},
	"POST /agents/{agent}/upload": {
		routeInfo: routeInfo{id: "uploadImage", sum: "Upload an image, so that messages to an agent can name it", tag: aboutAgents,
			more: "The body is multipart/form-data with a file named image, the image itself as image/*, or JSON with data in base64. Images are PNG, JPEG, GIF or WebP of at most 5 MB, and are deleted with the run."},
		kind: "application/json", shape: reflect.TypeFor[UploadedImage](),
	},
}

// inPaths documents the path parameters of streams.
var inPaths = map[string]string{
	"project": docOf[InProject]("Project"), "id": docOf[OneSession]("ID"), "ref": "Reference of a blob, as blocks have it", "run": "ID of the run",
	"agent": "ID of the agent",
}

// docOf returns the doc tag of a field.
func docOf[T any](field string) string {
	f, _ := reflect.TypeFor[T]().FieldByName(field)
	return f.Tag.Get("doc")
}

// streamOperation returns the documented operation of a stream.
func (s document) streamOperation(one stream) *huma.Operation {
	if item := s.doc.Paths[prefix+one.path]; one.method == http.MethodPost {
		return item.Post
	} else {
		return item.Get
	}
}

// addStreams adds the routes that huma does not serve to the document.
func (s document) addStreams() {
	for _, one := range streamRoutes(s).list() {
		t := streamDocs[one.method+" "+one.path]
		op := &huma.Operation{
			OperationID: t.id, Method: one.method, Path: prefix + one.path, Summary: t.sum, Description: t.more, Tags: []string{t.tag},
			Responses: map[string]*huma.Response{"200": {Description: "OK", Content: map[string]*huma.MediaType{t.kind: s.mediaType(t)}}},
		}
		if one.role != anybody {
			op.Security = []map[string][]string{{"token": {string(one.role)}}}
		}
		for _, part := range strings.Split(one.path, "/") {
			if name, ok := strings.CutPrefix(part, "{"); ok {
				name = strings.TrimSuffix(name, "}")
				op.Parameters = append(op.Parameters, &huma.Param{Name: name, In: "path", Description: inPaths[name], Required: true, Schema: &huma.Schema{Type: huma.TypeString}})
			}
		}
		for _, text := range t.params {
			name, doc, _ := strings.Cut(text, ": ")
			p := &huma.Param{In: "query", Description: doc, Schema: &huma.Schema{Type: huma.TypeString}}
			if bare, ok := strings.CutSuffix(name, "?"); ok {
				name, p.Schema.Type = bare, huma.TypeBoolean
			}
			if bare, ok := strings.CutSuffix(name, "*"); ok {
				name, p.Explode = bare, new(true)
			}
			p.Name = name
			op.Parameters = append(op.Parameters, p)
		}
		s.doc.AddOperation(op)
	}
}

func (s document) mediaType(t streamDoc) *huma.MediaType {
	if t.shape == nil {
		return &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString}}
	}
	return &huma.MediaType{Schema: s.doc.Components.Schemas.Schema(t.shape, true, "")}
}
