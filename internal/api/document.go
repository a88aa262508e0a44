package api

import (
	"encoding/json"
	"reflect"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"sesskeep/internal/board"
	"sesskeep/internal/money"
	"sesskeep/internal/runs"
	"sesskeep/internal/stamp"
)

// Document is the OpenAPI document of every server.
func Document() ([]byte, error) { return documentServer().doc.MarshalJSON() }

// documentServer is a server with all routes there can be, which is asked nothing.
func documentServer() *Server {
	return New(Options{Version: "1", Runs: runs.New(runs.Options{})})
}

// registerTypes says how types are written that write themselves: times as text,
// amounts of money as numbers.
func registerTypes(r huma.Registry) {
	r.RegisterTypeAlias(reflect.TypeFor[stamp.Time](), reflect.TypeFor[time.Time]())
	for _, t := range []reflect.Type{reflect.TypeFor[money.Ledger](), reflect.TypeFor[money.UsageReport]()} {
		registerNumbers(r, t, map[reflect.Type]bool{})
	}
}

// registerNumbers finds the integers below a type that are written with decimals.
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

// document is the OpenAPI document, made complete.
type document struct{ *Server }

// complete adds what the operations do not say themselves.
func (s document) complete() {
	s.addStreams()
	s.addDurations()
	s.dropUnusedStatuses()
	s.acceptAnyNumber()
	s.describe()
	s.addEnums()
	s.addSamples()
}

// addDurations adds what parts and calls write beside their fields.
func (s document) addDurations() {
	for name, text := range map[string]string{"ViewPart": "Milliseconds spent thinking", "ViewCall": "Milliseconds until the result"} {
		if schema := s.doc.Components.Schemas.Map()[name]; schema != nil {
			schema.Properties["durationMs"] = &huma.Schema{Type: huma.TypeInteger, Format: "int64", Description: text}
		}
	}
}

// dropUnusedStatuses takes back what huma tells and nobody is answered: a question that is
// wrong is a 400.
func (s document) dropUnusedStatuses() {
	for _, item := range s.doc.Paths {
		for _, op := range []*huma.Operation{item.Get, item.Put, item.Post, item.Delete, item.Patch} {
			if op != nil {
				delete(op.Responses, "422")
			}
		}
	}
}

// streamDoc is what the document says of a route that huma does not serve.
type streamDoc struct {
	routeInfo
	kind   string       // media type of the answer
	shape  reflect.Type // of each part of the answer; nil: it has none
	params []string     // NAME: what it is; a ? behind the name: it is said or not; a *: it may be there several times
}

// ticketDoc is the parameter of what can be downloaded without a token.
const ticketDoc = ticketKey + ": Ticket from createTicket for this path, instead of a token"

// streamDocs are all of them, by method and path.
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
		routeInfo: routeInfo{id: "exportSession", sum: "Export a session as a document", tag: aboutConversations},
		kind:      "application/octet-stream",
		params: []string{"root: Directory of the home, if several have the session", "format: markdown, text, json or jsonl (the original file). Default: markdown", "leaf: Conversation, by the uuid of its last line. Default: the active one",
			"all?: All conversations", "agents?: Include sub-agents", "excludeThinking?: Leave out thinking", "excludeTools?: Leave out tool calls", "includeStructuredContent?: Include the content blocks of messages (json only)", ticketDoc},
	},
	"GET /runs/{run}/output": {
		routeInfo: routeInfo{id: "runOutput", sum: "Stream the output of a run as server-sent events", tag: aboutRuns,
			more: "Events are line, a line of the client's output; piece, a part of a message that is being written; run, the state of the run; and end. An id is a byte offset in the log, and Last-Event-ID resumes there."},
		kind: "text/event-stream",
	},
}

// inPaths are the names in paths of streams.
var inPaths = map[string]string{
	"project": docOf[InProject]("Project"), "id": docOf[OneSession]("ID"), "ref": "Reference of a blob, as blocks have it", "run": "ID of the run",
}

// docOf is what the tag of a field says.
func docOf[T any](field string) string {
	f, _ := reflect.TypeFor[T]().FieldByName(field)
	return f.Tag.Get("doc")
}

// streamOperation is the operation of a stream, as the document has it.
func (s document) streamOperation(one stream) *huma.Operation {
	return s.doc.Paths[prefix+one.path].Get
}

// addStreams adds the routes to the document that huma does not serve.
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
