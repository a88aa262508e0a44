package api

import (
	"fmt"
	"net/http"
	"path"
	"strings"

	"sesskeep/internal/errcode"
)

// routerReply captures the router's answer to a request without a route: the path does not
// exist, or not with this method.
type routerReply struct {
	header http.Header
	status int
}

func (f *routerReply) Header() http.Header         { return f.header }
func (f *routerReply) Write(p []byte) (int, error) { return len(p), nil }
func (f *routerReply) WriteHeader(status int)      { f.status = status }

// problem converts the answer to a problem, and sends the allowed methods in a header.
func (f *routerReply) problem(w http.ResponseWriter, r *http.Request) *Problem {
	allow := f.header.Get("Allow")
	if f.status != http.StatusMethodNotAllowed || allow == "" {
		return noRoute(r)
	}
	w.Header().Set("Allow", allow)
	p := newProblem(http.StatusMethodNotAllowed, codeMethod, fmt.Sprintf("%s is not served here", r.Method))
	p.Hint = "use " + allow
	return p
}

// noRoute is the problem of a path that does not exist.
func noRoute(r *http.Request) *Problem {
	p := newProblem(http.StatusNotFound, string(errcode.NotFound), fmt.Sprintf("there is no %s", clip(r.URL.Path, 80)))
	p.Hint = "GET " + prefix + "/openapi.json lists everything there is"
	return p
}

// hasDotSegments reports whether a path has dot segments or empty segments, which the
// router would clean up. Escaped ones are part of a name.
func hasDotSegments(escaped string) bool {
	straight := strings.TrimSuffix(escaped, "/")
	return straight != "" && path.Clean(straight) != straight
}
