package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"sesskeep/internal/share"
)

// shared is the path of pages that are shared by a link. They are the only data that needs no
// token: the secret in the path is what lets a reader in.
const shared = "/shared/"

// isShared reports whether a request is for a shared page.
func isShared(r *http.Request) bool {
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) && strings.HasPrefix(r.URL.Path, shared)
}

// sharedPolicy is what a shared page may not do, besides what its own policy says. In a sandbox
// without an origin its script cannot reach the storage in which the dashboard has its token.
const sharedPolicy = "; frame-ancestors 'none'; sandbox allow-scripts"

// noSharedPage is the answer to every link that is not valid, whatever the reason.
const noSharedPage = "This link is not valid, or no longer.\nAsk the person who sent it for another one.\n"

// servePageOf answers with the page of a link.
func (s *Server) servePageOf(w http.ResponseWriter, r *http.Request) {
	file, size, policy, err := s.opts.Links.Open(r.PathValue("secret"))
	if err == nil && !s.opts.ShareLinks {
		err = errors.Join(share.ErrNoLink, file.Close())
	}
	if err != nil {
		s.refuseShared(w, r, err)
		return
	}
	defer file.Close()
	h := w.Header()
	h.Set("Content-Security-Policy", policy+sharedPolicy)
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Length", strconv.FormatInt(size, 10))
	h.Set("X-Redacted", "true")
	h.Set("X-Robots-Tag", "noindex, nofollow")
	if r.Method != http.MethodHead {
		_, _ = io.Copy(w, file) // a client that does not read has gone
	}
}

// refuseShared answers a link that is not valid. Guessing is limited as that of tokens is.
func (s *Server) refuseShared(w http.ResponseWriter, r *http.Request, err error) {
	if err.Error() != share.ErrNoLink.Error() {
		s.opts.Log.Warn("shared page", "problem", err)
	}
	status, text := http.StatusNotFound, noSharedPage
	if wait, tooMany := s.tries.Fail(callerOf(r.Context()).From); tooMany {
		status, text = http.StatusTooManyRequests, "Too many links that are not valid: try again later.\n"
		w.Header().Set("Retry-After", fmt.Sprint(rateLimited(wait).RetryAfter))
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = io.WriteString(w, text) // a client that does not read has gone
	}
}

// loggedPath is the path of a request without the secret of a link.
func loggedPath(path string) string {
	if i := strings.Index(strings.ToLower(path), shared); i >= 0 && len(path) > i+len(shared) {
		return path[:i+len(shared)] + "…"
	}
	return share.Without(path)
}

type hostKey struct{}

// withHost notes under which address a request came.
func withHost(ctx context.Context, r *http.Request) context.Context {
	return context.WithValue(ctx, hostKey{}, r)
}

// linkURL returns the address of a shared page: at the address under which the server was
// asked, or, on its socket, at the one that most others can reach.
func (s *Server) linkURL(ctx context.Context, secret string) string {
	base := s.opts.URL
	if OnlyHere(base) && s.opts.Devices.URL != "" {
		base = s.opts.Devices.URL
	}
	if r, ok := ctx.Value(hostKey{}).(*http.Request); ok && !bySocket(r) {
		base = scheme(r) + "://" + r.Host
		if hasHost(r, s.opts.Proxies) {
			base = "https://" + r.Host
		}
	}
	return strings.TrimSuffix(base, "/") + shared + secret
}

// OnlyHere reports whether only this machine reaches an address.
func OnlyHere(address string) bool {
	u, err := url.Parse(address)
	ip := net.ParseIP(u.Hostname())
	return err == nil && (u.Hostname() == "localhost" || ip != nil && ip.IsLoopback())
}
