package sesskeep

import (
	"io/fs"
	"iter"
	"path"
	"regexp"
	"strings"
	"sync"
	"time"

	"sesskeep/homefs"
)

// Ref names one transcript file: the main one of a session, or an agent's.
type Ref struct {
	File string // path inside the home
	Dir  ProjectKey
	// Session is the session it belongs to. The path of a flat
	// agent file does not name it: there it is empty until the lines are read.
	Session  SessionID
	Agent    AgentID // empty for a main transcript
	Layout   Layout
	Workflow string // of an agent that a workflow started
	Size     int64
	Modtime  time.Time
	Stat     homefs.Mark // its status in the file system, with nothing read
	Meta     homefs.Mark // the same of an agent's meta file, if there is one
}

// Layout says where a transcript lies.
type Layout string

// The layouts. Clients before 2.0 wrote agents into the main file: those have
// no file of their own.
const (
	LayoutMain     Layout = "main"     // <dir>/<session>.jsonl
	LayoutFlat     Layout = "flat"     // <dir>/agent-<id>.jsonl, 2.0
	LayoutNested   Layout = "nested"   // <dir>/<session>/subagents/agent-<id>.jsonl, since 2.1
	LayoutWorkflow Layout = "workflow" // <dir>/<session>/subagents/workflows/<run>/agent-<id>.jsonl
)

// Folder lists the contents of one project directory.
type Folder struct {
	Dir      ProjectKey
	Refs     []Ref
	Results  map[SessionID][]string // names below <session>/tool-results
	Lone     []Ref                  // agents without a transcript; File is the meta file
	Problems []Problem              // what looks like a transcript and cannot be one
	Memory   bool                   // has a memory/ directory
	Dirs     []Dir                  // all directories that were listed
}

// Dir is a directory and the time when an entry was last added to it or
// removed.
type Dir struct {
	Name    string // path inside the home
	Modtime int64  // nanoseconds since 1970
}

