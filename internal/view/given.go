package view

import (
	"bytes"
	"strconv"

	"sesskeep/internal/jsonl"
)

// Field is one value of a tool's input.
type Field struct {
	Name string // path in the input: file_path, edits[2].new_string
	Text string // a string unquoted, anything else as JSON
}

// maxNamed is how many levels the name of a Field has. Below that it has only the
// last step, so that names stay short in a hostile input.
const maxNamed = 8

// Given lists all values of the tool's input, in the order in which they were written.
func (c *Call) Given() []Field {
	var list []Field
	whole := len(bytes.TrimSpace(c.Input)) == 0
	if !whole {
		parse(c.Input, func(p *jsonl.Parser) {
			given(p, "", 0, &list)
			whole = p.Err() == nil
		})
	}
	if !whole {
		return []Field{{Name: "input", Text: string(c.Input)}} // not JSON: unchanged
	}
	if c.Plan != "" && !hasText(list, c.Plan) {
		list = append(list, Field{Name: "plan", Text: c.Plan}) // from its result
	}
	return list
}

// given adds the next value.
func given(p *jsonl.Parser, name string, depth int, list *[]Field) {
	step := func(step string) string {
		if depth < maxNamed {
			return name + step
		}
		return step
	}
	switch p.Kind() {
	case jsonl.Object:
		for key := range p.Object() {
			under := string(key)
			if name != "" && depth < maxNamed {
				under = "." + under
			}
			given(p, step(under), depth+1, list)
		}
		return
	case jsonl.Array:
		for n := range p.Array() {
			given(p, step("["+strconv.Itoa(n+1)+"]"), depth+1, list)
		}
		return
	}
	if name == "" {
		name = "input"
	}
	f := Field{Name: name}
	if p.Kind() == jsonl.String {
		f.Text = p.Text()
	} else {
		f.Text = string(p.Raw())
	}
	*list = append(*list, f)
}

func hasText(list []Field, text string) bool {
	for _, f := range list {
		if f.Text == text {
			return true
		}
	}
	return false
}
