package api

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"sesskeep/internal/access"
	"sesskeep/internal/ask"
)

// The limits of a request.
const (
	maxBody   = 1 << 20
	maxHeader = 16 << 10
)

// caller is the sender of a request.
type caller struct {
	Token string // id of the token; empty for a trusted peer
	Role  access.Role
	From  string // address of the peer
	// OtherUser is true if another user of this machine tries to exchange a code for a
	// token.
	OtherUser bool
	// Projects limit the caller to questions about them, at /mcp; nil: it is not limited.
	Projects []string
}

type callerKey struct{}

func callerOf(ctx context.Context) caller {
	c, _ := ctx.Value(callerKey{}).(caller)
	return c
}

// setHeaders sets the headers of every answer. None of them lets another origin read it.
func setHeaders(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

// guard lets a request pass, or answers it with a problem. The order of the checks
// matters: a request with a wrong host name causes no lookups, and a page of another
// origin cannot find out which tokens are valid.
func (s *Server) guard(w http.ResponseWriter, r *http.Request) (*http.Request, bool) {
	var who caller
	for _, check := range []func(http.ResponseWriter, *http.Request, *caller) error{
		checkMethod, s.checkHost, s.checkOrigin, s.checkToken, checkLimit, s.checkRate, checkBody,
	} {
		if err := check(w, r, &who); err != nil {
			writeProblem(w, r, err)
			return r, false
		}
	}
	ctx := ask.WithRequest(withHost(r.Context(), r), time.Now())
	return r.WithContext(context.WithValue(ctx, callerKey{}, who)), true
}

func checkMethod(w http.ResponseWriter, r *http.Request, _ *caller) error {
	if slices.Contains([]string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"}, r.Method) {
		return nil
	}
	const allow = "GET, HEAD, POST, PUT, PATCH, DELETE"
	w.Header().Set("Allow", allow)
	p := newProblem(http.StatusMethodNotAllowed, codeMethod, "this method is not supported")
	p.Hint = "use one of " + allow
	return p
}

// checkHost rejects a request for a host name that is not the server's. Otherwise DNS
// rebinding would give a foreign page this server's origin.
func (s *Server) checkHost(_ http.ResponseWriter, r *http.Request, _ *caller) error {
	if hasHost(r, s.opts.Hosts) || strings.EqualFold(r.Host, SocketHost) && bySocket(r) {
		return nil
	}
	p := newProblem(http.StatusForbidden, "host", fmt.Sprintf("this server is not called %q", clip(r.Host, 100)))
	p.Hint = "ask it under the address it listens on, or start it with --allow-host " + hintHost(r.Host)
	return p
}

// hasHost reports whether a request is for one of the names.
func hasHost(r *http.Request, names []string) bool {
	host := strings.ToLower(r.Host)
	if host == "" {
		return false
	}
	full := host // with the default port of the scheme
	if _, _, err := net.SplitHostPort(host); err != nil {
		full = host + ":" + usualPort[scheme(r)]
	}
	return slices.ContainsFunc(names, func(name string) bool {
		if _, _, err := net.SplitHostPort(name); err == nil {
			return full == name || wildcardCovers(name, full)
		}
		bare, _, err := net.SplitHostPort(host)
		return host == name || err == nil && (bare == name || "["+bare+"]" == name)
	})
}

// wildcardCovers reports whether a certificate name with a leading star covers a host: the
// star stands for one label.
func wildcardCovers(name, host string) bool {
	rest, star := strings.CutPrefix(name, "*")
	label, ok := strings.CutSuffix(host, rest)
	return star && ok && label != "" && !strings.Contains(label, ".")
}

// usualPort is the default port of each scheme, which browsers leave out.
var usualPort = map[string]string{"http": "80", "https": "443"}

// scheme returns the URL scheme of a request.
func scheme(r *http.Request) string {
	if r.TLS != nil {
		return "https"
	}
	return "http"
}

// bySocket reports whether a request came through this user's socket.
func bySocket(r *http.Request) bool {
	here, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return ok && here.Network() == "unix"
}

// checkOrigin rejects requests from pages of another origin. Browsers send the origin;
// programs do not. The scheme is part of it: a page that was loaded over TLS did not come
// from a server without TLS, unless a proxy terminates it.
func (s *Server) checkOrigin(_ http.ResponseWriter, r *http.Request, _ *caller) error {
	foreign := newProblem(http.StatusForbidden, codeOrigin, "pages of other origins may not ask this server")
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		// A link on another site may lead to the page, which contains no data, and to one
		// that is shared. Neither can be framed.
		if !((isPage(r) || isShared(r)) && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document") {
			return foreign
		}
	}
	origins := r.Header.Values("Origin")
	if len(origins) == 0 {
		return nil
	}
	u, err := url.Parse(origins[0])
	if len(origins) > 1 || err != nil || !strings.EqualFold(u.Host, r.Host) {
		return foreign
	}
	if u.Scheme == scheme(r) || u.Scheme == "https" && (s.opts.Proxied || hasHost(r, s.opts.Proxies)) {
		return nil
	}
	return foreign
}

