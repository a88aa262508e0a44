// Package clientgen writes the methods and types of package client out of the
// OpenAPI document, so that the two cannot differ.
//
// Every operation becomes a method: the parameters of its path are arguments, those
// of its query a struct whose zero value asks for nothing in particular. What all
// lists share, a filter and a page, is one type each. An answer that is not JSON is
// a stream.
package clientgen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/format"
	"maps"
	"slices"
	"strings"
)

// Generate writes the Go file for a document.
func Generate(doc []byte) ([]byte, error) {
	var d document
	if err := json.Unmarshal(doc, &d); err != nil {
		return nil, fmt.Errorf("read the document: %w", err)
	}
	g := &generator{groups: d.groups()}
	g.line("// Code generated from the OpenAPI document by internal/clientgen; \"make client-go\" does it again. DO NOT EDIT.")
	g.line("")
	g.line("package client")
	g.line("")
	g.line("import (\n\"context\"\n\"encoding/json\"\n\"io\"\n\"net/http\"\n\"net/url\"\n\"strconv\"\n\"time\"\n)")
	for _, s := range g.groups {
		g.shared(s, &d)
	}
	for _, op := range d.operations() {
		if err := g.method(op, &d); err != nil {
			return nil, fmt.Errorf("%s: %w", op.ID, err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(d.Components.Schemas)) {
		g.object(exported(name), d.Components.Schemas[name])
	}
	out, err := format.Source(g.out.Bytes())
	if err != nil {
		return nil, fmt.Errorf("format what was generated: %w", err)
	}
	return out, nil
}

type generator struct {
	out    bytes.Buffer
	groups []group
}

func (g *generator) line(form string, args ...any) { fmt.Fprintf(&g.out, form+"\n", args...) }

// comment writes what a name means.
func (g *generator) comment(name, text, more string) {
	text = strings.TrimSuffix(text, ".")
	if text != "" && name != "" {
		text = name + ": " + strings.ToLower(text[:1]) + text[1:]
	}
	if text != "" {
		g.line("// %s.", text)
	}
	if more != "" {
		g.line("//\n// %s", more)
	}
}

// method writes the method of an operation, and its options.
func (g *generator) method(op *operation, d *document) error {
	name := exported(op.ID)
	args, path := pathOf(op)
	query := op.in("query")
	inBody := d.fieldsOf(op.body())
	query = slices.DeleteFunc(query, func(p parameter) bool {
		return op.mayBeJob() && p.Name == async || inBody[p.Name] != nil // once is enough
	})
	if len(query) > 0 {
		g.options(name, query)
		args = append(args, "o "+name+"Options")
	}
	body := "nil"
	if s := op.body(); s != nil {
		kind := "any"
		if s.Ref != "" {
			kind = g.typeOf(s, true)
		}
		args, body = append(args, "body "+kind), "body"
	}
	kind, s := op.answer()
	values := "nil"
	if len(query) > 0 {
		values = "o.values()"
	}
	arguments := strings.Join(append([]string{"ctx context.Context"}, args...), ", ")
	g.line("")
	g.comment(name, op.Summary, op.Description)
	switch {
	case s == nil:
		return fmt.Errorf("the document describes no answer")
	case kind != "application/json":
		g.line("func (c *Client) %s(%s) (io.ReadCloser, error) {", name, arguments)
		g.line("return c.stream(ctx, http.Method%s, %s, %s)\n}", methodName(op.method), path, values)
	default:
		out := g.typeOf(s, true)
		g.line("func (c *Client) %s(%s) (*%s, error) {", name, arguments, out)
		g.line("return ask[%s](ctx, c, http.Method%s, %s, %s, %s)\n}", out, methodName(op.method), path, values, body)
	}
	if op.mayBeJob() {
		g.line("")
		g.line("// %sJob begins what %s does, and does not wait for it: see Wait. In the end the", name, name)
		g.line("// result of the job is what %s returns.", name)
		g.line("func (c *Client) %sJob(%s) (*Job, error) {", name, arguments)
		g.line("return ask[Job](ctx, c, http.Method%s, %s, asJob(%s), %s)\n}", methodName(op.method), path, values, body)
	}
	return nil
}

// async is the parameter of what can be a job.
const async = "async"

// methodName is the end of the constant that net/http has for a method.
func methodName(method string) string { return method[:1] + strings.ToLower(method[1:]) }

// pathOf is the path of an operation as an expression, and its arguments. What is
// asked of the sessions of one project is asked of all of them without one.
func pathOf(op *operation) (args []string, expression string) {
	rest := strings.TrimPrefix(op.path, "/api/v1")
	expression = ""
	if tail, ok := strings.CutPrefix(rest, "/projects/{project}/sessions"); ok {
		args, expression, rest = []string{"project string"}, `inProject(project)+"/sessions"`, tail
	}
	for rest != "" {
		before, after, found := strings.Cut(rest, "{")
		if before != "" {
			expression += plus(expression) + fmt.Sprintf("%q", before)
		}
		if !found {
			break
		}
		name, tail, _ := strings.Cut(after, "}")
		args = append(args, name+" string")
		expression += plus(expression) + "url.PathEscape(" + name + ")"
		rest = tail
	}
	return args, expression
}

func plus(before string) string {
	if before == "" {
		return ""
	}
	return "+"
}

// options writes the struct of what a query may ask for.
func (g *generator) options(name string, query []parameter) {
	g.line("\n// %sOptions is what %s may be asked for; what is empty is not sent.", name, name)
	g.line("type %sOptions struct {", name)
	var sets []string
	for _, s := range g.groups {
		if s.partOf(query) {
			g.line("%s %s", s.name, s.name)
			sets = append(sets, fmt.Sprintf("o.%s.set(q)", s.name))
			query = slices.DeleteFunc(slices.Clone(query), func(p parameter) bool { return slices.Contains(s.params, p.Name) })
		}
	}
	for _, p := range query {
		g.line("%s", field(p))
		sets = append(sets, setting(p))
	}
	g.line("}\n")
	g.line("func (o %sOptions) values() url.Values {\nq := url.Values{}\n%s\nreturn q\n}", name, strings.Join(sets, "\n"))
}
