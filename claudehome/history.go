package claudehome

import (
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/jsonl"
)

// History is what people typed into the client, in all projects: prompts and
// slash commands of interactive sessions. Prompts of print mode are not in it.
// The client never deletes it, so it outlives the transcripts.
type History []HistoryEntry

// HistoryEntry is one line of history.jsonl.
type HistoryEntry struct {
	Display string  // what was typed, whole, with a placeholder for each paste
	Pastes  []Paste // by ID; images leave only their placeholder
	Time    time.Time
	Project string             // absolute path of the directory it was typed in
	Session sesskeep.SessionID // empty before about 2.0.60
	Line    int                // counting from 1; 0: not counted
	Offset  int64              // where the record starts in the file
}

// Paste is something that was pasted rather than typed.
type Paste struct {
	ID        int    // the number in its placeholder, as in "[Pasted text #1 +12 lines]"
	Kind      string // "text" or "image"
	Content   string // short texts are kept in the line
	Hash      string // longer ones in a file of this name, see ReadPaste
	MediaType string // of an image
	Name      string // of the pasted file
}

const historyFile = "history.jsonl"

// ReadHistory reads history.jsonl in the order of its lines, which is not always
// the order of time. It returns a line that was written twice once. A home
// without the file has no history.
func ReadHistory(s *homefs.Home) (History, []sesskeep.Problem, error) {
	f, err := s.Open(historyFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()

	h := historyReader{seen: map[[4]string]bool{}}
	r := jsonl.NewReader(f, 0, 1)
	for r.Next() {
		h.add(r.Line())
	}
	if line, ok := r.Rest(); ok {
		h.add(line)
	}
	if err := r.Err(); err != nil {
		return h.entries, h.problems, &sesskeep.Error{Op: "read", Name: s.Path(historyFile), Err: sesskeep.Cause(err)}
	}
	return h.entries, h.problems, nil
}

// historyReader collects entries. The client identifies a prompt by its time and
// session; project and text distinguish the old ones without session.
type historyReader struct {
	entries  History
	problems []sesskeep.Problem
	seen     map[[4]string]bool
}

// add takes the records out of a line: one, unless the line is damaged.
func (h *historyReader) add(line jsonl.Line) {
	err := h.record(line.Bytes, line.Number, line.Offset+int64(line.Skip))
	if err == nil {
		return
	}
	if len(line.Bytes) == 0 { // too long, or nothing but NUL
		err = errors.New(line.Flaws.String())
	}
	pieces := jsonl.Salvage(line)
	if len(pieces) < 2 {
		h.lose(line.Number, line.Offset, line.Length, err)
		return
	}
	for _, piece := range pieces {
		if err := h.record(piece.Bytes, line.Number, piece.Offset); err != nil {
			h.lose(line.Number, piece.Offset, int64(len(piece.Bytes)), err)
		}
	}
}

func (h *historyReader) lose(number int, offset, length int64, err error) {
	h.problems = append(h.problems, sesskeep.Problem{
		Code: sesskeep.ProblemBroken, File: historyFile, Line: number, Offset: offset, Length: length,
		Reason: err.Error(), Lost: true,
	})
}

func (h *historyReader) record(data []byte, number int, offset int64) error {
	var w wireHistory
	if err := json.Unmarshal(data, &w); err != nil {
		return jsonReason(err)
	}
	if w.Display == nil {
		return errors.New("nothing was typed")
	}
	e := HistoryEntry{
		Display: string(*w.Display),
		Pastes:  w.Pasted,
		Time:    time.Time(w.Timestamp),
		Project: string(w.Project),
		Session: sesskeep.SessionID(w.SessionID),
		Line:    number, Offset: offset,
	}
	key := [4]string{e.Time.String(), string(e.Session), e.Project, e.Display}
	if !h.seen[key] {
		h.seen[key] = true
		h.entries = append(h.entries, e)
	}
	return nil
}

type wireHistory struct {
	Display   *looseText `json:"display"`
	Pasted    wirePastes `json:"pastedContents"`
	Timestamp looseTime  `json:"timestamp"`
	Project   looseText  `json:"project"`
	SessionID looseText  `json:"sessionId"`
}

// wirePastes reads an object of pastes by number. Anything else is none.
type wirePastes []Paste

func (p *wirePastes) UnmarshalJSON(data []byte) error {
	var byID map[string]struct {
		ID        looseInt  `json:"id"`
		Type      looseText `json:"type"`
		Content   looseText `json:"content"`
		Hash      looseText `json:"contentHash"`
		MediaType looseText `json:"mediaType"`
		Filename  looseText `json:"filename"`
	}
	*p = nil
	if json.Unmarshal(data, &byID) != nil {
		return nil
	}
	for key, w := range byID {
		id, _ := strconv.Atoi(key)
		*p = append(*p, Paste{
			ID: cmp.Or(id, int(w.ID)), Kind: string(w.Type), Content: string(w.Content), Hash: string(w.Hash),
			MediaType: string(w.MediaType), Name: string(w.Filename),
		})
	}
	slices.SortFunc(*p, func(a, b Paste) int { return cmp.Compare(a.ID, b.ID) })
	return nil
}

var pasteHash = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{16}$`) })

// ReadPaste returns the pasted text. It fails with sesskeep.ErrNotFound if the
// client has removed the text, or if an image was pasted: both are normal.
func ReadPaste(s *homefs.Home, p Paste) (string, error) {
	if p.Content != "" {
		return p.Content, nil
	}
	if !pasteHash().MatchString(p.Hash) {
		return "", &sesskeep.Error{Op: "paste", Name: "#" + strconv.Itoa(p.ID), Err: sesskeep.ErrNotFound}
	}
	data, err := s.ReadFile("paste-cache/"+p.Hash+".txt", 64<<20)
	if errors.Is(err, fs.ErrNotExist) {
		err = &sesskeep.Error{Op: "paste", Name: p.Hash, Err: sesskeep.ErrNotFound}
	}
	return string(data), err
}

var placeholder = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\[(?:\.\.\.)?[A-Z][a-z]+(?: text)? #(\d{1,6})(?: \+\d+ lines?)?(?:\.\.\.)?\]`)
})

