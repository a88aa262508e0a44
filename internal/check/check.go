// Package check finds what is wrong with transcripts, and repairs them.
//
// A [Finding] is one problem, with its file, its line, a [Code] and
// what it means. A harmless irregularity is a note. Every session gets a
// [Verdict]: would "claude --resume" work? The rules are those that the client
// 2.1.325 was seen to follow; see docs/check.md.
//
// A [Repair] is planned and not made: it says what changes and why, and has the new
// content of each file. It never drops a whole record. It leaves out of the new file
// what it cannot repair, such as bytes that are not a record; the caller that makes
// the change keeps the old file.
//
// Files are read line by line. Memory grows with the number of lines, not with
// their length.
package check

import (
	"cmp"
	"fmt"
	"slices"

	"sesskeep"
)

// Code says what sort of thing a Finding is.
type Code string

// The codes of findings: something is lost, or hidden from the client.
const (
	Empty      Code = "empty"           // the file has no bytes
	Unreadable Code = "unreadable"      // the file cannot be read
	Broken     Code = "broken-line"     // bytes that are no record
	Cut        Code = "cut-record"      // the start of a record whose end is missing
	Torn       Code = "unfinished-line" // the last line, without its end
	Glued      Code = "glued-records"   // several records on one line
	Spread     Code = "spread-record"   // one record over several lines
	NUL        Code = "nul-bytes"       // beside a record
	CRLF       Code = "crlf"
	BOM        Code = "byte-order-mark"
	Dangling   Code = "dangling-parent" // the record above is not in the file
	Cycle      Code = "cycle"           // records that are above each other
	Duplicate  Code = "duplicate"       // the same record once more
	Untimed    Code = "no-time"         // the last record has no time, and the client needs it
	NoAgent    Code = "missing-agent"   // a call names an agent that has no transcript
	NoResult   Code = "missing-result"  // a result was saved to a file that is gone
	IndexStale Code = "index"           // the index differs from the disk
	OwnStore   Code = "own-store"       // something is wrong with our own data
)

// The codes of notes: odd, and harmless.
const (
	Foreign    Code = "wrong-session" // the sessionId of another session
	OpenCall   Code = "open-call"     // a call without a result
	LoneResult Code = "lone-result"   // a result without a call
	Conflict   Code = "same-uuid"     // different records with one uuid
	LoneAgent  Code = "lone-agent"    // the agent of a session that has no transcript
	LoneMeta   Code = "agent-meta"    // a meta file of an agent that wrote nothing
	BadUTF8    Code = "bad-utf8"      //
	TooLong    Code = "too-long"      // a line that was not read
	Link       Code = "link"          // the transcript is a link to a file
	Superseded Code = "twin"          // another file of the same session is newer
	EmptyEnv   Code = "empty-env"     // session-env/<id> has nothing in it
	StaleEnv   Code = "stale-env"     // session-env/<id> of a session that is gone
)

// kinds are the notes among the codes, and what each code means.
var kinds = map[Code]struct {
	note    bool
	meaning string
}{
	Empty:      {false, "the file is empty: the client finds no conversation in it, and there is nothing to repair"},
	Unreadable: {false, "the file cannot be read"},
	Broken:     {false, "bytes that are not a record; the client skips them"},
	Cut:        {false, "a record whose end is missing; what it said is lost"},
	Torn:       {false, "the last line was never finished; what it said is lost"},
	Glued:      {false, "several records share a line; the client reads only the first"},
	Spread:     {false, "a record is spread over several lines; only the client reads it"},
	NUL:        {false, "NUL bytes, as a system crash leaves them; the client cannot read a record that follows them"},
	CRLF:       {false, "Windows line endings; the client reads them, other tools may not"},
	BOM:        {false, "a byte order mark; the client reads it only at the start of the file"},
	Dangling:   {false, "its parent is not in the file: something was lost before it"},
	Cycle:      {false, "it is its own ancestor"},
	Duplicate:  {false, "the same record was there before; the client ignores it"},
	Untimed:    {false, "the last record has no readable time, so the client does not find the conversation"},
	NoAgent:    {false, "the transcript of the agent that this call started is gone"},
	NoResult:   {false, "the file with the whole output of this call is gone; the transcript has only its beginning"},
	IndexStale: {false, "the index differs from the files; delete it and it is built again"},
	OwnStore:   {false, "something is wrong with the data of sesskeep"},

	Foreign:    {true, "the sessionId of another session, as copies and old clients leave it; the client goes by the file name"},
	OpenCall:   {true, "a call without a result: it was interrupted or is still running; on resume the client answers it itself"},
	LoneResult: {true, "a result whose call is not in the file; the client leaves it out"},
	Conflict:   {true, "another record has the same uuid; the client reads the last of them"},
	LoneAgent:  {true, "an agent of a session that no longer has a transcript"},
	LoneMeta:   {true, "an agent that was started and wrote nothing"},
	BadUTF8:    {true, "bytes that are not UTF-8; they are shown as �"},
	TooLong:    {true, "a line over 64 MiB, which was not checked"},
	Link:       {true, "the transcript is a link to another file"},
	Superseded: {true, "another file of this session has a later line; lists show that one"},
	EmptyEnv:   {true, "an empty directory that the client left"},
	StaleEnv:   {true, "a directory of a session that has no transcript"},
}

