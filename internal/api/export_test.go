package api

import (
	"encoding/json"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"sesskeep/internal/access"
	"sesskeep/internal/runs"
)

// Hurry changes how long a reader has to take what is sent.
func (s *Server) Hurry(patience time.Duration) { s.writeTimeout = patience }

// MaxConns is how many connections a server has.
const MaxConns = maxConns

// Stream is a route that is not in the document.
type Stream struct {
	Method, Path string
	Role         access.Role
}

// Streams are all of them.
func Streams() (list []Stream) {
	for _, one := range (streamRoutes{new(Server)}).list() {
		list = append(list, Stream{one.method, prefix + one.path, one.role})
	}
	return list
}

// Types are those of the document, by the names it has for them.
func Types() map[string]reflect.Type {
	all := New(Options{Version: "1", Runs: &runs.Runs{}}).doc.Components.Schemas
	types := map[string]reflect.Type{}
	for name := range all.Map() {
		types[name] = all.TypeFromRef("#/components/schemas/" + name)
	}
	return types
}

// Undescribed lists what the document does not explain: types, fields and parameters
// without a description, operations without a sample, samples that do not fit.
func Undescribed() (list []string) {
	s := New(Options{Version: "1", Runs: &runs.Runs{}})
	all := s.doc.Components.Schemas
	for name, schema := range all.Map() {
		if schema.Description == "" {
			list = append(list, name+" has no description")
		}
		for field, p := range schema.Properties {
			if p.Description == "" {
				list = append(list, name+"."+field+" has no description: give the field a comment or a doc tag")
			}
		}
	}
	for path, item := range s.doc.Paths {
		for _, op := range []*huma.Operation{item.Get, item.Put, item.Post, item.Patch, item.Delete} {
			if op != nil {
				list = append(list, s.undescribed(path, op)...)
			}
		}
	}
	return list
}

func (s *Server) undescribed(path string, op *huma.Operation) (list []string) {
	for _, p := range op.Parameters {
		if p.Description == "" {
			list = append(list, op.OperationID+": the parameter "+p.Name+" has no description")
		}
	}
	contents := []map[string]*huma.MediaType{}
	if op.RequestBody != nil {
		contents = append(contents, op.RequestBody.Content)
	}
	for _, r := range op.Responses {
		contents = append(contents, r.Content)
	}
	for _, content := range contents {
		for kind, m := range content {
			if kind != "application/json" {
				continue
			}
			text, err := json.Marshal(m.Example)
			var value any
			if err != nil || m.Example == nil || json.Unmarshal(text, &value) != nil {
				list = append(list, op.Method+" "+path+" has no sample of "+kind)
				continue
			}
			var res huma.ValidateResult
			huma.Validate(s.doc.Components.Schemas, m.Schema, huma.NewPathBuffer([]byte{}, 0), huma.ModeReadFromServer, value, &res)
			for _, wrong := range res.Errors {
				list = append(list, op.Method+" "+path+": its sample does not fit: "+wrong.Error())
			}
		}
	}
	return list
}