// Expand returns what was typed with the pasted texts in their places. A paste
// that cannot be read keeps its placeholder and is returned in missing.
func Expand(s *homefs.Home, e HistoryEntry) (text string, missing []Paste) {
	texts := map[string]string{}
	for _, p := range e.Pastes {
		content, err := ReadPaste(s, p)
		if err != nil {
			missing = append(missing, p)
			continue
		}
		texts[strconv.Itoa(p.ID)] = content
	}
	// One pass over what was typed: a paste may itself contain a placeholder.
	text = placeholder().ReplaceAllStringFunc(e.Display, func(mark string) string {
		if content, ok := texts[placeholder().FindStringSubmatch(mark)[1]]; ok {
			return content
		}
		return mark
	})
	return text, missing
}

// HistoryQuery says which entries are wanted. The zero value wants all.
type HistoryQuery struct {
	Text    string // somewhere in the prompt, in any case
	Pastes  bool   // or in a paste that is kept in the line
	Project string // typed in this directory or below it
	Session sesskeep.SessionID
	Since   time.Time // at this time or later
	Until   time.Time // before this time
	Limit   int       // 0: all
}

// Search returns the matching entries, newest first.
func (h History) Search(q HistoryQuery) History {
	q.Text = strings.ToLower(q.Text)
	var found History
	for _, e := range h {
		if q.matches(e) {
			found = append(found, e)
		}
	}
	slices.SortStableFunc(found, func(a, b HistoryEntry) int {
		return cmp.Or(b.Time.Compare(a.Time), cmp.Compare(b.Offset, a.Offset))
	})
	if q.Limit > 0 && len(found) > q.Limit {
		found = found[:q.Limit]
	}
	return found
}

