package clientgen

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// group is a set of parameters that several operations share, which becomes one type.
type group struct {
	name, doc string
	params    []string
}

// groups returns the groups of a document. The filter has the parameters of countSessions,
// except q: operations describe that one differently.
func (d *document) groups() []group {
	filter := group{name: "Filter", doc: "Filter selects sessions by all of its non-empty fields."}
	for _, op := range d.operations() {
		if op.ID == "countSessions" {
			for _, p := range op.in("query") {
				if p.Name != "q" {
					filter.params = append(filter.params, p.Name)
				}
			}
		}
	}
	return []group{filter, {
		name: "Paging", doc: "Paging selects a page of a list: by Cursor, the Next of the previous page, or by Offset.",
		params: []string{"limit", "offset", "cursor"},
	}}
}

// partOf reports whether a query has all parameters of the group.
func (s group) partOf(query []parameter) bool {
	for _, name := range s.params {
		if !slices.ContainsFunc(query, func(p parameter) bool { return p.Name == name }) {
			return false
		}
	}
	return true
}

// shared writes the type of a group, with the descriptions of its parameters.
func (g *generator) shared(s group, d *document) {
	for _, op := range d.operations() {
		query := op.in("query")
		if !s.partOf(query) {
			continue
		}
		var sets []string
		g.line("\n// %s", s.doc)
		g.line("type %s struct {", s.name)
		for _, p := range query {
			if slices.Contains(s.params, p.Name) {
				g.line("%s", field(p))
				sets = append(sets, setting(p))
			}
		}
		g.line("}\n\nfunc (o %s) set(q url.Values) {\n%s\n}", s.name, strings.Join(sets, "\n"))
		return
	}
}

// zeros are numeric parameters for which 0 differs from a missing value.
var zeros = strings.Fields("before after from")

// field returns a parameter as a field of a struct.
func field(p parameter) string {
	text := exported(p.Name) + " " + kindOf(p)
	if p.Description != "" {
		text += " // " + p.Description
	}
	return text
}

func kindOf(p parameter) string {
	kind := ""
	if p.Schema != nil {
		kind = p.Schema.Type.main()
	}
	switch {
	case kind == "boolean":
		return "bool"
	case kind == "integer" && slices.Contains(zeros, p.Name):
		return "*int"
	case kind == "integer":
		return "int"
	}
	return "string"
}

// setting returns the statement that adds a non-empty parameter to the query.
func setting(p parameter) string {
	name := "o." + exported(p.Name)
	switch kindOf(p) {
	case "bool":
		return fmt.Sprintf("if %s {\nq.Set(%q, \"true\")\n}", name, p.Name)
	case "*int":
		return fmt.Sprintf("if %s != nil {\nq.Set(%q, strconv.Itoa(*%s))\n}", name, p.Name, name)
	case "int":
		return fmt.Sprintf("if %s != 0 {\nq.Set(%q, strconv.Itoa(%s))\n}", name, p.Name, name)
	}
	return fmt.Sprintf("if %s != \"\" {\nq.Set(%q, %s)\n}", name, p.Name, name)
}

// object writes the type of a schema.
func (g *generator) object(schemaName string, d *document) {
	name, s := g.names[schemaName], d.Components.Schemas[schemaName]
	g.line("\n// %s", g.describe(schemaName, d))
	if s.Type.main() != "object" || len(s.Properties) == 0 {
		g.line("type %s %s", name, g.typeOf(s, true))
		return
	}
	g.line("type %s struct {", name)
	for _, prop := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[prop]
		required := slices.Contains(s.Required, prop)
		kind, tag := g.typeOf(p, required), prop
		if len(p.Enum) > 1 && p.Type.main() == "string" {
			kind = g.enumOf(name, prop, p)
		}
		if !required {
			tag += ",omitempty"
			if kind == "time.Time" || strings.HasPrefix(kind, "[]") { // an empty list is sent
				tag = prop + ",omitzero"
			}
		}
		comment := ""
		if p.Description != "" {
			comment = " // " + p.Description
		}
		g.line("%s %s `json:%q`%s", fieldName(prop), kind, tag, comment)
	}
	for _, line := range added[schemaName] {
		g.line("%s", line)
	}
	g.line("}")
}

// added are fields that the client fills itself: in the stream, the data of an event "run"
// or "inbox" is the run or the inbox.
var added = map[string][]string{"Event": {
	"\n// Run is set by an event of kind EventKindRun: the run that changed.\nRun *Run `json:\"-\"`",
	"// Inbox is set by an event of kind EventKindInbox: all open questions.\nInbox *InboxPage `json:\"-\"`",
}}

// fieldName returns the Go name of a property. Problem has a method Error, so its property
// error gets another name.
func fieldName(property string) string {
	if property == "error" {
		return "Err"
	}
	return exported(property)
}

// typeOf returns the Go type of a schema. Objects that may be missing are pointers.
func (g *generator) typeOf(s *schema, required bool) string {
	if s.Ref != "" {
		name := g.names[s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]]
		if required {
			return name
		}
		return "*" + name
	}
	pointer := ""
	if s.Type.nullable() {
		pointer = "*"
	}
	switch s.Type.main() {
	case "string":
		if s.Format == "date-time" {
			return pointer + "time.Time"
		}
		return pointer + "string"
	case "integer":
		return pointer + "int64"
	case "number":
		return pointer + "float64"
	case "boolean":
		return pointer + "bool"
	case "array":
		return "[]" + g.typeOf(s.Items, true)
	case "object":
		var more schema
		if json.Unmarshal(s.More, &more) == nil {
			return "map[string]" + g.typeOf(&more, true)
		}
	}
	return "json.RawMessage"
}

// initials are words that Go names have in capitals.
var initials = map[string]string{"id": "ID", "url": "URL", "uuid": "UUID", "usd": "USD", "tz": "TZ", "pid": "PID", "json": "JSON", "api": "API", "ids": "IDs"}

// exported returns a name of the document as an exported Go name.
func exported(name string) string {
	var words []string
	lower := false // whether the last letter was lower case
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			lower = false
			words = append(words, "")
			continue
		case len(words) == 0, lower && unicode.IsUpper(r):
			words = append(words, "")
		}
		words[len(words)-1] += string(r)
		lower = !unicode.IsUpper(r)
	}
	for i, w := range words {
		if capital, ok := initials[strings.ToLower(w)]; ok {
			words[i] = capital
		} else if w != "" {
			words[i] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return strings.Join(words, "")
}
