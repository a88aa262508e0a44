package export

import (
	"cmp"

	"sesskeep/internal/reading"
	"sesskeep/internal/redact"
	"sesskeep/internal/view"
)

// Marked is a part of a document that has marks in place of secrets.
type Marked struct {
	// Address is the address of the message, such as SESSION#UUID, or of the session for the
	// head of the document.
	Address string
	In      string // "head", the kind of the part, or the tool of a call
	Marks   []redact.Match
}

// report calls OnMarked with the marks since the last report.
func (d *document) report(p Marked) {
	if len(d.marks) == 0 {
		return
	}
	if d.o.OnMarked != nil {
		p.Marks = d.marks
		d.o.OnMarked(p)
	}
	d.marks = nil
}

func markedIn(s *reading.Session, p *view.Part) Marked {
	in := string(p.Kind)
	if p.Call != nil {
		in = cmp.Or(p.Call.Short, p.Call.Tool, in)
	}
	at := address(s)
	if p.UUID != "" {
		at += "#" + p.UUID
	}
	return Marked{Address: at, In: in}
}

// address returns the address of a session, of an agent, or of an agent inside of a session's file.
func address(s *reading.Session) string {
	if agent := s.Agent(); agent.Inline() > 0 {
		return s.Ref.ID() + "/" + string(agent)
	}
	return s.Ref.ID()
}
