package api

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"sesskeep/internal/query"

	"github.com/danielgtaylor/huma/v2"
)

// knownCheck rejects parameters and fields that an operation does not have.
type knownCheck struct{ *Server }

// checkKnown rejects a request with parameters or fields that its operation does not have.
// Ignoring them could do more than the client meant, such as delete permanently because
// dryRun was misspelled.
func (s knownCheck) checkKnown(ctx huma.Context, next func(huma.Context)) {
	r, w := unwrap(ctx)
	op := ctx.Operation()
	err := s.checkQuery(r, op)
	if err == nil {
		err = s.checkFields(r, op)
	}
	if err != nil {
		writeProblem(w, r, err)
		return
	}
	next(ctx)
}

// checkQuery rejects unknown parameters and ambiguous ones: pairs that cannot be decoded,
// repeated names, and booleans without a value.
func (s knownCheck) checkQuery(r *http.Request, op *huma.Operation) error {
	if r.URL.RawQuery == "" {
		return nil
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return invalid("query", "%s", clip(err.Error(), 80))
	}
	params := map[string]*huma.Param{}
	for _, p := range op.Parameters {
		if p.In == "query" {
			params[p.Name] = p
		}
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		p, values := params[name], query[name]
		switch {
		case p == nil:
			return s.unknownParameter(name, params, op)
		case len(values) > 1 && (p.Explode == nil || !*p.Explode):
			return invalid(name, "it is there %d times", len(values))
		case values[0] == "" && p.Schema.Type == huma.TypeBoolean:
			return invalid(name, "say true or false")
		}
	}
	return nil
}

func (s knownCheck) unknownParameter(name string, params map[string]*huma.Param, op *huma.Operation) error {
	if body := s.bodyOf(op); body != nil && body.Properties[name] != nil {
		return unknownProblem(name, "it is a field of the body here, not a parameter", "")
	}
	return unknownName("parameter", name, slices.Sorted(maps.Keys(params)))
}

// unknownName is the problem of a name that is not among the known ones.
func unknownName(kind, name string, known []string) error {
	takes := "it takes none"
	if len(known) > 0 {
		takes = "it takes " + strings.Join(known, ", ")
	}
	detail := "there is no such " + kind
	if near, ok := query.Nearest(name[strings.LastIndexByte(name, '.')+1:], known); ok {
		detail += "; did you mean " + near + "?"
	}
	return unknownProblem(name, detail, takes)
}

func unknownProblem(name, detail, hint string) *Problem {
	p := invalidField(clip(name, 80), detail)
	p.Hint = cmp.Or(hint, p.Hint)
	return p
}

// bodyOf returns the schema of an operation's body; nil if it has none.
func (s knownCheck) bodyOf(op *huma.Operation) *huma.Schema {
	if op.RequestBody == nil || op.RequestBody.Content["application/json"] == nil {
		return nil
	}
	return s.resolved(op.RequestBody.Content["application/json"].Schema)
}

func (s knownCheck) resolved(schema *huma.Schema) *huma.Schema {
	for schema != nil && schema.Ref != "" {
		schema = s.doc.Components.Schemas.SchemaFromRef(schema.Ref)
	}
	return schema
}

// checkFields rejects fields that the body of an operation does not have. A body that is
// not JSON is left to the decoder.
func (s knownCheck) checkFields(r *http.Request, op *huma.Operation) error {
	if r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return bodyError(err)
	}
	r.Body = io.NopCloser(bytes.NewReader(data))
	var value any
	if json.Unmarshal(data, &value) != nil {
		return nil
	}
	schema := s.bodyOf(op)
	if schema == nil {
		schema = &huma.Schema{Type: huma.TypeObject, AdditionalProperties: false}
	}
	name, among, found := s.unknownField(schema, value, "")
	if !found {
		return nil
	}
	if slices.ContainsFunc(op.Parameters, func(p *huma.Param) bool { return p.In == "query" && p.Name == name }) {
		return unknownProblem(name, "it is a parameter of the address here, not a field of the body", "")
	}
	return unknownName("field", name, among)
}

// bodyError is the problem of a body that cannot be read or is too long.
func bodyError(err error) error {
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return newProblem(http.StatusRequestEntityTooLarge, codeTooLarge, "the body is too large")
	}
	return invalid("body", "%v", err)
}

// unknownField finds a field that the schema does not have, and returns the fields that it
// has there.
func (s knownCheck) unknownField(schema *huma.Schema, value any, at string) (name string, among []string, found bool) {
	schema = s.resolved(schema)
	if schema == nil {
		return "", nil, false
	}
	if list, ok := value.([]any); ok && schema.Items != nil {
		for _, one := range list {
			if name, among, found = s.unknownField(schema.Items, one, at); found {
				return name, among, true
			}
		}
	}
	object, ok := value.(map[string]any)
	if !ok || schema.Properties == nil && schema.AdditionalProperties != false {
		return "", nil, false
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if below := schema.Properties[key]; below != nil {
			name, among, found = s.unknownField(below, object[key], at+key+".")
		} else if schema.AdditionalProperties == false {
			name, among, found = at+key, slices.Sorted(maps.Keys(schema.Properties)), true
		}
		if found {
			return name, among, true
		}
	}
	return "", nil, false
}
