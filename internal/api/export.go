package api

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"sesskeep/internal/access"
	"sesskeep/internal/talk"
)

// export streams a session as a document.
func (s *Server) export(w http.ResponseWriter, r *http.Request) error {
	ctx, q := r.Context(), r.URL.Query()
	name := q.Get("format")
	if name == "" {
		name = "markdown"
	}
	format, err := talk.ParseFormat(name)
	if err != nil {
		return invalid("format", "%v", err)
	}
	o, err := exportOptions(q)
	if err != nil {
		return err
	}
	o.Format = format
	if o.Plain {
		if err := checkAllowed(callerOf(ctx), access.Operate); err != nil {
			return err
		}
	}
	_, t, err := s.target(ctx, &OneSession{InProject: InProject{r.PathValue("project")}, ID: r.PathValue("id"), Root: q.Get("root")})
	if err != nil {
		return err
	}
	if r.Method != http.MethodHead {
		if err := s.opts.App.Acts.NoteExport(ctx, s.doing(ctx, false, false), t.Store, t.Ref, o.What()); err != nil {
			return err
		}
	}
	begun := false
	o.OnReady = func() {
		begun = true
		h := w.Header()
		h.Set("Content-Type", format.MediaType())
		h.Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", t.Ref.ID()+"."+format.Ending()))
		h.Set("X-Redacted", strconv.FormatBool(o.Redacted()))
	}
	err = s.opts.App.Talk.Export(ctx, w, t, o)
	if begun && err != nil {
		panic(http.ErrAbortHandler) // the client must not mistake a part for the whole
	}
	return err
}

// exportOptions reads the parameters of an export.
func exportOptions(q url.Values) (o talk.ExportOptions, err error) {
	o.Leaf, o.From, o.To = q.Get("leaf"), q.Get("from"), q.Get("to")
	for name, into := range map[string]*bool{
		"agents": &o.Agents, "all": &o.All, "excludeThinking": &o.NoThinking, "excludeTools": &o.NoTools, "includeStructuredContent": &o.Blocks, "replay": &o.Replay,
	} {
		if *into, err = boolParam(q, name); err != nil {
			return o, err
		}
	}
	redacted, err := boolParam(q, "redact")
	o.Plain = q.Get("redact") != "" && !redacted
	return o, err
}

// boolParam reads a boolean parameter; a missing one is false.
func boolParam(q url.Values, name string) (bool, error) {
	text := q.Get(name)
	if text == "" {
		return false, nil
	}
	yes, err := strconv.ParseBool(text)
	if err != nil {
		return false, invalid(name, "%q is neither true nor false", clip(text, 40))
	}
	return yes, nil
}
