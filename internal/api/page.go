package api

import (
	"net/http"
	"strconv"
	"strings"

	"sesskeep/internal/web"
)

// ui is the path of the dashboard.
const ui = "/ui/"

// registerPages serves the dashboard: static files without data, which therefore need no
// token. They have a content security policy of their own.
func (s *Server) registerPages() {
	s.routes.HandleFunc("GET "+ui, servePage)
	s.routes.HandleFunc("GET /ui", toPage)
	s.routes.HandleFunc("GET /{$}", toPage)
	s.routes.HandleFunc("GET "+shared+"{secret}", s.servePageOf)
}

func toPage(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Location", ui)
	w.WriteHeader(http.StatusFound)
}

func servePage(w http.ResponseWriter, r *http.Request) {
	file, ok := web.Open(strings.TrimPrefix(r.URL.Path, ui))
	if !ok {
		p := newProblem(http.StatusNotFound, codeOf(http.StatusNotFound), "the dashboard has no such file")
		p.Hint = "reload the page: the program was replaced by another version"
		writeProblem(w, r, p)
		return
	}
	h := w.Header()
	h.Set("Content-Security-Policy", web.Policy)
	h.Set("Content-Type", file.Kind)
	h.Set("ETag", file.Tag)
	h.Set("Vary", "Accept-Encoding")
	h.Set("Cache-Control", "no-cache") // revalidate on every request
	if file.Lasting {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if matches(r.Header.Get("If-None-Match"), file.Tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	content := file.Content
	if packed := file.Gzip(); packed != nil && takesGzip(r.Header.Get("Accept-Encoding")) {
		h.Set("Content-Encoding", "gzip")
		content = packed
	}
	h.Set("Content-Length", strconv.Itoa(len(content)))
	if r.Method != http.MethodHead {
		_, _ = w.Write(content) // a client that does not read has gone
	}
}
