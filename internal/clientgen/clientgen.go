// Package clientgen generates the methods and types of package client from the OpenAPI
// document, so that the client and the server cannot differ.
//
// Every operation becomes a method: path parameters become arguments, query parameters
// become a struct whose zero value sends none of them. The filter and the page that lists
// share become one type each, and a field with an enumeration gets a type with constants.
// A response that is not JSON is returned as a stream.
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
	g := &generator{groups: d.groups(), names: d.typeNames(), enums: map[string]string{}, verbs: d.verbs()}
	g.line("// Code generated from the OpenAPI document by internal/clientgen; \"make client-go\" regenerates it. DO NOT EDIT.")
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
		g.object(name, &d)
	}
	g.constants()
	out, err := format.Source(g.out.Bytes())
	if err != nil {
		return nil, fmt.Errorf("format what was generated: %w", err)
	}
	return out, nil
}

type generator struct {
	out    bytes.Buffer
	groups []group
	names  map[string]string // schema to Go type
	enums  map[string]string // the values of an enumeration, joined, to its Go type
	verbs  map[string]bool   // verbs of the summaries
}

func (g *generator) line(form string, args ...any) { fmt.Fprintf(&g.out, form+"\n", args...) }

// comment writes the comment of a method from the summary and the description of its
// operation.
func (g *generator) comment(name, summary, description string) {
	if summary != "" {
		g.line("// %s %s.", name, strings.TrimSuffix(g.thirdPerson(summary), "."))
	}
	if description != "" {
		g.line("//\n// %s", description)
	}
}

// method writes the method of an operation, and its options.
func (g *generator) method(op *operation, d *document) error {
	name := methodOf(op.ID)
	args, path := pathOf(op)
	query := op.in("query")
	inBody := d.fieldsOf(op.body())
	query = slices.DeleteFunc(query, func(p parameter) bool {
		return op.mayBeJob() && p.Name == async || inBody[p.Name] != nil // the body has it
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
	g.comment(name, op.Summary, strings.ReplaceAll(op.Description, "se async=true", "se "+name+"Job"))
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
		g.line("// %sJob starts %s as a job and returns at once; Wait waits for the job. The result", name, name)
		g.line("// of the finished job is what %s returns.", name)
		g.line("func (c *Client) %sJob(%s) (*Job, error) {", name, arguments)
		g.line("return ask[Job](ctx, c, http.Method%s, %s, asJob(%s), %s)\n}", methodName(op.method), path, values, body)
	}
	return nil
}

// async is the parameter of what can be a job.
const async = "async"

// methodName is the end of the constant that net/http has for a method.
func methodName(method string) string { return method[:1] + strings.ToLower(method[1:]) }

// pathOf returns the path of an operation as a Go expression, and the arguments in it. An
// empty project stands for all projects.
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

// options writes the struct of the query parameters of an operation.
func (g *generator) options(name string, query []parameter) {
	g.line("\n// %sOptions has the parameters of %s. Empty fields are not sent.", name, name)
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
