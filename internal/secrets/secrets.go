// Package secrets finds where secrets lie in the files of a home: in transcripts, outputs
// of tools, copies of edited files, prompts and pastes. It says which file and line, and
// never gives a secret itself.
package secrets

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/redact"
	"sesskeep/internal/stamp"
)

// Found is one secret in one file.
type Found struct {
	Family string     `json:"family"`             // family of the secret
	Number int        `json:"number"`             // number of the secret among those of its family in the session
	File   string     `json:"file"`               // file that has it, as a path in the home
	Line   int        `json:"line"`               // number of the first line that has it, from 1
	Count  int        `json:"matchCount"`         // how often it stands in the file
	Time   stamp.Time `json:"timestamp,omitzero"` // when that line was written, or else the file
}

// Options choose what is found.
type Options struct {
	Redact redact.Options // what users want hidden besides the built-in families
	// Since leaves out lines and files that were written before; zero: nothing.
	Since time.Time
}

// Finder finds secrets. Several goroutines can use it at once.
type Finder struct {
	rules *redact.Rules
	since time.Time
}

// New makes a Finder. A rule that cannot be used is an error.
func New(o Options) (*Finder, error) {
	rules, err := redact.New(o.Redact)
	return &Finder{rules, o.Since}, err
}

// Find scans the files of a session, or, if family is nil, the files of the home that
// belong to no session. It returns the secrets by family, and how many bytes it read. A file
// that cannot be read stops no other: the error, which joins those of all such files, comes
// with what was found.
func (f *Finder) Find(ctx context.Context, home *homefs.Home, family *sesskeep.Family) ([]Found, int64, error) {
	r := scan{home: home, since: f.since, doc: f.rules.Document(), known: map[foundKey]int{}}
	r.doc.OnMatch = r.match
	names, unread := r.names(family)
	for _, name := range names {
		err := r.file(ctx, name)
		if ctx.Err() != nil {
			return nil, r.bytes, ctx.Err()
		}
		unread = errors.Join(unread, err)
	}
	slices.SortStableFunc(r.found, func(a, b Found) int {
		return cmp.Or(strings.Compare(a.Family, b.Family), cmp.Compare(a.Number, b.Number))
	})
	return r.found, r.bytes, unread
}

// scan finds secrets in the files of one session.
type scan struct {
	home  *homefs.Home
	since time.Time
	doc   *redact.Document
	bytes int64
	found []Found
	known map[foundKey]int // index in found

	// the line that is being read
	name    string
	line    int
	written time.Time
}

type foundKey struct {
	name string
	redact.Match
}

// match counts a secret in the line that is being read.
func (r *scan) match(m redact.Match) {
	key := foundKey{r.name, m}
	if i, ok := r.known[key]; ok {
		r.found[i].Count++
		return
	}
	line := r.line
	if !isTranscript(r.name) {
		line = r.doc.Line()
	}
	r.known[key] = len(r.found)
	r.found = append(r.found, Found{Family: m.Family, Number: m.Number, File: r.name, Line: line, Count: 1, Time: stamp.Time{Time: r.written}})
}