// isPage reports whether a request is for the static files of the dashboard.
func isPage(r *http.Request) bool {
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) && (r.URL.Path == "/" || r.URL.Path == "/ui" || strings.HasPrefix(r.URL.Path, "/ui/"))
}

// needsNoToken reports whether a request needs no token.
func needsNoToken(r *http.Request) bool {
	path := strings.TrimPrefix(r.URL.Path, prefix)
	exchange := isLogin(r) || r.Method == http.MethodPost && path == "/pair"
	return isPage(r) || isShared(r) || path == "/healthz" && r.Method != http.MethodPost || exchange
}

// isLogin reports whether a request exchanges a code for a token.
func isLogin(r *http.Request) bool {
	return r.Method == http.MethodPost && strings.TrimPrefix(r.URL.Path, prefix) == "/login"
}

func (s *Server) checkToken(w http.ResponseWriter, r *http.Request, who *caller) error {
	who.From = source(r)
	if needsNoToken(r) {
		// Behind a proxy on this machine, the peer is the proxy and not the sender.
		who.OtherUser = isLogin(r) && !s.opts.Proxied && fromOtherUser(r)
		return nil
	}
	secret, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if bearer {
		if t, ok := s.opts.Tokens.Check(strings.TrimSpace(secret)); ok {
			who.Token, who.Role, who.Projects = t.ID, t.Role, t.Projects
			s.opts.Tokens.NoteUse(t.ID)
			return nil
		}
	}
	if has, ok := s.ticketOwner(r); ok {
		who.Token, who.Role = has.Token, has.Role
		return nil
	}
	// Clients of cli-bridge also send a token, which is not one of ours.
	if role, ok := s.trusted(r); ok {
		who.Role = role
		return nil
	}
	if sameUser(r) {
		who.Token, who.Role = access.LocalID, access.Operate
		return nil
	}
	if bearer || r.URL.Query().Has(ticketKey) {
		if wait, tooMany := s.tries.Fail(who.From); tooMany {
			return tooManyRequests(w, wait)
		}
	}
	w.Header().Set("WWW-Authenticate", "Bearer")
	p := newProblem(http.StatusUnauthorized, "unauthorized", "a token is needed")
	if bearer {
		p = newProblem(http.StatusUnauthorized, "unauthorized", "the token is not valid, or no longer")
	}
	p.Hint = `send "Authorization: Bearer TOKEN"; "sesskeep token create" makes one`
	return p
}

// checkLimit keeps a token that is limited to projects from everything but questions, which
// are the only answers that know such a limit.
func checkLimit(_ http.ResponseWriter, r *http.Request, who *caller) error {
	if who.Projects == nil || strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, prefix), "/") == mcpPath {
		return nil
	}
	p := newProblem(http.StatusForbidden, "forbidden", "the token is limited to projects, and only for "+mcpPath)
	p.Hint = `"sesskeep token create" without --project makes one for everything`
	return p
}

