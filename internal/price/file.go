package price

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"
)

// file is a list of prices as it is written.
type file struct {
	date, source string
	rules        Rules
	lines        []line
}

// line is a row and its line number.
type line struct {
	at  int
	row Row
}

func (f file) models() []string {
	var names []string
	for _, l := range f.lines {
		names = append(names, l.row.Model)
	}
	return names
}

// Limits on the values of a file. The product of a price and both factors has to fit.
const (
	maxPrice  = 10_000
	maxFactor = 10
)

// parse parses a list of prices. Rules that it does not mention keep the given values.
// It decodes token by token, because an error needs its line number.
func parse(data []byte, rules Rules) (file, error) {
	f := file{rules: rules}
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // some editors add it
	r := &reader{data: data, dec: json.NewDecoder(bytes.NewReader(data))}
	r.dec.UseNumber()
	var date dayText
	searches := rules.WebSearch / 1000 // price lists have it per thousand
	_, err := r.object("the file", map[string]any{
		"date": &date, "source": &f.source,
		"batch": &f.rules.Batch, "usOnly": &f.rules.USOnly, "webSearchesPer1000": &searches,
		"models": func() error { return r.models(&f) },
	})
	if err != nil {
		return file{}, err
	}
	if _, err := r.dec.Token(); !errors.Is(err, io.EOF) {
		return file{}, r.wrong("the file", "has text after its end")
	}
	f.date = string(date)
	f.rules.WebSearch = searches * 1000
	return f, f.check()
}

// check reports duplicate rows, and prompt lengths without a price.
func (f file) check() error {
	type key struct {
		model, since string
		fast         bool
		over         int64
	}
	seen := map[key]int{}
	for _, l := range f.lines {
		k := key{l.row.Model, l.row.Since, l.row.Fast, l.row.Over}
		if at, ok := seen[k]; ok {
			return fmt.Errorf("line %d: model: %s has this row already, on line %d", l.at, l.row, at)
		}
		seen[k] = l.at
	}
	for _, l := range f.lines {
		k := key{l.row.Model, l.row.Since, l.row.Fast, 0}
		if _, ok := seen[k]; !ok {
			return fmt.Errorf("line %d: over: %s has no row for shorter prompts", l.at, l.row)
		}
	}
	return nil
}

// reader decodes a file and knows its line number.
type reader struct {
	data []byte
	dec  *json.Decoder
}

func (r *reader) line() int {
	return 1 + bytes.Count(r.data[:min(r.dec.InputOffset(), int64(len(r.data)))], []byte("\n"))
}

func (r *reader) wrong(field, what string) error {
	return fmt.Errorf("line %d: %s: %s", r.line(), field, what)
}

func (r *reader) token(field string) (json.Token, error) {
	tok, err := r.dec.Token()
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, r.wrong(field, "the file ends here")
	}
	if err != nil {
		return nil, r.wrong(field, err.Error())
	}
	return tok, nil
}

func (r *reader) models(f *file) error {
	if tok, err := r.token("models"); err != nil {
		return err
	} else if tok != json.Delim('[') {
		return r.wrong("models", "is not a list of rows")
	}
	for r.dec.More() {
		l, err := r.row()
		if err != nil {
			return err
		}
		f.lines = append(f.lines, l)
	}
	_, err := r.token("models")
	return err
}

func (r *reader) row() (line, error) {
	var l line
	var since dayText
	at, err := r.object("models", map[string]any{
		"model": &l.row.Model, "since": &since, "fast": &l.row.Fast, "over": &l.row.Over, "note": &l.row.Note,
		"input": &l.row.Input, "output": &l.row.Output, "cacheRead": &l.row.CacheRead,
		"cacheWrite5m": &l.row.CacheWrite5m, "cacheWrite1h": &l.row.CacheWrite1h,
	}, "model", "input", "output", "cacheWrite5m", "cacheWrite1h", "cacheRead")
	if err != nil {
		return line{}, err
	}
	l.at = at
	l.row.Since = string(since)
	name := l.row.Model
	if l.row.Model = Normalize(name); l.row.Model == "" {
		return line{}, fmt.Errorf("line %d: model: %q names no model", at, name)
	}
	return l, nil
}

// object decodes an object into the variables of its fields, and returns the line it
// starts on. Unknown fields are errors: a misspelt price must not be ignored.
func (r *reader) object(name string, targets map[string]any, required ...string) (int, error) {
	tok, err := r.token(name)
	if err != nil {
		return 0, err
	}
	if tok != json.Delim('{') {
		return 0, r.wrong(name, "is not in braces")
	}
	at := r.line()
	seen := map[string]bool{}
	for r.dec.More() {
		tok, err := r.token(name)
		if err != nil {
			return 0, err
		}
		field, _ := tok.(string)
		target, ok := targets[field]
		switch {
		case !ok:
			return 0, r.wrong(field, "no such field")
		case seen[field]:
			return 0, r.wrong(field, "is there twice")
		}
		seen[field] = true
		if err := r.value(field, target); err != nil {
			return 0, err
		}
	}
	for _, field := range required {
		if !seen[field] {
			return 0, fmt.Errorf("line %d: %s: is missing", at, field)
		}
	}
	_, err = r.token(name)
	return at, err
}

// dayText is a date such as 2026-10-07.
type dayText string

// value decodes one value into its variable.
func (r *reader) value(field string, target any) error {
	if nested, ok := target.(func() error); ok {
		return nested()
	}
	tok, err := r.token(field)
	if err != nil {
		return err
	}
	text, isText := tok.(string)
	n, isNumber := tok.(json.Number)
	switch target := target.(type) {
	case *string:
		if *target = text; !isText {
			return r.wrong(field, "is not a text in quotes")
		}
	case *dayText:
		if _, err := time.Parse(time.DateOnly, text); err != nil {
			return r.wrong(field, `is not a date such as "2026-10-07"`)
		}
		*target = dayText(text)
	case *bool:
		is, ok := tok.(bool)
		if *target = is; !ok {
			return r.wrong(field, "is not true or false")
		}
	case *int64:
		if *target, err = strconv.ParseInt(string(n), 10, 64); !isNumber || err != nil || *target < 1 {
			return r.wrong(field, "is not a number of tokens")
		}
	case *Rate:
		return r.fraction(field, tok, (*int64)(target), 0, maxPrice)
	case *Factor:
		return r.fraction(field, tok, (*int64)(target), 1, maxFactor)
	}
	return nil
}

// fraction decodes a number with up to six decimals as millionths: at least least
// millionths, and at most most units.
func (r *reader) fraction(field string, tok json.Token, target *int64, least, most int64) error {
	n, ok := tok.(json.Number)
	if !ok {
		return r.wrong(field, "is not a number")
	}
	value, err := millionths(string(n))
	if err != nil {
		return r.wrong(field, string(n)+" "+err.Error())
	}
	if value < least || value > most*1e6 {
		return r.wrong(field, fmt.Sprintf("%s is not between %s and %d", n, decimal(least, 6, 0), most))
	}
	*target = value
	return nil
}
