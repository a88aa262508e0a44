// Package cursor writes where a page of a list ended, so that the next page starts there
// whatever has changed since. To callers the text is opaque, but one that has only digits
// is a number of rows to skip.
package cursor

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"strconv"
)

// ErrInvalid means that a text is not a cursor, or one of another list.
var ErrInvalid = errors.New("not a cursor of this list")

// Cursor is the last row of a page: its sort value, and what distinguishes it from
// other rows with the same value.
type Cursor struct {
	List   string  `json:"l"`           // Hash of the filter and the order
	Number int64   `json:"n,omitempty"` // the value, if it is a number
	Text   string  `json:"t,omitempty"` // or if it is a text
	Key    string  `json:"k,omitempty"`
	Rest   []int64 `json:"r,omitempty"` // behind the key
	Offset int     `json:"o,omitempty"` // how many rows came before the next one
	Trail  string  `json:"w,omitempty"` // names what a process remembers of the pages before
}

// String is the cursor as text.
func (c Cursor) String() string {
	text, _ := json.Marshal(c) // it has nothing that could fail
	return base64.RawURLEncoding.EncodeToString(text)
}

// Parse reads a cursor of the list. Digits become an Offset alone, and an empty
// text the beginning.
func Parse(text, list string) (c Cursor, err error) {
	if n, err := strconv.Atoi(text); text == "" || err == nil && n >= 0 {
		return Cursor{Offset: n}, nil
	}
	data, err := base64.RawURLEncoding.DecodeString(text)
	if err == nil {
		err = json.Unmarshal(data, &c)
	}
	if err != nil || c.List != list || c.Offset < 0 {
		return Cursor{}, ErrInvalid
	}
	return c, nil
}

// HasPosition reports whether the cursor names a row, and not only a number of rows.
func (c Cursor) HasPosition() bool { return c.List != "" }

// Hash names a list by what chooses and orders its rows.
func Hash(parts ...any) string {
	h := fnv.New64a()
	for _, p := range parts {
		fmt.Fprintf(h, "%q\n", fmt.Sprint(p))
	}
	return strconv.FormatUint(h.Sum64(), 36)
}
