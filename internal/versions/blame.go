package versions

import (
	"context"
	"errors"
	"slices"
	"strings"
	"syscall"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/errcode"
	"sesskeep/internal/shelf"
	"sesskeep/internal/stamp"
	"sesskeep/internal/timeline"
)

// BlamePage says who wrote each line of a file.
type BlamePage struct {
	Path    string      `json:"path"`               // path of the file
	Time    stamp.Time  `json:"timestamp,omitzero"` // time of the content
	Present bool        `json:"present"`            // the content is that on the disk now; else the last that is known
	Changes []Writer    `json:"changes"`            // the changes that wrote these lines, oldest first
	Lines   []BlameLine `json:"lines"`              // lines that were asked for
	Total   int         `json:"total"`              // number of lines of the file
	// Commits are those that the lines came with, as git's own blame says. They are there if they were asked for.
	Commits []BlameCommit `json:"commits,omitempty"`
	ask.Covered
}

// BlameLine is a line of a file and who wrote it.
type BlameLine struct {
	Number int    `json:"number"` // from 1
	Text   string `json:"text"`   // without its end
	// Origin is session, outside (no session wrote it with its tools) or unknown (a change that
	// cannot be replayed may have written it).
	Origin string `json:"origin"`
	Change int    `json:"changeIndex"` // index in changes; -1 where no session wrote the line
	// Commit is the id in commits of the commit that the line came with. It is missing where the last commit does not
	// have the line.
	Commit string `json:"commit,omitempty"`
}

// The origins of lines.
const (
	FromSession = "session"
	FromOutside = "outside"
	FromUnknown = "unknown"
)

// BlameRequest asks who wrote a file.
type BlameRequest struct {
	Path string
	At   string // a version, as in Show; empty: the file now, or else what is known last
	From int    // the first line that is wanted, from 1; 0: all
	To   int    // the last one; 0: From alone
	// Named says that the user of this machine named the path, so that the file there may be read. Else it is
	// read only where it lies in the project of a session that changed it.
	Named bool
	// Commits asks git too which commit each line came with. The file must be on the disk, in a repository.
	Commits bool
}

// Blame says who wrote each line of a file. Errors are those of Show.
func (v *Versions) Blame(ctx context.Context, r BlameRequest) (BlamePage, error) {
	p, err := v.read(ctx, r.Path)
	if err != nil {
		return BlamePage{}, err
	}
	page := BlamePage{Path: p.path, Changes: []Writer{}, Lines: []BlameLine{}, Covered: ask.NewCovered(p.covered)}
	s, ok := timeline.State{}, false
	if r.At != "" {
		if r.Commits {
			return page, errVersionCommits
		}
		if s, ok, err = v.stateAt(ctx, p, r.At); err != nil {
			return page, err
		}
	} else {
		if page.Present, err = v.addPresent(p, r.Named); err != nil {
			p.covered.AddUnreadable(ask.Unreadable{Path: p.path, Reason: errcode.PlainReason(err)})
			page.Covered = ask.NewCovered(p.covered)
		}
		s, ok = p.last()
	}
	if !ok {
		return page, errEarly
	}
	page.Time = stamp.Time{Time: s.At}
	page.fill(p, &s, r)
	if !r.Commits {
		return page, nil
	}
	if !page.Present {
		return page, errNotThere
	}
	return page, v.addCommits(ctx, &page, s.Lines)
}

// The commits of lines are those of the file as it is now.
var (
	errVersionCommits = errcode.New(errcode.Invalid, errors.New("commits are known only of the file as it is now: leave the version out"))
	errNotThere       = errcode.New(errcode.Invalid, errors.New("commits are known only of a file on the disk, and this one is not there or may not be read"))
)

// stateAt is the state of a version.
func (v *Versions) stateAt(ctx context.Context, p *past, at string) (timeline.State, bool, error) {
	f, err := v.at(ctx, p, at)
	if err != nil {
		return timeline.State{}, false, err
	}
	var found timeline.State
	ok := false
	timeline.Follow(p.events, func(s timeline.State) bool {
		if s.At.Equal(f.Time.Time) && (s.Absent || s.Text() == f.Text) {
			found, ok = s, true
		}
		return !s.At.After(f.Time.Time)
	})
	return found, ok, nil
}

// fill adds the lines that are wanted, and the changes that wrote them.
func (page *BlamePage) fill(p *past, s *timeline.State, r BlameRequest) {
	page.Total = len(s.Lines)
	from, to := max(r.From, 1), max(r.To, r.From)
	if r.From == 0 {
		to = len(s.Lines)
	}
	to = min(to, len(s.Lines))
	number := map[int]int{}
	var events []int
	for i := from - 1; i < to; i++ {
		if by := s.Lines[i].By; by >= 0 && p.writers[by] != nil && !slices.Contains(events, by) {
			events = append(events, by)
		}
	}
	slices.SortStableFunc(events, func(a, b int) int { return p.events[a].At.Compare(p.events[b].At) })
	for _, e := range events {
		number[e] = len(page.Changes)
		page.Changes = append(page.Changes, *p.writers[e])
	}
	for i := from - 1; i < to; i++ {
		l := BlameLine{Number: i + 1, Text: strings.TrimSuffix(s.Lines[i].Text, "\n"), Origin: FromOutside, Change: -1}
		switch by := s.Lines[i].By; {
		case by == timeline.Unknown:
			l.Origin = FromUnknown
		case by >= 0 && p.writers[by] != nil:
			l.Origin, l.Change = FromSession, number[by]
		}
		page.Lines = append(page.Lines, l)
	}
}

// addPresent adds the file as it is now, if it may be read. It reports whether that was so; the
// error is that of a file that is there and cannot be read. One that is no text file, or too
// large, is known only as sessions saw it.
func (v *Versions) addPresent(p *past, named bool) (bool, error) {
	if !strings.HasPrefix(p.path, "/") {
		return false, nil
	}
	if !named && v.checkProject(p) != nil {
		return false, nil
	}
	data, err := shelf.ReadText(p.path)
	if no := syscall.Errno(0); errors.As(err, &no) {
		return false, err
	}
	if err != nil || data == nil {
		return false, nil
	}
	text := string(data)
	e := timeline.Event{At: v.Now(), Kind: timeline.Copied, Text: &text}
	for i := range p.events {
		if p.events[i].At.After(e.At) {
			e.At = p.events[i].At.Add(time.Millisecond)
		}
	}
	p.add(e, nil)
	return true, nil
}
