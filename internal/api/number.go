package api

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// Number is an integer parameter as it was sent; empty if it is missing. It is parsed here
// and not by huma: a number that is too large is clamped, and anything else is an error of
// the client.
type Number string

// Schema implements [huma.SchemaProvider].
func (Number) Schema(huma.Registry) *huma.Schema { return &huma.Schema{Type: huma.TypeInteger} }

// UnmarshalJSON implements [json.Unmarshaler].
func (n *Number) UnmarshalJSON(data []byte) error {
	var value json.Number
	if err := json.Unmarshal(data, &value); err != nil {
		return err
	}
	*n = Number(value)
	return nil
}

// limit parses the length of a page and clamps it to 1 to 500.
func limit(text Number, usual int) (int, error) {
	if digits, ok := strings.CutPrefix(string(text), "-"); ok && digits != "" && strings.Trim(digits, "0123456789") == "" {
		return 1, nil
	}
	n, err := number("limit", text, usual)
	return min(max(n, 1), maxLimit), err
}

// number parses a parameter. Larger values than any list has count as 1<<30.
func number(name string, sent Number, usual int) (int, error) {
	text := string(sent)
	if text == "" {
		return usual, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil && strings.Trim(text, "0123456789") == "" {
		return 1 << 30, nil
	}
	if err != nil {
		return 0, invalid(name, "%q is not a number", clip(text, 40))
	}
	if n < 0 {
		return 0, invalid(name, "%d is less than 0", n)
	}
	return n, nil
}

// acceptAnyNumber keeps the type integer in the document, but stops huma from validating
// it, because Number does.
func (s document) acceptAnyNumber() {
	for _, item := range s.doc.Paths {
		for _, op := range []*huma.Operation{item.Get, item.Put, item.Post, item.Delete, item.Patch} {
			if op == nil {
				continue
			}
			for _, p := range op.Parameters {
				if p.In == "query" && p.Schema.Type == huma.TypeInteger {
					documented := *p.Schema
					p.Schema.Type = ""
					p.Schema = &documented
				}
			}
		}
	}
}
