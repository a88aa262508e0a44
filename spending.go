package sesskeep

import "bytes"

// Spending is what the answers in one transcript consumed.
type Spending struct {
	Session SessionID  // from its lines, if its path does not name it
	Rows    []UsageRow // one a message, as in a Digest
}

var usageKey = []byte(`"usage"`)

// Spending reads what a Digest would have in its Usage, but decodes only the lines
// that can hold usage: most of a transcript is results of tools.
func (s *Store) Spending(ref Ref) (Spending, error) {
	f, err := s.files.Open(ref.File)
	if err != nil {
		return Spending{}, err
	}
	defer f.Close()
	r := readers.Get().(*records)
	defer readers.Put(r)
	r.problem = func(Problem) {}
	r.reset(ref.File, f, 0, 0)
	d := Digest{Session: ref.Session}
	for {
		if d.Session != "" {
			r.only = usageKey
		}
		e, ok := r.next()
		if !ok {
			break
		}
		d.spend(e)
	}
	if e, ok := r.rest(); ok {
		d.spend(e)
	}
	if err := r.lines.Err(); err != nil {
		return Spending{}, &Error{Op: "read", Name: s.Path(ref.File), Err: Cause(err)}
	}
	return Spending{Session: d.Session, Rows: d.Usage}, nil
}

// spend is as much of Add as a Spending needs.
func (d *Digest) spend(e *Entry) {
	if d.Session == "" && (e.Chain() || e.Spoken()) {
		d.Session = e.Session
	}
	d.count(e)
}

// passes reports whether a line is not worth decoding.
func (r *records) passes(line []byte) bool { return r.only != nil && !bytes.Contains(line, r.only) }
