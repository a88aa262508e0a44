package api

import (
	"net/http"
	"strconv"
	"strings"

	"sesskeep/internal/web"
)

// ui is where the dashboard lives.
const ui = "/ui/"

// registerPages serves the dashboard: files that hold no data, so that they need
// no token. They come with it, and are asked for by it, under its own policy.
func (s *Server) registerPages() {
	s.routes.HandleFunc("GET "+ui, servePage)
	s.routes.HandleFunc("GET /ui", toPage)
	s.routes.HandleFunc("GET /{$}", toPage)
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
	h.Set("Cache-Control", "no-cache") // ask, and be told that it is still good
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
		_, _ = w.Write(content) // who does not read it has gone
	}
}
