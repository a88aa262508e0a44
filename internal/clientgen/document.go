package clientgen

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// document is the part of an OpenAPI document that the generator reads.
type document struct {
	Paths      map[string]map[string]*operation `json:"paths"`
	Components struct {
		Schemas map[string]*schema `json:"schemas"`
	} `json:"components"`
}

type operation struct {
	ID          string      `json:"operationId"`
	Summary     string      `json:"summary"`
	Description string      `json:"description"`
	Parameters  []parameter `json:"parameters"`
	RequestBody *struct {
		Content map[string]content `json:"content"`
	} `json:"requestBody"`
	Responses map[string]struct {
		Content map[string]content `json:"content"`
	} `json:"responses"`

	method, path string
}

type parameter struct {
	Name        string  `json:"name"`
	In          string  `json:"in"`
	Description string  `json:"description"`
	Schema      *schema `json:"schema"`
}

type content struct {
	Schema *schema `json:"schema"`
}

type schema struct {
	Ref         string             `json:"$ref"`
	Type        types              `json:"type"`
	Format      string             `json:"format"`
	Description string             `json:"description"`
	Enum        []any              `json:"enum"`
	Items       *schema            `json:"items"`
	Properties  map[string]*schema `json:"properties"`
	Required    []string           `json:"required"`
	More        json.RawMessage    `json:"additionalProperties"`
}

// types is one type, or several; one of them may be null.
type types []string

func (t *types) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(data, []byte(`"`)) {
		*t = types{strings.Trim(string(data), `"`)}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(t))
}

// main returns the type that is not null.
func (t types) main() string {
	for _, one := range t {
		if one != "null" {
			return one
		}
	}
	return ""
}

func (t types) nullable() bool { return slices.Contains(t, "null") }

// ofAll ends the ids of operations that do for all projects what another does for one.
const ofAll = "OfAll"

// searchAll is the operation that the alias of searchProject for all projects repeats.
const searchAll = "search"

// operations returns the operations that become methods, by id. Those for all projects are
// the methods for one project, with an empty project.
func (d *document) operations() (list []*operation) {
	for path, methods := range d.Paths {
		for method, op := range methods {
			op.method, op.path = strings.ToUpper(method), path
			if !strings.HasSuffix(op.ID, ofAll) && op.ID != searchAll {
				list = append(list, op)
			}
		}
	}
	slices.SortFunc(list, func(a, b *operation) int { return strings.Compare(a.ID, b.ID) })
	return list
}

// in returns the parameters in the path or in the query, in the order of the document.
func (o *operation) in(location string) (list []parameter) {
	for _, p := range o.Parameters {
		if p.In == location {
			list = append(list, p)
		}
	}
	return list
}

// answer returns the media type of the response and its schema.
func (o *operation) answer() (kind string, s *schema) {
	for _, status := range []string{"200", "201"} {
		for kind, c := range o.Responses[status].Content {
			return kind, c.Schema
		}
	}
	return "", nil
}

// mayBeJob reports whether the operation can run in the background as a job.
func (o *operation) mayBeJob() bool {
	_, ok := o.Responses["202"]
	return ok
}

// body returns the schema of the request body, or nil.
func (o *operation) body() *schema {
	if o.RequestBody == nil {
		return nil
	}
	for _, c := range o.RequestBody.Content {
		return c.Schema
	}
	return nil
}

// fieldsOf returns the fields of a request body.
func (d *document) fieldsOf(s *schema) map[string]*schema {
	if s != nil && s.Ref != "" {
		s = d.Components.Schemas[s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]]
	}
	if s == nil {
		return nil
	}
	return s.Properties
}
