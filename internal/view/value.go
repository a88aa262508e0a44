package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// fields are the members of a JSON object. The client changes the types of fields
// between versions, so each is decoded on its own, and one of an unexpected type
// counts as missing.
type fields map[string]json.RawMessage

// object decodes raw as an object; anything else has no fields.
func object(raw []byte) fields {
	if !startsWith(raw, '{') {
		return nil
	}
	var f fields
	if json.Unmarshal(raw, &f) != nil {
		return nil
	}
	return f
}

func startsWith(raw []byte, c byte) bool {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	return len(raw) > 0 && raw[0] == c
}

func (f fields) object(key string) fields { return object(f[key]) }

func (f fields) text(key string) string { return stringOf(f[key]) }

// stringOf decodes raw as a string; anything else is empty.
func stringOf(raw []byte) string {
	var s string
	if !startsWith(raw, '"') || json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// number decodes a number, also one written as a string.
func (f fields) number(key string) (float64, bool) {
	n, err := strconv.ParseFloat(strings.Trim(string(f[key]), `"`), 64)
	return n, err == nil && n >= 0 && n < 1<<53
}

func (f fields) count(key string) (int, bool) {
	n, ok := f.number(key)
	return int(n), ok
}

func (f fields) flag(key string) bool { return string(f[key]) == "true" }

func (f fields) list(key string) []json.RawMessage {
	var l []json.RawMessage
	if !startsWith(f[key], '[') || json.Unmarshal(f[key], &l) != nil {
		return nil
	}
	return l
}

// first returns the first of the named fields that has text.
func (f fields) first(keys ...string) string {
	for _, key := range keys {
		if s := f.text(key); strings.TrimSpace(s) != "" {
			return s
		}
	}
	return ""
}

// firstString returns the first text among the members of an object, in the order
// they were written: the model writes what matters first.
func firstString(raw []byte) string {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return ""
	}
	for d.More() {
		if _, err := d.Token(); err != nil {
			return ""
		}
		var v json.RawMessage
		if d.Decode(&v) != nil {
			return ""
		}
		if s := stringOf(v); strings.TrimSpace(s) != "" {
			return s
		}
	}
	return ""
}

// firstLine returns the first line of s that is not blank.
func firstLine(s string) string {
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}

func lineCount(s string) int {
	s = strings.Trim(s, "\n")
	if s == "" {
		return 0
	}
	return strings.Count(s, "\n") + 1
}

// plural formats a count with its noun: 1 line, 3 lines, 2 matches.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "ch") {
		return fmt.Sprintf("%d %ses", n, noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// size formats a number of bytes in powers of 1000.
func size(n int) string {
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	amount, unit := float64(n)/1000, "kB"
	for _, next := range []string{"MB", "GB", "TB"} {
		if amount < 999.5 {
			break
		}
		amount, unit = amount/1000, next
	}
	if amount < 9.95 {
		return fmt.Sprintf("%.1f %s", amount, unit)
	}
	return fmt.Sprintf("%.0f %s", amount, unit)
}
