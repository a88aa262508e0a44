package api

import (
	"context"
	"net/http"

	"sesskeep/internal/access"
)

// mcpPath is where models ask, below the prefix.
const mcpPath = "/mcp"

// Asker is a model that asks over HTTP.
type Asker struct {
	Projects []string // that its token is limited to; nil: it is not
	Dir      string   // narrows questions to the project of a directory; empty: it does not
	// Note records in the journal that something was asked.
	Note func(ctx context.Context, what string) error
}

type askerKey struct{}

// AskerOf returns who sent a request to the handler of models.
func AskerOf(r *http.Request) Asker {
	a, _ := r.Context().Value(askerKey{}).(Asker)
	return a
}

// modelRoute answers clients of the Model Context Protocol. A message of the protocol is not in
// the OpenAPI document: its own schema describes it.
type modelRoute struct{ *Server }

func (s modelRoute) register() {
	if s.opts.Models == nil {
		return
	}
	s.routes.HandleFunc("POST "+prefix+mcpPath, func(w http.ResponseWriter, r *http.Request) {
		if err := checkAllowed(callerOf(r.Context()), access.Read); err != nil {
			writeProblem(w, r, err)
			return
		}
		a := Asker{Projects: callerOf(r.Context()).Projects, Dir: r.URL.Query().Get("project"), Note: s.note}
		r = r.Clone(context.WithValue(r.Context(), askerKey{}, a))
		r.Header.Set("Accept", "application/json, text/event-stream") // the answer is JSON, which all read
		s.opts.Models.ServeHTTP(w, r)
	})
}

func (s modelRoute) note(ctx context.Context, what string) error {
	return s.opts.App.Acts.NoteAccess(ctx, s.doing(ctx, false, false), "mcp", what)
}
