package clientgen

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// group is parameters that several operations share, as one type.
type group struct {
	name, doc string
	params    []string
}

// groups are those of a document. What chooses among sessions is whatever they are
// counted by, but for a text to search, which every operation has a word of its own
// for.
func (d *document) groups() []group {
	filter := group{name: "Filter", doc: "Filter chooses among sessions; what is empty chooses nothing."}
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
		name: "Paging", doc: "Paging chooses a page of a list: by Cursor, which is the Next of the page before, or by Offset.",
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

// shared writes the type of a group, with what the document says of its parameters.
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

// zeros are numbers that say something else by 0 than by nothing.
var zeros = strings.Fields("before after from")

// field is a parameter as a field of a struct.
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

// setting is the statement that sends a parameter where it is not empty.
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
func (g *generator) object(name string, s *schema) {
	g.line("\n// %s is %s as the API writes it.", name, article(name))
	if s.Type.main() != "object" || len(s.Properties) == 0 {
		g.line("type %s %s", name, g.typeOf(s, true))
		return
	}
	g.line("type %s struct {", name)
	for _, prop := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[prop]
		required := slices.Contains(s.Required, prop)
		kind, tag := g.typeOf(p, required), prop
		if !required {
			tag += ",omitempty"
			if kind == "time.Time" || strings.HasPrefix(kind, "[]") { // a list without rows is one
				tag = prop + ",omitzero"
			}
		}
		comment := ""
		if p.Description != "" {
			comment = " // " + p.Description
		}
		g.line("%s %s `json:%q`%s", fieldName(prop), kind, tag, comment)
	}
	g.line("}")
}

// fieldName is the name of a property. A Problem is an error, which has a method
// of that name.
func fieldName(property string) string {
	if property == "error" {
		return "Err"
	}
	return exported(property)
}

// article is a name in words, with its article.
func article(name string) string {
	var words []string
	for _, r := range name {
		if unicode.IsUpper(r) || len(words) == 0 {
			words = append(words, "")
		}
		words[len(words)-1] += string(unicode.ToLower(r))
	}
	text := strings.Join(words, " ")
	if strings.ContainsRune("aeiou", rune(text[0])) {
		return "an " + text
	}
	return "a " + text
}

// typeOf is the Go type of a schema. What may be left out and is no simple value is
// a pointer.
func (g *generator) typeOf(s *schema, required bool) string {
	if s.Ref != "" {
		name := exported(s.Ref[strings.LastIndexByte(s.Ref, '/')+1:])
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

// initials are words that Go writes in capitals.
var initials = map[string]string{"id": "ID", "url": "URL", "uuid": "UUID", "usd": "USD", "tz": "TZ", "pid": "PID", "json": "JSON", "api": "API", "ids": "IDs"}

// exported is a name of the document as Go exports it.
func exported(name string) string {
	var words []string
	lower := false // the last letter was
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
