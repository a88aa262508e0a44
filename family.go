package sesskeep

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"time"

	"sesskeep/homefs"
)

// Family is a session with everything that belongs to it. Moves and copies
// take a whole family.
type Family struct {
	Key    Key
	Main   *Ref  // nil when only parts are left
	Agents []Ref // with files of their own, of every layout
	Lone   []Ref // agents without a transcript; File is the meta file
	// Twins are further transcripts with the key of Main or of an agent, left by
	// copies and by moves that were cut short. The one active last is the one
	// that counts, and stands above.
	Twins []Ref
	// The rest are paths inside the home: large tool outputs that were saved to
	// files, and the small files around a session (meta files, workflows, tasks,
	// plans, file history).
	Results  []string
	Sidecars []string
	// Problems are the directories and files that could not be read: what lies there
	// may belong to the family too.
	Problems []Problem
}

// Family finds everything that belongs to a session, in all project directories.
// The slugs that name a session's plans are in the lines of its transcript, so
// the caller passes those it knows. Family returns ErrNotFound when nothing of
// the session is left, and ErrIncomplete, with what was found, when a part of it
// could not be read.
func (s *Store) Family(id SessionID, slugs ...string) (Family, error) {
	f := Family{Key: s.SessionKey(id)}
	if !IsUUID(string(id)) {
		return f, &Error{Op: "find", Name: string(id), Err: ErrNotFound}
	}
	keys, err := s.distinctDirs()
	if err != nil {
		return f, err
	}
	var refs []Ref
	closed := map[string]error{} // directories that cannot be looked into
	for _, key := range keys {
		dir := path.Join("projects", string(key))
		_, errDir := s.files.Info(path.Join(dir, string(id)))
		_, errMain := s.files.Info(path.Join(dir, string(id)+".jsonl"))
		switch {
		case errors.Is(errDir, fs.ErrNotExist) && errors.Is(errMain, fs.ErrNotExist):
		case errDir != nil && errMain != nil:
			closed[dir] = errMain
		default:
			refs = append(refs, s.familyIn(key, id, &f)...)
		}
	}
	if len(refs) == 0 { // otherwise something of it is there
		for dir, err := range closed {
			f.unread(dir, err)
		}
	}
	f.chooseTranscripts(s, refs)
	f.sidecars(s, slugs)
	switch {
	case len(f.Problems) > 0:
		return f, &Error{Op: "find", Name: string(id), Err: incomplete(s, f.Problems)}
	case len(f.Files()) == 0:
		return f, &Error{Op: "find", Name: string(id), Err: ErrNotFound}
	}
	return f, nil
}

// incomplete is the error of what could not be read.
func incomplete(s *Store, problems []Problem) error {
	more := ""
	if n := len(problems) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more)", n)
	}
	return fmt.Errorf("%w: %s: %s%s", ErrIncomplete, s.Path(problems[0].File), problems[0].Reason, more)
}

// unread notes that a file or directory could not be read. What is not there, is
// on the deny-list or is no file at all belongs to no family.
func (f *Family) unread(name string, err error) {
	if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, homefs.ErrDenied) || errors.Is(err, homefs.ErrNotRegular) {
		return
	}
	p := Problem{Code: ProblemUnreadable, File: name, Reason: Cause(err).Error(), Lost: true}
	if !slices.Contains(f.Problems, p) { // it was asked for twice
		f.Problems = append(f.Problems, p)
	}
}

// distinctDirs lists the project directories without those that are links to
// others: what lies in them is not there twice.
func (s *Store) distinctDirs() ([]ProjectKey, error) {
	entries, err := s.files.ReadDir("projects")
	if err != nil {
		return nil, err
	}
	isLink := func(e fs.DirEntry) int { return int(e.Type() & fs.ModeSymlink) }
	slices.SortStableFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(isLink(a), isLink(b)) })
	var keys []ProjectKey
	var dirs []fs.FileInfo
	for _, e := range entries {
		name := path.Join("projects", e.Name())
		if !s.isDir(name, e) {
			continue
		}
		if isLink(e) == 0 {
			keys = append(keys, ProjectKey(e.Name()))
			continue
		}
		target := s.files.Stat(name)
		if dirs == nil {
			dirs = s.infos(keys)
		}
		if target != nil && !slices.ContainsFunc(dirs, func(d fs.FileInfo) bool { return os.SameFile(d, target) }) {
			keys, dirs = append(keys, ProjectKey(e.Name())), append(dirs, target)
		}
	}
	return keys, nil
}

