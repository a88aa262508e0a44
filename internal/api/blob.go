package api

import (
	"io"
	"mime"
	"net/http"

	"sesskeep/internal/reading"
)

// blob sends an image, an output or a long text of a session. Browsers show only harmless
// types; everything else is a download.
func (s *Server) blob(w http.ResponseWriter, r *http.Request) error {
	ctx, q := r.Context(), r.URL.Query()
	save, err := boolParam(q, "download")
	if err != nil {
		return err
	}
	_, t, err := s.target(ctx, &OneSession{InProject: InProject{r.PathValue("project")}, ID: r.PathValue("id"), Root: q.Get("root")})
	if err != nil {
		return err
	}
	begun := false
	err = s.opts.App.Talk.Blob(ctx, t, r.PathValue("ref"), func(b *reading.Blob) error {
		begun = true
		h := w.Header()
		h.Set("Content-Type", b.Type)
		h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
		as := "inline"
		if !b.Shown || save {
			as = "attachment"
		}
		h.Set("Content-Disposition", mime.FormatMediaType(as, map[string]string{"filename": clip(b.Name, 200)}))
		if r.Method == http.MethodHead {
			return nil
		}
		_, err := io.Copy(w, b)
		return err
	})
	if begun && err != nil {
		panic(http.ErrAbortHandler) // the client must not mistake a part for the whole
	}
	return err
}
