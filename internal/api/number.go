package api

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// Number is a parameter that is a whole number, as it was sent. It is read by hand: one
// that is too large is cut, and one that is none is a mistake of the client. Empty:
// nothing was sent.
type Number string

// Schema is what the document tells of it.
func (Number) Schema(huma.Registry) *huma.Schema { return &huma.Schema{Type: huma.TypeInteger} }

// UnmarshalJSON reads it from the body of a request.
func (n *Number) UnmarshalJSON(data []byte) error {
	var value json.Number
	if err := json.Unmarshal(data, &value); err != nil {
		return err
	}
	*n = Number(value)
	return nil
}

// limit reads how many rows a page has: between 1 and 500, whatever is asked for.
func limit(text Number, usual int) (int, error) {
	if digits, ok := strings.CutPrefix(string(text), "-"); ok && digits != "" && strings.Trim(digits, "0123456789") == "" {
		return 1, nil
	}
	n, err := number("limit", text, usual)
	return min(max(n, 1), maxLimit), err
}

// number reads a parameter. What is larger than any list counts as that.
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

// acceptAnyNumber leaves it to Number to judge what is sent for one: the document has the
// type, and huma, which would refuse a text, no longer.
func (s document) acceptAnyNumber() {
	for _, item := range s.doc.Paths {
		for _, op := range []*huma.Operation{item.Get, item.Put, item.Post, item.Delete, item.Patch} {
			if op == nil {
				continue
			}
			for _, p := range op.Parameters {
				if p.In == "query" && p.Schema.Type == huma.TypeInteger {
					told := *p.Schema
					p.Schema.Type = ""
					p.Schema = &told
				}
			}
		}
	}
}
