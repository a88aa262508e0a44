package api

import (
	"fmt"
	"net/http"
	"strings"

	"sesskeep/internal/app"
)

// export writes a session as a document, as it is read.
func (s *Server) export(w http.ResponseWriter, r *http.Request) error {
	ctx, q := r.Context(), r.URL.Query()
	name := q.Get("format")
	if name == "" {
		name = "markdown"
	}
	format, err := app.ParseFormat(name)
	if err != nil {
		return err
	}
	_, t, err := s.target(ctx, &OneSession{InProject: InProject{r.PathValue("project")}, ID: r.PathValue("id"), Root: q.Get("root")})
	if err != nil {
		return err
	}
	o := app.ExportOptions{Agents: yes(q.Get("agents"))}
	o.Format, o.Leaf, o.All = format, q.Get("leaf"), yes(q.Get("all"))
	o.NoThinking, o.NoTools, o.Blocks = yes(q.Get("excludeThinking")), yes(q.Get("excludeTools")), yes(q.Get("includeStructuredContent"))
	if r.Method != http.MethodHead {
		if err := s.opts.App.NoteExport(ctx, s.doing(ctx, false, false), t, name+", not redacted"); err != nil {
			return err
		}
	}
	begun := false
	o.Begun = func() {
		begun = true
		h := w.Header()
		h.Set("Content-Type", format.MediaType())
		h.Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", t.Ref.ID()+"."+format.Ending()))
		h.Set("X-Redacted", "false")
	}
	err = s.opts.App.Export(ctx, w, t, o)
	if begun && err != nil {
		panic(http.ErrAbortHandler) // the client must not take a part for the whole
	}
	return err
}

// yes reads a parameter that is said or not.
func yes(text string) bool {
	switch strings.ToLower(text) {
	case "true", "1", "yes":
		return true
	}
	return false
}