// infos is what the file system says of project directories.
func (s *Store) infos(keys []ProjectKey) []fs.FileInfo {
	var list []fs.FileInfo
	for _, key := range keys {
		if info := s.files.Stat(path.Join("projects", string(key))); info != nil {
			list = append(list, info)
		}
	}
	return list
}

// familyIn adds what one project directory has of a session, and returns its
// transcripts.
func (s *Store) familyIn(dir ProjectKey, id SessionID, f *Family) []Ref {
	l := &lister{store: s, Folder: Folder{Dir: dir, Results: map[SessionID][]string{}}, unread: f.unread}
	base := path.Join("projects", string(dir))
	for _, e := range l.read(base) {
		name := path.Join(base, e.Name())
		switch {
		case e.Name() == string(id)+".jsonl":
			l.add(Ref{File: name, Session: id, Layout: LayoutMain}, e)
		case e.Name() == string(id) && s.isDir(name, e):
			l.side(id, name)
			f.Sidecars = append(f.Sidecars, s.walk(name, f.unread)...)
		case agentName().MatchString(e.Name()):
			ref := Ref{File: name, Agent: agentID(e.Name()), Layout: LayoutFlat}
			parent, err := s.parent(ref)
			f.unread(name, err)
			if ref.Session = parent; parent == id {
				l.add(ref, e)
			}
		}
	}
	for _, result := range l.Results[id] {
		f.Results = append(f.Results, path.Join(base, string(id), "tool-results", result))
	}
	f.Lone = append(f.Lone, l.Lone...)
	return l.Refs
}

// chooseTranscripts separates the transcripts that count from their duplicates.
func (f *Family) chooseTranscripts(s *Store, refs []Ref) {
	same := map[AgentID][]Ref{}
	var agents []AgentID
	for _, ref := range refs {
		if same[ref.Agent] == nil {
			agents = append(agents, ref.Agent)
		}
		same[ref.Agent] = append(same[ref.Agent], ref)
	}
	for _, agent := range agents {
		list := s.lastActive(same[agent])
		f.Twins = append(f.Twins, list[1:]...)
		if agent == "" {
			f.Main = &list[0]
		} else {
			f.Agents = append(f.Agents, list[0])
		}
	}
	// An agent with a transcript in one directory is not lone in another.
	f.Lone = slices.DeleteFunc(f.Lone, func(lone Ref) bool { return same[lone.Agent] != nil })
}

// lastActive sorts files of one key, the one with the latest line first, and of those with the
// same one a file on disk before a copy: it is the session, the others are its twins. What else
// the file system says of the files does not matter, because copying changes it.
func (s *Store) lastActive(refs []Ref) []Ref {
	if len(refs) < 2 {
		return refs
	}
	last := map[string]time.Time{}
	for _, ref := range refs {
		d, err := s.Digest(ref.File)
		if err == nil { // else it has no line that could be read
			last[ref.File] = d.LastActive
		}
	}
	gone := map[string]int{}
	for _, ref := range refs {
		if s.files.Missing(ref.File) {
			gone[ref.File] = 1
		}
	}
	slices.SortFunc(refs, func(a, b Ref) int {
		return cmp.Or(last[b.File].Compare(last[a.File]), cmp.Compare(gone[a.File], gone[b.File]), cmp.Compare(b.Size, a.Size), cmp.Compare(a.File, b.File))
	})
	return refs
}

// Files lists all files of the family as paths inside the home, each once.
func (f *Family) Files() []string {
	var files []string
	if f.Main != nil {
		files = append(files, f.Main.File)
	}
	for _, list := range [][]Ref{f.Agents, f.Lone, f.Twins} {
		for _, ref := range list {
			files = append(files, ref.File)
		}
	}
	files = append(append(files, f.Results...), f.Sidecars...)
	slices.Sort(files)
	return files
}

// Parent returns the session to which an agent's transcript belongs. It is empty if the
// transcript does not name one, or cannot be read.
func (s *Store) Parent(ref Ref) SessionID {
	id, _ := s.parent(ref)
	return id
}

func (s *Store) parent(ref Ref) (SessionID, error) {
	if ref.Session != "" || ref.Agent == "" {
		return ref.Session, nil
	}
	t, err := s.Tail(ref.File, homefs.Mark{})
	if err != nil {
		return "", err
	}
	defer t.Close()
	for e, ok := t.Next(); ok; e, ok = t.Next() {
		if e.Chain() && e.Session != "" {
			return e.Session, nil
		}
	}
	return "", t.Err()
}
