package versions

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/index"
	"sesskeep/internal/reading"
	"sesskeep/internal/stamp"
	"sesskeep/internal/timeline"
)

// past is all that is known of one file: what happened to it, and by whom.
type past struct {
	path    string
	events  []timeline.Event
	writers []*Writer // of each event; nil: it was a copy of the client's
	backups map[int]backup
	covered ask.Coverage
}

func (p *past) add(e timeline.Event, w *Writer) {
	p.events = append(p.events, e)
	p.writers = append(p.writers, w)
}

// read finds the past of a file. A path that is not absolute is the end of one; then it is
// [errcode.Ambiguous] where several files end so, as a [SeveralError].
func (v *Versions) read(ctx context.Context, path string) (*past, error) {
	path = filepath.ToSlash(filepath.Clean(path))
	p := &past{path: path, backups: map[int]backup{}}
	if err := v.join(ctx, p, path, movesAway); err != nil {
		return nil, err
	}
	if len(p.events) == 0 {
		return nil, errUnknown(path)
	}
	return p, nil
}

// join adds what happened to a file under a name, and under the names it had before.
func (v *Versions) join(ctx context.Context, p *past, path string, depth int) error {
	found, covered, err := v.uses(ctx, path)
	if err != nil {
		return err
	}
	p.covered = covered
	if !strings.HasPrefix(path, "/") {
		if path, err = onlyFile(path, found); err != nil || path == "" {
			return err
		}
		p.path = path
	}
	sessions := map[sessionAt]*catalog.Session{}
	for i := range found {
		if f := &found[i]; f.path == path {
			p.add(f.event, f.writer)
			sessions[sessionAt{f.writer.Root, f.writer.SessionID}] = f.row
		}
	}
	if err := v.addBackups(ctx, p, path, sessions); err != nil {
		return err
	}
	return v.addMoves(ctx, p, path, depth)
}

// sessionAt is a session of a home.
type sessionAt struct{ root, id string }

// use is a call on a file.
type use struct {
	path   string
	event  timeline.Event
	writer *Writer
	row    *catalog.Session
}

// onlyFile is the file that all uses are of.
func onlyFile(asked string, list []use) (path string, err error) {
	var paths []string
	for i := range list {
		if !slices.Contains(paths, list[i].path) {
			paths = append(paths, list[i].path)
		}
	}
	switch len(paths) {
	case 0:
		return "", nil
	case 1:
		return paths[0], nil
	}
	slices.Sort(paths)
	return "", &SeveralError{Path: asked, Files: paths}
}

// uses finds the calls on a file and reads their lines.
func (v *Versions) uses(ctx context.Context, path string) (list []use, covered ask.Coverage, err error) {
	var found []index.FileCalls
	covered, err = v.Index.AskCovered(ctx, false, func(x *index.Index) (err error) {
		found, err = x.Uses(ctx, func(of string) bool { return mayBe(of, path) })
		return err
	})
	if err != nil || len(found) == 0 {
		return nil, covered, err
	}
	rows, of, more, err := v.rowsOf(ctx, found)
	if err != nil {
		return nil, covered, err
	}
	covered = covered.Join(more)
	seen := map[uint64]bool{}
	for i := range rows {
		r := &rows[i]
		err := v.eachCall(r, of[sessionAt{r.Root, r.Ref.File}], func(c *index.Call, l *callLines) {
			file := absolute(c.File, l.call.Cwd)
			if seen[c.ID] || file != path && (strings.HasPrefix(path, "/") || !strings.HasSuffix(file, "/"+path)) {
				return
			}
			seen[c.ID] = true
			if e, ok := eventOf(c, l); ok {
				list = append(list, use{file, e, writerOf(r, c, l, file), r})
			}
		})
		if err != nil {
			return nil, covered, err
		}
	}
	return list, covered, nil
}

