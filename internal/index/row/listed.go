package row

import (
	"cmp"
	"encoding/json"
	"reflect"
	"strconv"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/index/db"
	"sesskeep/internal/jsonl"
	"sesskeep/internal/stamp"
)

// FactsReader reads rows out of facts. Half of the time of a list went into reading
// them with encoding/json, which looks at every byte twice; this also passes over
// what no list shows.
type FactsReader struct {
	p   jsonl.Parser
	bad bool // a value is not what was written
}

// Read gives the row with where its file is and how its talk stands.
func (r *FactsReader) Read(name string, body []byte) (ask.Row, error) {
	p := &r.p
	p.Reset(body)
	r.bad = false
	var f Facts
	var err error
	for key := range p.Object() {
		switch string(key) {
		case "row":
			r.row(&f.Row)
		case "standing":
			err = r.standing(&f.Standing)
		case "place":
			f.RefParts = refParts(p.Bytes())
		case "same":
			f.Same = r.unsigned()
		}
	}
	if err == nil && (p.End() != nil || r.bad) {
		err = cmp.Or(json.Unmarshal(body, &Facts{}), db.ErrDamaged) // it says what is wrong
	}
	if err == nil {
		err = f.complete(name)
	}
	return f.Row, err
}

// called gives what the client calls a session, and its last prompt.
func (r *FactsReader) called(body []byte) (custom, asked string, err error) {
	p := &r.p
	p.Reset(body)
	for key := range p.Object() {
		if string(key) != "row" {
			continue
		}
		for key := range p.Object() {
			switch string(key) {
			case "customTitle":
				custom = p.Text()
			case "lastUserMessage":
				asked = p.Text()
			}
		}
	}
	if p.End() != nil {
		err = db.ErrDamaged
	}
	return custom, asked, err
}

// row reads the fields that only the file determines; the others are columns.
func (r *FactsReader) row(row *ask.Row) {
	p := &r.p
	into := reflect.ValueOf(row).Elem()
	next := 0
	for key := range p.Object() {
		f := findKept(key, next)
		if f == nil {
			continue
		}
		next = f.next
		if f.own {
			r.set(into.Field(f.at), f.kind)
		}
	}
}

// set reads a value into a field.
func (r *FactsReader) set(field reflect.Value, kind ask.Kind) {
	p := &r.p
	switch kind {
	case ask.Text:
		field.SetString(p.Text())
	case ask.Number:
		field.SetInt(p.Int())
	case ask.YesNo:
		field.SetBool(p.Bool())
	case ask.Texts:
		*field.Addr().Interface().(*[]string) = r.texts()
	case ask.Timestamp:
		field.Addr().Interface().(*stamp.Time).Time = r.time()
	}
}

// standing reads by hand what most sessions have: no call is open.
func (r *FactsReader) standing(s *sesskeep.Standing) (err error) {
	p := &r.p
	for key := range p.Object() {
		switch string(key) {
		case "turn":
			s.Turn = sesskeep.Move(p.Text())
		case "calls":
			err = json.Unmarshal(p.Raw(), &s.Calls)
		case "early":
			s.Early = r.texts()
		case "time":
			s.Time = r.time()
		case "prompts":
			s.Prompts = int(p.Int())
		case "closed":
			s.Closed = p.Bool()
		case "unsure":
			s.Unsure = p.Bool()
		case "version":
			s.Version = p.Text()
		}
	}
	return err
}

func (r *FactsReader) texts() (list []string) {
	for range r.p.Array() {
		list = append(list, r.p.Text())
	}
	return list
}

func (r *FactsReader) time() (t time.Time) {
	r.bad = t.UnmarshalText(r.p.Bytes()) != nil || r.bad
	return t
}

func (r *FactsReader) unsigned() uint64 {
	n, err := strconv.ParseUint(string(r.p.Raw()), 10, 64)
	r.bad = err != nil || r.bad
	return n
}
