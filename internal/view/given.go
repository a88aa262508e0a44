package view

import (
	"bytes"
	"encoding/json"
	"strconv"
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
	d := json.NewDecoder(bytes.NewReader(c.Input))
	d.UseNumber()
	if len(bytes.TrimSpace(c.Input)) > 0 && !given(d, "", 0, &list) {
		return []Field{{Name: "input", Text: string(c.Input)}} // not JSON: unchanged
	}
	if c.Plan != "" && !hasText(list, c.Plan) {
		list = append(list, Field{Name: "plan", Text: c.Plan}) // from its result
	}
	return list
}

// given reads the next value, and returns false if there is none.
func given(d *json.Decoder, name string, depth int, list *[]Field) bool {
	token, err := d.Token()
	if err != nil {
		return false
	}
	open, ok := token.(json.Delim)
	if !ok {
		if name == "" {
			name = "input"
		}
		*list = append(*list, Field{Name: name, Text: textOf(token)})
		return true
	}
	for n := 0; d.More(); n++ {
		step := "[" + strconv.Itoa(n+1) + "]"
		if open == '{' {
			key, err := d.Token()
			if err != nil {
				return false
			}
			step, _ = key.(string)
			if name != "" && depth < maxNamed {
				step = "." + step
			}
		}
		if depth < maxNamed {
			step = name + step
		}
		if !given(d, step, depth+1, list) {
			return false
		}
	}
	_, err = d.Token()
	return err == nil
}

func textOf(token json.Token) string {
	switch v := token.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	}
	return "null"
}

func hasText(list []Field, text string) bool {
	for _, f := range list {
		if f.Text == text {
			return true
		}
	}
	return false
}
