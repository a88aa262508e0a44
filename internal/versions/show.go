package versions

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/errcode"
	"sesskeep/internal/query"
	"sesskeep/internal/stamp"
	"sesskeep/internal/timeline"
	"sesskeep/internal/view"
)

// Show returns a file as it was at a time, before the changes of a prompt, after one change, or at the end of a
// session; at is empty for what is known last. A file or a time of which nothing is known is
// [errcode.NotFound]; a path of several files is a [SeveralError].
func (v *Versions) Show(ctx context.Context, path, at string) (FileVersion, error) {
	p, err := v.read(ctx, path)
	if err != nil {
		return FileVersion{}, err
	}
	return v.at(ctx, p, at)
}

// FileComparison is what changed in a file between two versions of it.
type FileComparison struct {
	Path   string      `json:"path"`   // path of the file
	Before FileVersion `json:"before"` // version before, without its text
	After  FileVersion `json:"after"`  // version after, without its text
	Hunks  []view.Hunk `json:"hunks"`  // places that differ
	ask.Covered
}

// Compare compares two versions of a file.
func (v *Versions) Compare(ctx context.Context, path, a, b string) (FileComparison, error) {
	p, err := v.read(ctx, path)
	if err != nil {
		return FileComparison{}, err
	}
	before, err := v.at(ctx, p, a)
	if err != nil {
		return FileComparison{}, err
	}
	after, err := v.at(ctx, p, b)
	if err != nil {
		return FileComparison{}, err
	}
	c := FileComparison{Path: p.path, Before: before, After: after, Hunks: view.Diff(before.Text, after.Text), Covered: after.Covered}
	if c.Hunks == nil {
		c.Hunks = []view.Hunk{}
	}
	c.Before.Text, c.After.Text = "", ""
	return c, nil
}

// at returns a version of a file.
func (v *Versions) at(ctx context.Context, p *past, at string) (f FileVersion, err error) {
	var s timeline.State
	var gap *timeline.Gap
	ok := false
	switch when, isTime := query.ParseTime(at, v.Now()); {
	case at == "":
		s, ok = p.last()
	case isTime:
		s, gap, ok = timeline.At(p.events, when)
	default:
		s, gap, ok, err = v.atAddress(ctx, p, at)
	}
	if err != nil {
		return f, err
	}
	if !ok {
		return f, errEarly
	}
	f = FileVersion{
		Path: p.path, Asked: at, Time: stamp.Time{Time: s.At}, Sure: s.Sure, Source: "transcript", Absent: s.Absent,
		Lines: len(s.Lines), Outside: interval(gap), Covered: ask.NewCovered(p.covered),
	}
	if !s.Absent {
		f.Text = s.Text()
	}
	if b, ok := p.backups[s.Event]; ok && !s.Found {
		f.Source, f.mode = "copy", v.modeOf(b)
	}
	if !s.Found {
		f.Writer = p.writerOf(s.Event)
	}
	return f, nil
}

// modeOf returns the mode of a copy, which is that of the file; 0: not known.
func (v *Versions) modeOf(b backup) uint32 {
	home := v.Homes.At(b.root)
	if home == nil {
		return 0
	}
	if info := home.Store.Files().Stat(b.name); info != nil {
		return uint32(info.Mode().Perm())
	}
	return 0
}

// writerOf is who made an event, if it wrote.
func (p *past) writerOf(event int) *Writer {
	switch p.events[event].Kind {
	case timeline.Wrote, timeline.Edited, timeline.Changed:
		return p.writers[event]
	}
	return nil
}

// last is the last state that is known.
func (p *past) last() (last timeline.State, ok bool) {
	timeline.Follow(p.events, func(s timeline.State) bool {
		last, ok = s, true
		return true
	})
	return last, ok
}

// before is the state that an event found.
func (p *past) before(event int) (found timeline.State, ok bool) {
	timeline.Follow(p.events, func(s timeline.State) bool {
		if s.Event != event {
			found, ok = s, true
			return true
		}
		if s.Found {
			found, ok = s, true
		} else if !ok && p.events[event].Created {
			found, ok = timeline.State{At: s.At, Event: event, Found: true, Absent: true, Sure: timeline.Exact}, true
		}
		return false
	})
	return found, ok
}

