// Package api serves sessions over HTTP: lists, search, conversations, usage,
// live events, and the acts that change something.
//
// Make a Server with New and hand it to [net/http]; Listen opens the addresses
// it may listen on and Run serves them until its context ends. Handlers decode,
// call app and encode; they decide nothing.
//
// Everything lives under /api/v1, and once more at the root, where clients of
// cli-bridge look for it. What is asked of one project at
// /projects/{project}/sessions is asked of all of them at /sessions.
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
	"sesskeep/internal/runs"
)

// Options say what to serve, and to whom.
type Options struct {
	App    *app.App
	Tokens *access.Store
	// Hosts are the names, HOST:PORT, under which the server is asked; any other
	// is refused. One without a port goes with every port.
	Hosts []string
	// Proxies are those of Hosts under which a proxy may speak TLS for the server.
	Proxies []string
	Trust   []Trust // networks whose peers need no token
	URL     string  // where it is asked; empty: nobody knows
	Version string
	Managed string           // directory of the system's managed settings
	Alive   claudehome.Alive // tells whether a registered client runs
	Log     *slog.Logger     // nil: nothing is logged
	Now     func() time.Time // nil: time.Now
	Stop    func()           // ends the server; nil: requests cannot
	Devices Reach            // where devices reach it
	// Runs starts clients; nil: nobody can.
	Runs    *runs.Runs
	Places  runs.Places // where it may
	Proxied bool        // whoever asks may be behind a proxy on this machine
}

// Server answers requests.
type Server struct {
	opts      Options
	startedAt time.Time
	routes    *http.ServeMux
	doc       *huma.OpenAPI
	tries     access.Tries // to guess a token
	rates     rates
	meter     meter
	streams   streams
	// writeTimeout is how long a reader has to take what is sent.
	writeTimeout time.Duration
	logins       access.Codes[access.Grant]
	tickets      access.Codes[ticket]

	pairings access.Pairings
}

// prefix is where everything lives.
const prefix = "/api/v1"

// New makes a Server.
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
	}
	s.rates.now = o.Now
	config := huma.DefaultConfig("sesskeep", o.Version)
	config.CreateHooks = nil // no $schema in answers
	config.DocsPath = ""     // it would load scripts from elsewhere
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

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began := s.opts.Now()
	seen := &recorder{ResponseWriter: w, control: http.NewResponseController(w), timeout: s.writeTimeout}
	seen.extendDeadline()
	setHeaders(seen.Header())
	s.meter.running.Add(1)
	defer s.meter.running.Add(-1)
	if r, ok := s.guard(seen, r); ok {
		out := newBufferedWriter(seen, r)
		s.serve(out, r)
		out.finish()
	}
	took := s.opts.Now().Sub(began)
	s.meter.record(seen, took)
	s.opts.Log.Info("request", "method", r.Method, "path", r.URL.Path, "status", seen.status,
		"bytes", seen.bytes, "took", took.Round(time.Microsecond))
}

// serve hands a request to its route, and answers for those that have none.
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

// route finds what is asked for where clients of cli-bridge look for it, and
// what is asked of all projects. A slash at the end says nothing.
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

// escapeRootProject doubles the name of the project that is the root of the file system: the
// router takes an escaped slash that stands alone for the end of a path.
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

// hasOwnPrefix reports whether a path means what it says.
func hasOwnPrefix(path string) bool {
	for _, p := range []string{prefix, "/ui"} {
		if rest, ok := strings.CutPrefix(path, p); ok && (rest == "" || rest[0] == '/') {
			return true
		}
	}
	return path == "/"
}

// recorder notes what was answered, and waits for nobody who does not read it.
type recorder struct {
	http.ResponseWriter
	control *http.ResponseController
	timeout time.Duration
	status  int
	bytes   int64
}

// writeLimit is how long a reader has to take what is sent before it is let go of:
// nobody holds a transcript open by reading none of it.
const writeLimit = 10 * time.Second

// extendDeadline gives the reader so long from now on.
func (r *recorder) extendDeadline() {
	_ = r.control.SetWriteDeadline(time.Now().Add(r.timeout)) // not every connection has one
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

// Unwrap lets a [http.ResponseController] reach what is below.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
