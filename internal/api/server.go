// Package api serves sessions over HTTP: lists, search, conversations, usage,
// live events, and the acts that change something.
//
// Create a Server with New and pass it to [net/http]; Listen opens the addresses
// it may listen on, and Run serves them until its context ends. Handlers decode
// the request, call a room and encode the answer; they decide nothing.
//
// All routes are below /api/v1 and, for clients of cli-bridge, also at the root.
// The routes below /projects/{project}/sessions exist for all projects below
// /sessions.
package api

import (
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"sesskeep/claudehome"
	"sesskeep/internal/access"
	"sesskeep/internal/app"
	"sesskeep/internal/bridge"
	"sesskeep/internal/money"
	"sesskeep/internal/runs"
	"sesskeep/internal/share"
)

// Options are the options of a Server.
type Options struct {
	App    *app.App
	Tokens *access.Store
	// Hosts are the names, HOST:PORT, that requests may use; all others are rejected. A
	// name without a port is valid with every port.
	Hosts []string
	// Proxies are those of Hosts under which a proxy may terminate TLS for the server.
	Proxies []string
	Trust   []Trust // networks whose peers need no token
	URL     string  // address of the server; empty if unknown
	Version string
	Managed string           // directory of the system's managed settings
	Alive   claudehome.Alive // reports whether a registered client runs
	Log     *slog.Logger     // nil logs nothing
	Now     func() time.Time // default: time.Now
	Stop    func()           // stops the server; nil if requests cannot
	Models  http.Handler     // answers models, see AskerOf; nil: they cannot ask
	Devices Reach            // address for devices
	Prices  *money.Prices    // what tokens cost; nil: the built-in prices
	// Runs starts clients; nil if the server starts none.
	Runs    *runs.Runs
	Places  runs.AllowedDirs // where runs may work
	Proxied bool             // requests can come through a proxy on this machine
	// Links are the links to shared pages. The server creates and shows them if ShareLinks.
	Links      *share.Store
	ShareLinks bool
	// Quiet is called when no request has come for a while; nil: nothing is.
	Quiet func()
}

// Server serves the API over HTTP.
type Server struct {
	opts      Options
	startedAt time.Time
	routes    *http.ServeMux
	doc       *huma.OpenAPI
	tries     access.Tries // failed attempts to guess a token
	rates     rates
	meter     meter
	streams   streams
	// writeTimeout is how long a client has to read what is sent.
	writeTimeout time.Duration
	logins       access.Codes[access.Grant]
	tickets      access.Codes[ticket]

	pairings access.Pairings
	quiet    quiet
	sockets  *bridge.Bridge // nil if the server starts no runs
}

// prefix is the path prefix of all routes.
const prefix = "/api/v1"

// New creates a Server.
func New(o Options) *Server {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	s := &Server{
		opts: o, startedAt: o.Now(), routes: http.NewServeMux(), writeTimeout: writeLimit,
		tries:   access.Tries{Most: 10, Per: time.Minute, Now: o.Now},
		logins:  access.Codes[access.Grant]{Life: codeLife, Now: o.Now},
		tickets: access.Codes[ticket]{Life: codeLife, Now: o.Now},

		pairings: access.Pairings{Life: pairingLife, Now: o.Now},
		quiet:    newQuiet(o.Quiet),
	}
	s.rates.now = o.Now
	if o.Runs != nil {
		s.sockets = bridge.New(bridge.Options{Runs: o.Runs, Host: socketHost{s}, Version: o.Version, Log: o.Log, Now: o.Now})
	}
	config := huma.DefaultConfig("sesskeep", o.Version)
	config.CreateHooks = nil // no $schema in answers
	config.DocsPath = ""     // the page would load scripts from other sites
	config.OpenAPIPath = prefix + "/openapi"
	config.SchemasPath = ""
	config.Components.Schemas = huma.NewMapRegistry("#/components/schemas/", schemaName)
	registerTypes(config.Components.Schemas)
	api := humago.New(s.routes, config)
	api.UseMiddleware(s.checkRole, knownCheck{s}.checkKnown)
	s.doc = api.OpenAPI()
	s.register(api)
	return s
}

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began := s.opts.Now()
	seen := &recorder{ResponseWriter: w, control: http.NewResponseController(w), timeout: s.writeTimeout}
	seen.extendDeadline()
	setHeaders(seen.Header())
	s.meter.running.Add(1)
	defer s.meter.running.Add(-1)
	s.quiet.disturb()
	defer s.quiet.disturb()
	if r, ok := s.guard(seen, r); ok {
		out := newBufferedWriter(seen, r)
		s.serve(out, r)
		out.finish()
	}
	took := s.opts.Now().Sub(began)
	s.meter.record(seen, took)
	s.opts.Log.Info("request", "method", r.Method, "path", loggedPath(r.URL.Path), "status", seen.status,
		"bytes", seen.bytes, "took", took.Round(time.Microsecond))
}