// Note reports whether a code is a harmless irregularity.
func (c Code) Note() bool { return kinds[c].note }

// Meaning says what a code means, for people.
func (c Code) Meaning() string { return kinds[c].meaning }

// Finding is one thing that is wrong, or odd.
type Finding struct {
	Code    Code   `json:"code"`             // kind of the finding, for programs
	File    string `json:"file"`             // path inside the home
	Line    int    `json:"line,omitempty"`   // line number from 1; 0 if the finding concerns the whole file
	Offset  int64  `json:"offset,omitempty"` // byte offset in the file
	Length  int64  `json:"length,omitempty"` // number of bytes concerned
	UUID    string `json:"uuid,omitempty"`   // uuid of the record
	Name    string `json:"name,omitempty"`   // name of what is missing: a uuid, an agent, a file
	Count   int    `json:"count"`            // number of occurrences from this line to the end of the file
	Meaning string `json:"meaning"`          // explanation for people
}

// maxEach is how many findings of one code a file gets: the last of them counts
// the rest. A hostile file has any number.
const maxEach = 50

// findings collects what was found in files.
type findings struct {
	list []Finding
	last map[[2]string]int // file and code → index of its last finding
	many map[[2]string]int // how many there are
}

func (f *findings) add(n Finding) {
	if n.Count == 0 {
		n.Count = 1
	}
	if n.Meaning == "" {
		n.Meaning = n.Code.Meaning()
	}
	if f.last == nil {
		f.last, f.many = map[[2]string]int{}, map[[2]string]int{}
	}
	key := [2]string{n.File, string(n.Code)}
	if f.many[key] == maxEach || f.many[key] > 0 && once[n.Code] {
		f.list[f.last[key]].Count += n.Count
		return
	}
	f.many[key]++
	f.last[key] = len(f.list)
	f.list = append(f.list, n)
}

// extend lets the last finding of a code reach to the end of a piece, if it is about
// the same line: NUL bytes cut one in any number of pieces.
func (f *findings) extend(file string, code Code, p piece) bool {
	i, ok := f.last[[2]string{file, string(code)}]
	if !ok || f.list[i].Line != p.line {
		return false
	}
	f.list[i].Length = p.offset + p.length - f.list[i].Offset
	return true
}

// once are the codes that come on every line or none.
var once = map[Code]bool{CRLF: true, Foreign: true, BadUTF8: true}

// split separates errors from notes, each in the order of the files and
// their lines.
func (f *findings) split() (wrong, notes []Finding) {
	wrong, notes = []Finding{}, []Finding{}
	order := map[string]int{}
	for _, n := range f.list {
		if _, ok := order[n.File]; !ok {
			order[n.File] = len(order)
		}
	}
	slices.SortStableFunc(f.list, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(order[a.File], order[b.File]), cmp.Compare(a.Line, b.Line))
	})
	for _, n := range f.list {
		if n.Code.Note() {
			notes = append(notes, n)
		} else {
			wrong = append(wrong, n)
		}
	}
	return wrong, notes
}

// Resumes says whether the client would resume a session.
type Resumes string

// The answers.
const (
	Yes    Resumes = "yes"
	Partly Resumes = "partly" // it resumes, and some of the talk is hidden from it
	No     Resumes = "no"
)

// Verdict is whether "claude --resume" would work, and why.
type Verdict struct {
	Resumes Resumes `json:"resumes" enum:"yes,partly,no"` // whether the client would resume it
	Why     string  `json:"why"`                          // reason for the verdict
}

// Report is what was found out about one session.
type Report struct {
	Session  sesskeep.SessionID `json:"sessionId"`   // id of the session
	File     string             `json:"file"`        // main transcript, inside the home
	Verdict  Verdict            `json:"verdict"`     // whether the client would resume the session
	Findings []Finding          `json:"findings"`    // damage
	Notes    []Finding          `json:"notes"`       // harmless oddities
	Files    int                `json:"fileCount"`   // number of files checked
	Records  int                `json:"recordCount"` // number of records checked
	Bytes    int64              `json:"fileSize"`    // bytes checked
}

// Damaged reports whether something is wrong.
func (r *Report) Damaged() bool { return len(r.Findings) > 0 }

// Repairable reports whether a repair would change something.
func (r *Report) Repairable() bool {
	mends := func(f Finding) bool { return f.Code.Mendable() }
	return slices.ContainsFunc(r.Findings, mends) || slices.ContainsFunc(r.Notes, mends)
}

// Mendable reports whether a repair puts such a thing right.
func (c Code) Mendable() bool { return does[c].what != "" }

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
