package sesskeep

import "bytes"

var usageKey = []byte(`"usage"`)

// ReadUsage returns the session of a transcript and what a Digest has in its Usage. It is
// faster, because it decodes only the lines that can hold usage: most of a transcript is
// results of tools.
func ReadUsage(s *Store, ref Ref) (SessionID, []UsageRow, error) {
	f, err := s.files.Open(ref.File)
	if err != nil {
		return "", nil, err
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
		return "", nil, &Error{Op: "read", Name: s.Path(ref.File), Err: Cause(err)}
	}
	return d.Session, d.Usage, nil
}

// spend is the part of Add that ReadUsage needs.
func (d *Digest) spend(e *Entry) {
	if d.Session == "" && (e.Chain() || e.Spoken()) {
		d.Session = e.Session
	}
	d.count(e)
}

// passes reports whether a line is not worth decoding.
func (r *records) passes(line []byte) bool { return r.only != nil && !bytes.Contains(line, r.only) }