func (q HistoryQuery) matches(e HistoryEntry) bool {
	has := func(text string) bool { return strings.Contains(strings.ToLower(text), q.Text) }
	inPaste := func(p Paste) bool { return has(p.Content) }
	return (q.Session == "" || e.Session == q.Session) &&
		(q.Since.IsZero() || !e.Time.Before(q.Since)) &&
		(q.Until.IsZero() || e.Time.Before(q.Until)) &&
		(q.Project == "" || within(e.Project, q.Project)) &&
		(has(e.Display) || q.Pastes && slices.ContainsFunc(e.Pastes, inPaste))
}

// within reports whether path is dir or lies below it. History files travel
// between machines, so the form of dir and not ours decides what a path is.
func within(path, dir string) bool {
	separators := "/"
	if strings.HasPrefix(dir, `\\`) || len(dir) > 1 && dir[1] == ':' { // of Windows
		separators = `/\`
		path, dir = strings.ToLower(path), strings.ToLower(dir)
	}
	dir = strings.TrimRight(dir, separators)
	rest, ok := strings.CutPrefix(path, dir)
	return ok && (rest == "" || strings.ContainsRune(separators, rune(rest[0])))
}

// ProjectUse counts what was typed in one directory.
type ProjectUse struct {
	Path     string
	Prompts  int
	Sessions int // those that are known, see HistoryEntry.Session
	First    time.Time
	Last     time.Time
}

// Projects lists the directories, the most recently used first.
func (h History) Projects() []ProjectUse {
	var uses []ProjectUse
	for path, t := range groupHistory(h, func(e HistoryEntry) string { return e.Project }) {
		uses = append(uses, ProjectUse{path, t.prompts, len(t.sessions), t.first, t.last})
	}
	slices.SortFunc(uses, func(a, b ProjectUse) int {
		return cmp.Or(b.Last.Compare(a.Last), cmp.Compare(a.Path, b.Path))
	})
	return uses
}

// Day is what was typed on one day.
type Day struct {
	Start    time.Time // midnight where the timeline was asked for
	Prompts  int
	Sessions int
	Projects int
}

// Timeline counts what was typed per day in loc, or in UTC if loc is nil. It
// leaves out days without a prompt; the oldest day comes first.
func (h History) Timeline(loc *time.Location) []Day {
	if loc == nil {
		loc = time.UTC
	}
	midnight := func(e HistoryEntry) time.Time {
		if e.Time.IsZero() {
			return time.Time{}
		}
		y, m, d := e.Time.In(loc).Date()
		return time.Date(y, m, d, 0, 0, 0, 0, loc)
	}
	var days []Day
	for start, t := range groupHistory(h, midnight) {
		days = append(days, Day{start, t.prompts, len(t.sessions), len(t.projects)})
	}
	slices.SortFunc(days, func(a, b Day) int { return a.Start.Compare(b.Start) })
	return days
}

// tally counts the entries of one group.
type tally struct {
	prompts     int
	first, last time.Time
	sessions    map[sesskeep.SessionID]bool
	projects    map[string]bool
}

// groupHistory tallies the entries by key. Those whose key is zero do not say where
// they belong and are left out.
func groupHistory[K comparable](h History, key func(HistoryEntry) K) map[K]*tally {
	var none K
	groups := map[K]*tally{}
	for _, e := range h {
		k := key(e)
		if k == none {
			continue
		}
		if groups[k] == nil {
			groups[k] = &tally{sessions: map[sesskeep.SessionID]bool{}, projects: map[string]bool{}}
		}
		groups[k].add(e)
	}
	return groups
}

func (t *tally) add(e HistoryEntry) {
	t.prompts++
	if e.Session != "" {
		t.sessions[e.Session] = true
	}
	if e.Project != "" {
		t.projects[e.Project] = true
	}
	if t.first.IsZero() || !e.Time.IsZero() && e.Time.Before(t.first) {
		t.first = e.Time
	}
	if e.Time.After(t.last) {
		t.last = e.Time
	}
}