// serve passes a request to its route, or answers that there is none.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	to := s.route(r)
	if namesEveryProject(r) || hasDotSegments(to.URL.EscapedPath()) {
		writeProblem(w, r, noRoute(r)) // the router would redirect to something else
		return
	}
	if handle, pattern := s.routes.Handler(to); pattern == "" {
		refused := &routerReply{header: http.Header{}}
		handle.ServeHTTP(refused, to)
		writeProblem(w, r, refused.problem(w, r))
		return
	}
	s.routes.ServeHTTP(w, to)
}

// route maps the paths of cli-bridge and those for all projects to routes. A trailing
// slash is ignored.
func (s *Server) route(r *http.Request) *http.Request {
	path := r.URL.EscapedPath()
	if !isPage(r) {
		path = strings.TrimSuffix(path, "/")
	}
	if !hasOwnPrefix(path) {
		path = prefix + path
	}
	if rest, ok := strings.CutPrefix(path, prefix+"/sessions"); ok && (rest == "" || rest[0] == '/') && !acrossProjects(rest) {
		path = prefix + "/projects/" + everyProject + "/sessions" + rest
	}
	return withPath(r, escapeRootProject(path))
}

// escapeRootProject doubles the name of the project whose path is "/": the router takes a
// single escaped slash for the end of the path.
func escapeRootProject(path string) string {
	const project = prefix + "/projects/"
	rest, ok := strings.CutPrefix(path, project)
	if name, more, deeper := strings.Cut(rest, "/"); ok && strings.EqualFold(name, "%2F") {
		path = project + name + name
		if deeper {
			path += "/" + more
		}
	}
	return path
}

// hasOwnPrefix reports whether a path needs no prefix.
func hasOwnPrefix(path string) bool {
	for _, p := range []string{prefix, "/ui", strings.TrimSuffix(shared, "/")} {
		if rest, ok := strings.CutPrefix(path, p); ok && (rest == "" || rest[0] == '/') {
			return true
		}
	}
	return path == "/"
}

// recorder records the status and size of an answer, and gives up on clients that do not
// read it.
type recorder struct {
	http.ResponseWriter
	control *http.ResponseController
	timeout time.Duration
	status  int
	bytes   int64
}

// writeLimit is how long a client has to read what is sent before the server closes the
// connection, so that no client can keep a transcript open by not reading.
const writeLimit = 10 * time.Second

// extendDeadline gives the client the whole timeout from now.
func (r *recorder) extendDeadline() {
	_ = r.control.SetWriteDeadline(time.Now().Add(r.timeout)) // not every connection has a deadline
}

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.extendDeadline()
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(p []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	r.extendDeadline()
	n, err := r.ResponseWriter.Write(p)
	r.bytes += int64(n)
	return n, err
}

// Unwrap lets an [http.ResponseController] reach the writer below.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