// source returns the address of the peer, without the port.
func source(r *http.Request) string {
	if addr, err := netip.ParseAddrPort(r.RemoteAddr); err == nil {
		return addr.Addr().Unmap().String()
	}
	return "local"
}

func (s *Server) checkRate(w http.ResponseWriter, r *http.Request, who *caller) error {
	if wait := s.rates.spend(who.Token + " " + who.From); wait > 0 {
		return tooManyRequests(w, wait)
	}
	return nil
}

func tooManyRequests(w http.ResponseWriter, wait time.Duration) error {
	p := rateLimited(wait)
	w.Header().Set("Retry-After", fmt.Sprint(p.RetryAfter))
	return p
}

// rateLimited is the problem of a caller who has to wait.
func rateLimited(wait time.Duration) *Problem {
	seconds := max(1, int((wait+time.Second-1)/time.Second))
	p := newProblem(http.StatusTooManyRequests, "rate_limited", "too many requests")
	p.Hint = fmt.Sprintf("try again in %d s", seconds)
	p.RetryAfter = seconds
	return p
}

// checkBody accepts only a small JSON body, which a form of another origin cannot send.
func checkBody(w http.ResponseWriter, r *http.Request, _ *caller) error {
	if r.ContentLength == 0 || r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	kind = strings.ToLower(strings.TrimSpace(kind))
	if isUpload(r) {
		return checkUpload(w, r, kind)
	}
	if kind != "application/json" {
		p := newProblem(http.StatusUnsupportedMediaType, "media_type", "the body has to be JSON")
		p.Hint = "send Content-Type: application/json"
		return p
	}
	if r.ContentLength > maxBody {
		return newProblem(http.StatusRequestEntityTooLarge, codeTooLarge, fmt.Sprintf("the body is larger than %d bytes", maxBody))
	}
	limitBody(w, r, maxBody, bodyTime)
	return nil
}

// limitBody limits how long a body is, and how long a client has to send it.
func limitBody(w http.ResponseWriter, r *http.Request, most int64, limit time.Duration) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(limit))
	r.Body = &sentBody{http.MaxBytesReader(w, r.Body, most), control}
}

// bodyTime is how long a client has to send a body.
const bodyTime = 5 * time.Second

// sentBody is the body of a request. The time to send it ends with it: the connection is
// still read, to notice a client that goes away, and the request would be canceled if that
// ran out of time while it is worked on.
type sentBody struct {
	io.ReadCloser
	control *http.ResponseController
}

func (b *sentBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil { // all of it is here, or it is broken
		_ = b.control.SetReadDeadline(time.Time{})
	}
	return n, err
}

// roleOf is the metadata key of the role that an operation needs.
const roleOf = "role"

// checkRole rejects callers whose role does not allow the operation. An operation without
// a role needs the highest one.
func (s *Server) checkRole(ctx huma.Context, next func(huma.Context)) {
	needed, ok := ctx.Operation().Metadata[roleOf].(access.Role)
	if !ok {
		needed = access.Operate
	}
	if err := checkAllowed(callerOf(ctx.Context()), needed); err != nil {
		r, w := unwrap(ctx)
		writeProblem(w, r, err)
		return
	}
	next(ctx)
}

// anybody is the role of operations that need no token.
const anybody access.Role = "anybody"

func checkAllowed(who caller, needed access.Role) error {
	if needed == anybody || who.Role.Allows(needed) {
		return nil
	}
	p := newProblem(http.StatusForbidden, "forbidden", fmt.Sprintf("this needs the role %s; the token has %s", needed, who.Role))
	p.Hint = fmt.Sprintf(`"sesskeep token create --role %s" makes one that may`, needed)
	return p
}
