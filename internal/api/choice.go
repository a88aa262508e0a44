package api

import (
	"cmp"
	"encoding/json"

	"github.com/danielgtaylor/huma/v2"

	"sesskeep/internal/ask"
)

// chooses is what the inputs have that choose among sessions.
type chooses interface{ choice() *Choice }

// choice is the part of an input that chooses.
func (c *Choice) choice() *Choice { return c }

// offered lists the fields of the table that a request can choose sessions by, with the names of
// their parameters.
func offered() []*ask.Field { return ask.Chosen(func(c *ask.Choice) string { return c.Param }) }

// plainParameters are those that the table of fields alone decides about. huma does not
// read them: Resolve does.
func plainParameters() (list []*huma.Param) {
	for _, f := range offered() {
		if c := f.Choice; c.Plain() {
			list = append(list, &huma.Param{Name: c.Param, In: "query", Description: c.ParamText(), Explode: new(bool), Schema: plainSchema(c)})
		}
	}
	return list
}

func plainSchema(c *ask.Choice) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Description: c.ParamText()}
}

// Resolve reads the parameters that the table of fields alone decides about.
func (c *Choice) Resolve(ctx huma.Context) []error {
	for _, f := range offered() {
		if text := ctx.Query(f.Choice.Param); f.Choice.Plain() && text != "" {
			c.set(f, text)
		}
	}
	return nil
}

func (c *Choice) set(f *ask.Field, text string) {
	if c.plain == nil {
		c.plain = map[string]string{}
	}
	c.plain[f.Name] = text
}

// UnmarshalJSON reads the same from the body of a request.
func (b *BulkFilter) UnmarshalJSON(data []byte) error {
	type fixed BulkFilter
	rest := map[string]json.RawMessage{}
	if err := cmp.Or(json.Unmarshal(data, (*fixed)(b)), json.Unmarshal(data, &rest)); err != nil {
		return err
	}
	for _, f := range offered() {
		var text string
		if raw := rest[f.Choice.Param]; f.Choice.Plain() && raw != nil {
			if err := json.Unmarshal(raw, &text); err != nil {
				return err
			}
			c := &b.Choice
			c.set(f, text)
		}
	}
	return nil
}

// TransformSchema adds to the document what UnmarshalJSON reads, and what the table of
// fields says of the rest.
func (BulkFilter) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	for _, f := range offered() {
		c := f.Choice
		if c.Plain() {
			s.Properties[c.Param] = plainSchema(c)
		} else if p := s.Properties[c.Param]; p != nil {
			p.Description = c.ParamText()
		}
	}
	return s
}

// checkPlain hands on what the table of fields alone decides about.
func (c *Choice) checkPlain(f *ask.Filter) error {
	for _, field := range offered() {
		text := c.plain[field.Name]
		if text == "" {
			continue
		}
		if err := field.Choice.Check(field.Choice.Param, text); err != nil {
			return invalid(field.Choice.Param, "%v", err)
		}
		f.SetField(field.Name, text)
	}
	return nil
}

// describeChoices says of every parameter that chooses by a field what the table says.
func (s document) describeChoices() {
	texts := map[string]string{"sort": "The order: " + ask.SortText() + "."}
	for _, f := range offered() {
		texts[f.Choice.Param] = f.Choice.ParamText()
	}
	for _, item := range s.doc.Paths {
		for _, op := range operationsOf(item) {
			for _, p := range op.Parameters {
				if p.In == "query" && p.Description == "" && texts[p.Name] != "" {
					p.Description, p.Schema.Description = texts[p.Name], texts[p.Name]
				}
			}
		}
	}
}

// operationsOf are the operations of a path.
func operationsOf(item *huma.PathItem) (list []*huma.Operation) {
	for _, op := range []*huma.Operation{item.Get, item.Put, item.Post, item.Delete, item.Patch} {
		if op != nil {
			list = append(list, op)
		}
	}
	return list
}