// mayBe reports whether the path of a call can mean a file. One that is not absolute is below some
// directory.
func mayBe(of, path string) bool {
	of = filepath.ToSlash(filepath.Clean(of))
	if of == path || !strings.HasPrefix(path, "/") && strings.HasSuffix(of, "/"+path) {
		return true
	}
	return !strings.HasPrefix(of, "/") && (strings.HasSuffix(path, "/"+of) || strings.HasSuffix(of, "/"+path) || strings.HasSuffix("/"+of, path))
}

func absolute(file, cwd string) string {
	file = filepath.ToSlash(file)
	if !strings.HasPrefix(file, "/") {
		file = cwd + "/" + file
	}
	return filepath.ToSlash(filepath.Clean(file))
}

// rowsOf lists the transcripts of some calls: sessions first, agents after them, forks last,
// because they repeat the lines of others.
func (v *Versions) rowsOf(ctx context.Context, found []index.FileCalls) (rows []catalog.Session, of map[sessionAt][]index.Call, c ask.Coverage, err error) {
	ids := []string{}
	of = map[sessionAt][]index.Call{}
	for _, f := range found {
		ids = append(ids, f.Row)
		of[sessionAt{f.Root, f.File}] = f.Calls
	}
	all, err := v.Catalog.List(ctx, ask.Filter{Source: ask.AllSources, Archived: ask.ArchivedToo, Sessions: ids, Now: v.Now(), Uncounted: true})
	rows = slices.DeleteFunc(all.Sessions, func(r catalog.Session) bool { return of[sessionAt{r.Root, r.Ref.File}] == nil })
	slices.SortStableFunc(rows, func(a, b catalog.Session) int {
		rank := func(r *catalog.Session) int { return 2*min(len(r.Ref.Agent), 1) + min(len(r.ForkedFrom), 1) }
		return cmp.Compare(rank(&a), rank(&b))
	})
	return rows, of, all.Coverage, err
}

// callLines are the lines that a call is told by.
type callLines struct{ call, result, prompt sesskeep.Entry }

// eachCall reads the lines of calls of a transcript. A call whose lines are not where they were is left
// out: the index will have it again.
func (v *Versions) eachCall(r *catalog.Session, list []index.Call, give func(c *index.Call, l *callLines)) error {
	home := v.Homes.At(r.Root)
	if home == nil {
		return nil
	}
	lines, err := reading.OpenLines(home.Store, r.Ref)
	if err != nil {
		return err
	}
	defer lines.Close()
	prompts := map[int]sesskeep.Entry{}
	for i := range list {
		c := &list[i]
		if !c.Counted || c.Line.Length == 0 || c.Result.Length == 0 || c.Failed {
			continue
		}
		var l callLines
		if l.call, err = lines.At(c.Line.Number, c.Line.Offset, c.Line.Length); err != nil {
			continue
		}
		if l.result, err = lines.At(c.Result.Number, c.Result.Offset, c.Result.Length); err != nil {
			continue
		}
		if at := c.Prompt; at.Length > 0 {
			e, known := prompts[at.Number]
			if !known {
				if e, err = lines.At(at.Number, at.Offset, at.Length); err == nil {
					e.Queued = e.Kind == sesskeep.KindQueueOp
					prompts[at.Number] = e
				}
			}
			l.prompt = e
		}
		give(c, &l)
	}
	return nil
}

func writerOf(r *catalog.Session, c *index.Call, l *callLines, file string) *Writer {
	w := &Writer{
		Time: stamp.Time{Time: timeOf(l)}, Path: file, Root: r.Root, SessionID: cmp.Or(r.ParentSessionID, r.ID), AgentID: string(r.Ref.Agent),
		UUID: l.call.UUID, PromptID: l.prompt.UUID, Title: catalog.NameOf(r), Project: r.Project, Directory: r.ProjectPath, Tool: c.Tool,
		asked: l.prompt.Time, id: c.ID,
	}
	if l.prompt.Raw != nil {
		w.Prompt = sesskeep.OneLine(l.prompt.Link().Text)
	}
	w.Address = w.SessionID
	if w.AgentID != "" {
		w.Address += "/" + w.AgentID
	}
	w.Address += "#" + w.UUID + r.Suffix()
	return w
}
