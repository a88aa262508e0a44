package api

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"sesskeep/internal/access"
)

// everyProject stands for all projects in a route. No directory, path or short name looks
// like that.
const everyProject = "*"

// namesEveryProject reports whether a request itself uses everyProject, which is not a
// name of a project.
func namesEveryProject(r *http.Request) bool {
	path := strings.TrimPrefix(r.URL.Path, prefix)
	return path == "/projects/"+everyProject || strings.HasPrefix(path, "/projects/"+everyProject+"/")
}

// acrossProjects reports whether a path below /sessions has no counterpart for one
// project.
func acrossProjects(rest string) bool {
	return rest == "/recent"
}

// withPath returns the request with another, escaped path.
func withPath(r *http.Request, to string) *http.Request {
	if to == r.URL.EscapedPath() {
		return r
	}
	plain, err := url.PathUnescape(to)
	if err != nil {
		return r
	}
	next := new(http.Request)
	*next = *r
	u := *r.URL
	u.Path, u.RawPath = plain, to
	next.URL = &u
	return next
}

// routeInfo documents a route and names the role that it needs.
type routeInfo struct {
	id   string // operation id
	sum  string // summary, in one line
	more string // description; may be empty
	role access.Role
	tag  string
	// status is that of the answer; 0: 200.
	status int
}

// add registers an operation.
func add[I, O any](api huma.API, method, path string, w routeInfo, handle func(context.Context, *I) (*O, error)) {
	op := huma.Operation{
		OperationID: w.id, Method: method, Path: prefix + path, Summary: w.sum, Description: w.more, Tags: []string{w.tag},
		DefaultStatus: w.status, Metadata: map[string]any{roleOf: w.role}, MaxBodyBytes: maxBody, BodyReadTimeout: -1, // see sentBody
		Errors: []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusConflict, http.StatusTooManyRequests},
	}
	if _, ok := any(*new(O)).(interface{ mayBeJob() }); ok {
		addJobResponse(api, &op)
	}
	if _, ok := any(new(I)).(chooses); ok {
		op.Parameters = plainParameters()
	}
	if w.role != anybody {
		op.Security = []map[string][]string{{"token": {string(w.role)}}}
	}
	huma.Register(api, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := handle(ctx, in)
		if err != nil {
			return nil, problemOf(err)
		}
		return out, nil
	})
}

func get[I, O any](api huma.API, path string, w routeInfo, handle func(context.Context, *I) (*O, error)) {
	add(api, http.MethodGet, path, w, handle)
}

func post[I, O any](api huma.API, path string, w routeInfo, handle func(context.Context, *I) (*O, error)) {
	add(api, http.MethodPost, path, w, handle)
}

// unwrap returns the request and the response writer of net/http.
func unwrap(ctx huma.Context) (*http.Request, http.ResponseWriter) { return humago.Unwrap(ctx) }

// body is a JSON answer.
type body[T any] struct{ Body T }

func answer[T any](value T) *body[T] { return &body[T]{value} }

// noInput is the input of operations without parameters.
type noInput struct{}

// clip shortens text of a client before it is shown.
func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// hintHost returns a host name for the flag in a hint, or NAME if it does not look like
// one.
func hintHost(host string) string {
	name, _, _ := strings.Cut(strings.ToLower(host), ":")
	for _, c := range name {
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '.' || c == '-') {
			return "NAME"
		}
	}
	if name == "" || len(name) > 100 {
		return "NAME"
	}
	return name
}

// register registers all routes.
func (s *Server) register(api huma.API) {
	s.doc.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"token": {Type: "http", Scheme: "bearer", Description: "A token; sesskeep token create makes one. Its role is named as a scope."},
	}
	healthRoutes{s}.register(api)
	projectRoutes{s}.register(api)
	sessionRoutes{s}.register(api)
	searchRoutes{s}.register(api)
	usageRoutes{s}.register(api)
	sqlRoutes{s}.register(api)
	insightRoutes{s}.register(api)
	conversationRoutes{s}.register(api)
	homeRoutes{s}.register(api)
	fileRoutes{s}.register(api)
	manageRoutes{s}.register(api)
	keepRoutes{s}.register(api)
	mendRoutes{s}.register(api)
	jobRoutes{s}.register(api)
	activityRoutes{s}.register(api)
	tokenRoutes{s}.register(api)
	linkRoutes{s}.register(api)
	ticketRoutes{s}.register(api)
	pairRoutes{s}.register(api)
	runRoutes{s}.register(api)
	agentRoutes{s}.register(api)
	socketRoute{s}.register()
	streamRoutes{s}.register()
	modelRoute{s}.register()
	s.registerPages()
	document{s}.complete()
	addAliases(s.doc)
}

// schemaName returns the name of a type in the document. It includes the package, because
// several packages have types of the same name.
func schemaName(t reflect.Type, hint string) string {
	name := huma.DefaultSchemaNamer(t, hint)
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	switch pkg := path.Base(t.PkgPath()); pkg {
	case ".", "acts", "api", "app", "board", "catalog", "health", "history", "insight", "jobs", "keeping", "manage", "relocate", "runs", "setup", "share", "talk", "transfer", "timeline", "trash", "versions", "views":
		return name
	case "ask": // published under the name of the engine that once answered
		return "Index" + name
	default:
		return strings.ToUpper(pkg[:1]) + pkg[1:] + name
	}
}

// addAliases adds to the document the routes for all projects that mirror those for one
// project.
func addAliases(doc *huma.OpenAPI) {
	of := prefix + "/projects/{project}"
	for path, item := range maps.Clone(doc.Paths) {
		rest, ok := strings.CutPrefix(path, of+"/sessions")
		if !ok || doc.Paths[prefix+"/sessions"+rest] != nil {
			continue
		}
		doc.Paths[prefix+"/sessions"+rest] = &huma.PathItem{
			Get: withoutProject(item.Get), Put: withoutProject(item.Put), Post: withoutProject(item.Post), Delete: withoutProject(item.Delete), Patch: withoutProject(item.Patch),
		}
	}
}

// withoutProject returns an operation without its project parameter.
func withoutProject(op *huma.Operation) *huma.Operation {
	if op == nil {
		return nil
	}
	all := *op
	all.OperationID += "OfAll"
	all.Parameters = slices.DeleteFunc(slices.Clone(op.Parameters), func(p *huma.Param) bool { return p.In == "path" && p.Name == "project" })
	return &all
}
