package sesskeep

// Problem is damage met while reading. It never stops the reading: everything
// whole around it is in the result.
type Problem struct {
	Code   ProblemCode `json:"code"`             // kind of the problem, for programs
	File   string      `json:"file"`             // path inside the home
	Line   int         `json:"line,omitempty"`   // line number from 1; 0 if the problem concerns the whole file
	Offset int64       `json:"offset"`           // byte offset of the damage in the file
	Length int64       `json:"length,omitempty"` // length of the damage in bytes
	Reason string      `json:"reason"`           // explanation for people
	// Lost is true if the bytes could not be read as a record. Otherwise the record was
	// recovered, and the Problem only describes the file.
	Lost bool `json:"lost,omitempty"`
}

// ProblemCode says what sort of damage a Problem is.
type ProblemCode string

// The sorts of damage.
const (
	ProblemUnreadable ProblemCode = "unreadable" // a file or directory that cannot be read
	ProblemUnfinished ProblemCode = "unfinished" // a last line whose end is not written yet
	ProblemBroken     ProblemCode = "broken"     // bytes that are not a record, or a record that makes no sense
	ProblemEmpty      ProblemCode = "empty"      // a transcript of 0 bytes
	ProblemForm       ProblemCode = "form"       // a whole record, but not written as the client writes it
)