var agentName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^agent-([A-Za-z0-9_-]{1,128})\.jsonl$`) })

// Folders lists all project directories with their contents.
func (s *Store) Folders() ([]Folder, error) {
	keys, err := s.ProjectKeys()
	if err != nil {
		return nil, err
	}
	var folders []Folder
	for _, key := range keys {
		folders = append(folders, s.Folder(key))
	}
	return folders, nil
}

// ProjectKeys lists the names of all project directories.
func (s *Store) ProjectKeys() ([]ProjectKey, error) {
	entries, err := s.files.ReadDir("projects")
	if err != nil {
		return nil, err
	}
	var keys []ProjectKey
	for _, e := range entries {
		if s.isDir(path.Join("projects", e.Name()), e) {
			keys = append(keys, ProjectKey(e.Name()))
		}
	}
	return keys, nil
}

// isDir reports whether an entry is a directory, or a link to one.
func (s *Store) isDir(name string, e fs.DirEntry) bool {
	if e.Type()&fs.ModeSymlink == 0 {
		return e.IsDir()
	}
	info := s.files.Stat(name)
	return info != nil && info.IsDir()
}

// Folder lists one project directory and reports what it cannot read as
// Problems. If sessions are named, it lists only what lies beside their transcripts.
func (s *Store) Folder(dir ProjectKey, beside ...SessionID) Folder {
	l := &lister{store: s, Folder: Folder{Dir: dir, Results: map[SessionID][]string{}}}
	base := path.Join("projects", string(dir))
	if len(beside) > 0 {
		for _, id := range beside {
			l.side(id, path.Join(base, string(id)))
		}
		return l.Folder
	}
	for _, e := range l.read(base) {
		name := path.Join(base, e.Name())
		stem, isLines := strings.CutSuffix(e.Name(), ".jsonl")
		switch {
		case isLines && IsUUID(stem):
			l.add(Ref{File: name, Session: SessionID(stem), Layout: LayoutMain}, e)
		case isLines && agentName().MatchString(e.Name()):
			l.add(Ref{File: name, Agent: agentID(e.Name()), Layout: LayoutFlat}, e)
		case e.Name() == "memory":
			l.Memory = true
		case IsUUID(e.Name()) && s.isDir(name, e):
			l.side(SessionID(e.Name()), name)
		}
	}
	return l.Folder
}

// Sessions yields the main transcript of every session, directory by directory: those of
// the directories in, or of all if none is named. It reads no other file, which makes it
// much cheaper than Folders. A directory or a file that cannot be read is an error with an
// empty Ref, after which the others follow.
func (s *Store) Sessions(in ...ProjectKey) iter.Seq2[Ref, error] {
	return func(yield func(Ref, error) bool) {
		keys := in
		if len(in) == 0 {
			var err error
			if keys, err = s.ProjectKeys(); err != nil {
				yield(Ref{}, err)
				return
			}
		}
		for _, key := range keys {
			if !s.sessionsIn(key, yield) {
				return
			}
		}
	}
}

// sessionsIn yields the sessions of one directory, and reports whether there is to be more.
func (s *Store) sessionsIn(key ProjectKey, yield func(Ref, error) bool) bool {
	var failed []error
	l := &lister{store: s, Folder: Folder{Dir: key}, unread: func(name string, err error) {
		failed = append(failed, &Error{Op: "read", Name: s.Path(name), Err: Cause(err)})
	}}
	l.sessions("")
	for _, err := range failed {
		if !yield(Ref{}, err) {
			return false
		}
	}
	for _, ref := range l.Refs {
		if !yield(ref, nil) {
			return false
		}
	}
	return true
}

// Find lists the main transcripts of the sessions whose id starts with prefix, which must
// be in lower case. A session that was copied is listed once for each of its files. Find
// passes over what cannot be read; Sessions reports it.
func (s *Store) Find(prefix string) ([]Ref, error) {
	keys, err := s.ProjectKeys()
	if err != nil {
		return nil, err
	}
	var refs []Ref
	for _, key := range keys {
		l := &lister{store: s, Folder: Folder{Dir: key}}
		l.sessions(prefix)
		refs = append(refs, l.Refs...)
	}
	return refs, nil
}

// sessions lists the main transcripts whose id starts with prefix.
func (l *lister) sessions(prefix string) {
	base := path.Join("projects", string(l.Dir))
	for _, e := range l.read(base) {
		stem, isLines := strings.CutSuffix(e.Name(), ".jsonl")
		if isLines && strings.HasPrefix(strings.ToLower(stem), prefix) && IsUUID(stem) {
			l.add(Ref{File: path.Join(base, e.Name()), Session: SessionID(stem), Layout: LayoutMain}, e)
		}
	}
}

func agentID(file string) AgentID {
	return AgentID(strings.TrimSuffix(strings.TrimPrefix(file, "agent-"), ".jsonl"))
}

// lister fills a Folder.
type lister struct {
	Folder
	store *Store
	// unread is given what cannot be read, and why; it may be nil.
	unread func(name string, err error)
}

func (l *lister) read(name string) []fs.DirEntry {
	// The time is taken first: what comes in between is seen as a change.
	if info := l.store.files.Stat(name); info != nil {
		l.Dirs = append(l.Dirs, Dir{name, info.ModTime().UnixNano()})
	}
	entries, err := l.store.files.ReadDir(name)
	if err != nil {
		l.fail(name, err)
	}
	return entries
}

// fail notes a file or directory that cannot be read.
func (l *lister) fail(name string, err error) {
	l.Problems = append(l.Problems, Problem{Code: ProblemUnreadable, File: name, Reason: Cause(err).Error(), Lost: true})
	if l.unread != nil {
		l.unread(name, err)
	}
}

// add takes a file in if it is one that can be read as lines.
func (l *lister) add(ref Ref, e fs.DirEntry) {
	info, err := l.info(ref.File, e)
	switch {
	case err != nil:
		l.fail(ref.File, err)
		return
	case !info.Mode().IsRegular():
		l.fail(ref.File, homefs.ErrNotRegular)
		return
	}
	ref.Dir, ref.Size, ref.Modtime, ref.Stat = l.Dir, info.Size(), info.ModTime(), homefs.MarkOf(info)
	l.Refs = append(l.Refs, ref)
}

func (l *lister) info(name string, e fs.DirEntry) (fs.FileInfo, error) {
	if e.Type()&fs.ModeSymlink != 0 {
		return l.store.files.Info(name)
	}
	return e.Info()
}

// side lists the directory beside a session's transcript.
func (l *lister) side(id SessionID, base string) {
	for _, e := range l.read(base) {
		name := path.Join(base, e.Name())
		switch {
		case !e.IsDir():
		case e.Name() == "subagents":
			l.agents(Ref{Session: id, Layout: LayoutNested}, name)
		case e.Name() == "tool-results":
			for _, r := range l.read(name) {
				if r.Type().IsRegular() {
					l.Results[id] = append(l.Results[id], r.Name())
				}
			}
		}
	}
}

// agents lists a directory of agent transcripts; workflows keep theirs in
// directories of their own below it.
func (l *lister) agents(ref Ref, base string) {
	entries := l.read(base)
	have := map[AgentID]bool{}
	metas := map[string]fs.DirEntry{}
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".meta.json"); ok {
			metas[name+".jsonl"] = e
		}
	}
	for _, e := range entries {
		if agentName().MatchString(e.Name()) {
			ref.File, ref.Agent, ref.Meta = path.Join(base, e.Name()), agentID(e.Name()), homefs.Mark{}
			if m := metas[e.Name()]; m != nil {
				if info, err := l.info(path.Join(base, m.Name()), m); err == nil {
					ref.Meta = homefs.MarkOf(info)
				}
			}
			l.add(ref, e)
			have[ref.Agent] = true
		}
	}
	for _, e := range entries {
		name := path.Join(base, e.Name())
		id, isMeta := strings.CutSuffix(e.Name(), ".meta.json")
		switch {
		case isMeta && !e.IsDir() && strings.HasPrefix(id, "agent-") && !have[AgentID(id[len("agent-"):])]:
			ref.File, ref.Agent, ref.Dir = name, AgentID(id[len("agent-"):]), l.Dir
			l.Lone = append(l.Lone, ref)
		case e.IsDir() && ref.Layout == LayoutNested && e.Name() == "workflows":
			for _, run := range l.read(name) {
				if run.IsDir() {
					l.agents(Ref{Session: ref.Session, Layout: LayoutWorkflow, Workflow: run.Name()}, path.Join(name, run.Name()))
				}
			}
		}
	}
}

// Ref describes the transcript called name. The second result is false if the file is
// missing or not a transcript.
func (s *Store) Ref(name string) (Ref, bool) {
	ref, ok := ParseRef(name)
	if !ok || homefs.Denied(name) {
		return ref, false
	}
	info := s.files.Stat(name)
	if info == nil || !info.Mode().IsRegular() {
		return ref, false
	}
	ref.Size, ref.Modtime, ref.Stat = info.Size(), info.ModTime(), homefs.MarkOf(info)
	if ref.Layout == LayoutNested || ref.Layout == LayoutWorkflow {
		ref.Meta, _ = s.files.Stamp(strings.TrimSuffix(name, ".jsonl") + ".meta.json")
	}
	return ref, true
}

// ParseRef returns what the path of a transcript inside a home says about it, without
// reading the file. The second result is false if it is not the path of a transcript.
func ParseRef(name string) (ref Ref, ok bool) {
	parts := strings.Split(name, "/")
	if len(parts) < 3 || parts[0] != "projects" {
		return ref, false
	}
	file := parts[len(parts)-1]
	stem, ok := strings.CutSuffix(file, ".jsonl")
	ref = Ref{File: name, Dir: ProjectKey(parts[1])}
	switch {
	case !ok:
	case len(parts) == 3 && IsUUID(stem):
		ref.Session, ref.Layout = SessionID(stem), LayoutMain
	case !agentName().MatchString(file):
		return ref, false
	case len(parts) == 3:
		ref.Agent, ref.Layout = agentID(file), LayoutFlat
	case len(parts) < 5 || !IsUUID(parts[2]) || parts[3] != "subagents":
		return ref, false
	case len(parts) == 5:
		ref.Session, ref.Agent, ref.Layout = SessionID(parts[2]), agentID(file), LayoutNested
	case len(parts) == 7 && parts[4] == "workflows":
		ref.Session, ref.Agent, ref.Layout, ref.Workflow = SessionID(parts[2]), agentID(file), LayoutWorkflow, parts[5]
	default:
		return ref, false
	}
	return ref, ok
}

// ID returns the name of the transcript in lists: the UUID of the session, or
// "agent-" and the id of the agent.
func (r Ref) ID() string {
	if r.Agent != "" {
		return "agent-" + string(r.Agent)
	}
	return string(r.Session)
}
