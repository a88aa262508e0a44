// Package versions knows what a file contained at any time, who wrote each of its lines, and gives
// it an earlier content back.
//
// It joins what is known of the file: the calls of all sessions that read or wrote it, found by the
// index and read from their transcripts; the copies that the client made before its edits
// (file-history); and moves by the shell's mv and git mv. Package timeline puts them in a row.
//
// A path in a transcript is hostile: it says what a session claims to have changed. It is compared with
// the path that was asked for and never opened. The file on the disk is read and restored only where its
// user named it, or where it lies in the directory of a project that changed it, see [Versions.Restore].
package versions

import (
	"errors"
	"fmt"
	"time"

	"sesskeep/internal/acts"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/errcode"
	"sesskeep/internal/freshness"
	"sesskeep/internal/homes"
	"sesskeep/internal/stamp"
	"sesskeep/internal/timeline"
)

// Options are what a Versions works with.
type Options struct {
	Homes   *homes.Set
	Index   *freshness.Index
	Catalog *catalog.Catalog
	Journal *acts.Journal
	Now     func() time.Time
}

// Versions answers questions about the past of files.
type Versions struct{ Options }

// New makes a Versions. It reads nothing before it is asked.
func New(o Options) *Versions { return &Versions{o} }

// Writer is who changed a file, and when.
type Writer struct {
	Time      stamp.Time `json:"timestamp,omitzero"` // when the change was made
	Path      string     `json:"path"`               // path that the file had then
	Root      string     `json:"root"`               // directory of the home
	SessionID string     `json:"sessionId"`          // id of the session
	AgentID   string     `json:"agentId,omitempty"`  // agent that made the change
	UUID      string     `json:"messageId"`          // uuid of the line with the call
	Address   string     `json:"address"`            // address of that line
	PromptID  string     `json:"promptId,omitempty"` // uuid of the prompt that led to it
	Prompt    string     `json:"prompt,omitempty"`   // start of that prompt; for an agent its task
	Title     string     `json:"title"`              // title of the session, or of the agent
	Project   string     `json:"project"`            // short name of the project
	Directory string     `json:"projectPath"`        // working directory of the project
	Tool      string     `json:"tool"`               // tool that made the change
	asked     time.Time  // when the prompt was sent
	id        uint64     // of the call
}

// Interval is a time in which others changed a file, or may have: before Until nothing is known of it if From
// is missing.
type Interval struct {
	From  stamp.Time `json:"from,omitzero"` // when the file was known last; missing: it was first seen at until
	Until stamp.Time `json:"until"`         // when it was known again, and other
}

func interval(g *timeline.Gap) *Interval {
	if g == nil {
		return nil
	}
	return &Interval{stamp.Time{Time: g.From}, stamp.Time{Time: g.To}}
}

// FileVersion is a file as it was at one time.
type FileVersion struct {
	Path    string        `json:"path"`                               // path of the file
	Asked   string        `json:"at,omitempty"`                       // the time, prompt or session that was asked for
	Time    stamp.Time    `json:"timestamp,omitzero"`                 // time of the event that the content is from
	Sure    timeline.Sure `json:"sure" enum:"exact,replayed,unknown"` // exact (recorded as a whole), replayed (edit by edit), or unknown: an event after this content cannot be replayed
	Source  string        `json:"source"`                             // copy (the client's file history, byte for byte) or transcript
	Absent  bool          `json:"absent,omitempty"`                   // there was no such file
	Text    string        `json:"text"`                               // the content
	Lines   int           `json:"lineCount"`                          // its lines
	Outside *Interval     `json:"outside,omitempty"`                  // others changed the file at some time in it, so that this can be the content before or after; without a from, nothing is known of the file before it
	Writer  *Writer       `json:"writer,omitempty"`                   // the change that it is the result of; missing if it was only seen
	ask.Covered
	mode uint32
}

// errUnknown is returned for a file that no session used.
func errUnknown(path string) error {
	return errcode.New(errcode.NotFound, fmt.Errorf("no session read or changed %s with its tools", path))
}

// errEarly is returned for a time before anything is known of a file.
var errEarly = errcode.New(errcode.NotFound, errors.New("nothing is known of the file until then"))

// SeveralError says that a path means several files.
type SeveralError struct {
	Path  string
	Files []string
}

func (e *SeveralError) Error() string {
	return fmt.Sprintf("%s means %d files", e.Path, len(e.Files))
}

// Unwrap gives the error with its code, errcode.Ambiguous.
func (e *SeveralError) Unwrap() error { return errSeveral }

var errSeveral = errcode.New(errcode.Ambiguous, errors.New("several files have that name"))