// after is the state that an event left.
func (p *past) after(event int) (left timeline.State, ok bool) {
	timeline.Follow(p.events, func(s timeline.State) bool {
		if s.Event == event && !s.Found {
			left, ok = s, true
		}
		return !ok
	})
	return left, ok
}

// atAddress finds the state that an address means.
func (v *Versions) atAddress(ctx context.Context, p *past, at string) (s timeline.State, gap *timeline.Gap, ok bool, err error) {
	if id, isID := messageIn(at); isID {
		if s, ok := p.atMessage(id); ok {
			return s, nil, true, nil
		}
	}
	t, err := v.Catalog.Find(ctx, at)
	if err != nil {
		return s, nil, false, err
	}
	when, err := v.timeOf(ctx, t)
	if err != nil {
		return s, nil, false, err
	}
	s, gap, ok = timeline.At(p.events, when)
	return s, gap, ok, nil
}

// messageIn finds the beginning of a message's id in an address, or takes all of it for one.
func messageIn(at string) (id string, ok bool) {
	if _, id, found := strings.Cut(at, "#"); found {
		id, _, _ = strings.Cut(id, "@")
		return strings.ToLower(id), len(id) >= 4
	}
	return strings.ToLower(at), len(at) >= 4 && !strings.ContainsAny(at, "/:@ ")
}

// atMessage finds the state before the changes of a prompt, or after the change of a line.
func (p *past) atMessage(id string) (timeline.State, bool) {
	first, change := -1, -1
	for i, b := range p.backups {
		if strings.HasPrefix(b.prompt, id) && (first < 0 || p.events[i].At.Before(p.events[first].At)) {
			first = i
		}
	}
	if first >= 0 {
		return p.after(first) // the copy is what a rewind puts back
	}
	for i, w := range p.writers {
		switch {
		case w == nil:
		case strings.HasPrefix(w.UUID, id):
			change = i
		case strings.HasPrefix(w.PromptID, id) && (first < 0 || p.events[i].At.Before(p.events[first].At)):
			first = i
		}
	}
	if first >= 0 {
		return p.before(first)
	}
	if change >= 0 {
		return p.after(change)
	}
	return timeline.State{}, false
}

// timeOf is the time that an address means: that of a message, or the end of a session.
func (v *Versions) timeOf(ctx context.Context, t catalog.Target) (time.Time, error) {
	if t.Message == "" {
		page, err := v.Catalog.List(ctx, ask.Filter{Source: ask.AllSources, Archived: ask.ArchivedToo, ID: rowID(t), Now: v.Now(), Uncounted: true})
		if err != nil {
			return time.Time{}, err
		}
		for i := range page.Sessions {
			if r := &page.Sessions[i]; r.Root == t.Store.Root() && r.Ref.File == t.Ref.File {
				return r.LastActivityAt.Time, nil
			}
		}
	}
	for e, err := range t.Store.Entries(t.Ref.File) {
		if err != nil {
			return time.Time{}, err
		}
		if t.Message != "" && strings.HasPrefix(e.UUID, strings.ToLower(t.Message)) {
			return e.Time, nil
		}
	}
	return time.Time{}, errcode.New(errcode.NotFound, errors.New("the session has no such message"))
}

func rowID(t catalog.Target) string {
	if t.Ref.Agent != "" {
		return "agent-" + string(t.Ref.Agent)
	}
	return string(t.Ref.Session)
}

// SplitAt splits PATH@TIME, PATH@PROMPT or PATH@SESSION. What stands behind a slash belongs to the path.
func SplitAt(text string) (path, at string) {
	i := strings.LastIndexByte(text, '@')
	if i <= 0 || strings.ContainsRune(text[i:], '/') {
		return text, ""
	}
	if rest, home := text[:i], text[i+1:]; strings.ContainsRune(rest, '#') { // PATH@SESSION#PROMPT@HOME
		if j := strings.LastIndexByte(rest, '@'); j > 0 {
			return rest[:j], fmt.Sprintf("%s@%s", rest[j+1:], home)
		}
	}
	return text[:i], text[i+1:]
}
