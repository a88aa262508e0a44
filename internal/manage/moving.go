package manage

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"sesskeep"
	"sesskeep/internal/acts"
	"sesskeep/internal/bundle"
	"sesskeep/internal/catalog"
	"sesskeep/internal/errcode"
	"sesskeep/internal/homes"
	"sesskeep/internal/label"
	"sesskeep/internal/shelf"
)

// MoveVerb is how the journal calls a move.
const MoveVerb = "session mv"

// Destination is where sessions are moved: to another project of their home, or to another
// home with the project they have.
type Destination struct {
	Project string      // working directory; empty: the one that a session has
	Home    *homes.Home // nil: the one that a session is in
}

// Move moves whole families to another project or another home. Where records name the old
// working directory they name the new one, as after an import; every other byte stays. Prompts
// stay in history.jsonl, where they were typed.
//
// In one home that is one act. Between homes it is one in each, which are undone together: the
// session is in both for a moment, and never in none. Without Force a session that is in use is
// [errcode.Held]; one that the destination has already and that differs is [errcode.Conflict].
func (mg *Manager) Move(ctx context.Context, d acts.Doing, s Selection, to Destination) (acts.Outcome, error) {
	busy := mg.live.Sessions()
	if to.Home != nil && d.Batch == "" {
		d.Batch = acts.NewBatch() // the acts in both homes are undone together
	}
	return mg.every(ctx, d, MoveVerb, s, func(ctx context.Context, batch string, i *item, r *acts.Result) error {
		if !d.Force {
			if err := busy.Check(ctx, i.home, i.id); err != nil {
				return &sesskeep.Error{Op: MoveVerb, Name: string(i.id), Err: err}
			}
		}
		m, err := mg.planMove(ctx, i, to)
		if err != nil {
			return &sesskeep.Error{Op: MoveVerb, Name: string(i.id), Err: err}
		}
		if m.nowhere() {
			return nil
		}
		r.Agents, r.Files, r.Size, r.Changed = len(m.family.Agents), m.files, m.size, true
		return mg.carry(ctx, d, batch, i, r, m)
	})
}

// carry makes the acts of one move. Where the second one cannot be made, the first is undone.
func (mg *Manager) carry(ctx context.Context, d acts.Doing, batch string, i *item, r *acts.Result, m *move) error {
	plan := shelf.Plan{Verb: MoveVerb, Actor: d.Actor, Batch: batch, What: "to " + m.where()}
	arrive, leave := plan, plan
	arrive.Home, arrive.Session, arrive.Steps = m.to.Store.Root(), m.to.Key(i.id).String(), m.arrive
	leave.Home, leave.Session, leave.Steps = i.home.Store.Root(), i.key().String(), m.leave
	if m.to == i.home {
		arrive.Steps = append(arrive.Steps, leave.Steps...)
		act, err := mg.journal.Do(ctx, d, arrive)
		r.Act = act
		return err
	}
	first, err := mg.journal.Do(ctx, d, arrive)
	if err != nil {
		return err
	}
	if r.Act, err = mg.journal.Do(ctx, d, leave); err != nil && first != 0 {
		err = errors.Join(err, mg.revert(ctx, d, first))
	}
	if err != nil || d.DryRun {
		return err
	}
	if err := mg.moveCopies(ctx, i, m); err != nil {
		r.Note = "its copies stay with the old home: " + err.Error()
	}
	return nil
}

// moveCopies copies a session in its new home, if it was copied in the old one, where its
// copies would look as if it had been deleted.
func (mg *Manager) moveCopies(ctx context.Context, i *item, m *move) error {
	if i.home.Copies == nil {
		return nil
	}
	had, err := i.home.Copies.Family(i.id)
	if err != nil || len(had.Members) == 0 {
		return err
	}
	main := sesskeep.Ref{Session: i.id, File: path.Join("projects", string(m.newDir), string(i.id)+".jsonl")}
	if err := mg.opts.Keep.Session(ctx, catalog.Target{Store: m.to.Store, Ref: main}); err != nil {
		return err
	}
	return mg.opts.Keep.Drop(ctx, catalog.Target{Store: i.home.Store, Ref: *m.family.Main})
}

// revert undoes an act that must not stay alone.
func (mg *Manager) revert(ctx context.Context, d acts.Doing, id int) error {
	act, err := mg.shelf.Journal.Find(ctx, id, nil)
	if err != nil {
		return err
	}
	plan, err := mg.shelf.Undo(ctx, act, d.Actor)
	if err == nil {
		_, err = mg.journal.Do(ctx, d, plan)
	}
	if err != nil {
		return fmt.Errorf("it is in both homes now: %w", err)
	}
	return nil
}

// move is how one family gets to another place.
type move struct {
	from, to *homes.Home
	family   sesskeep.Family
	dir      sesskeep.ProjectKey // that it lies in
	newDir   sesskeep.ProjectKey
	cwd      string // that its records name; empty: that is not known, and nothing changes
	newCwd   string // that they name afterwards
	files    int
	size     int64

	arrive, leave shelf.Steps
}

func (m *move) nowhere() bool { return m.to == m.from && m.newDir == m.dir }

// where names the destination in a few words.
func (m *move) where() string {
	if m.to == m.from {
		return m.newCwd
	}
	return m.to.Store.Root()
}

// planMove works out the steps of one session. Nothing is changed.
func (mg *Manager) planMove(ctx context.Context, i *item, to Destination) (*move, error) {
	store := i.home.Disk()
	if store == nil {
		return nil, catalog.CopyOnly(catalog.Target{Ref: i.row.Ref})
	}
	f, err := mg.familyToMove(ctx, i, store)
	if errors.Is(err, sesskeep.ErrNotFound) || err == nil && f.Main == nil {
		return nil, catalog.CopyOnly(catalog.Target{Ref: sesskeep.Ref{Session: i.id}})
	}
	if err != nil {
		return nil, err
	}
	m := &move{from: i.home, to: i.home, family: f, dir: f.Main.Dir, newDir: f.Main.Dir}
	if to.Home != nil {
		m.to = to.Home
	}
	if m.cwd, err = workingDir(i.home.Store, *f.Main); err != nil {
		return nil, err
	}
	if m.newCwd = m.cwd; to.Project != "" {
		m.newCwd, m.newDir = to.Project, sesskeep.DirName(to.Project)
	}
	if m.nowhere() {
		return m, nil
	}
	if err := elsewhere(m.to, m, i.id); err != nil {
		return nil, err
	}
	for _, name := range f.Files() {
		if err := m.file(store, name, i.id); err != nil {
			return nil, err
		}
	}
	if m.to != m.from {
		m.labels(i)
	}
	return m, nil
}

// workingDir is the directory that the records of a session name for its project: the first one
// that its directory is called after, or else the first.
func workingDir(s *sesskeep.Store, ref sesskeep.Ref) (string, error) {
	d, err := s.Digest(ref.File)
	if err != nil || len(d.Cwds) == 0 {
		return "", err
	}
	for _, dir := range d.Cwds {
		if ref.Dir.Holds(dir) {
			return dir, nil
		}
	}
	return d.Cwds[0], nil
}

// elsewhere refuses a session that the destination has in another project: there would be two.
func elsewhere(h *homes.Home, m *move, id sesskeep.SessionID) error {
	disk := h.Disk()
	if disk == nil {
		return &sesskeep.Error{Op: "open", Name: h.Store.Root(), Err: sesskeep.ErrNotFound}
	}
	refs, err := disk.Find(string(id))
	if err != nil {
		return err
	}
	for _, ref := range refs {
		if ref.Dir != m.newDir && (h != m.from || ref.Dir != m.dir) {
			return errcode.New(errcode.Conflict, fmt.Errorf("%s has it already, in %s", h.Store.Root(), path.Dir(ref.File)))
		}
	}
	return nil
}

// file plans what becomes of one file. A transcript is rewritten where its working directory
// changes; the old one goes to our data directory, for undo. In one home everything else is
// renamed, or stays where it is if no project is in its name.
func (m *move) file(s *sesskeep.Store, name string, id sesskeep.SessionID) error {
	info, err := s.Files().Info(name)
	if err != nil {
		return err
	}
	rest, inProject := strings.CutPrefix(name, "projects/"+string(m.dir)+"/")
	newName := name
	if inProject {
		newName = path.Join("projects", string(m.newDir), rest)
	}
	if m.to == m.from && newName == name {
		return nil
	}
	old, now := s.Path(name), m.to.Store.Path(newName)
	m.files++
	m.size += info.Size()
	is, err := shelf.Identify(old) // now: what is written from here on is not in what arrives
	if err != nil {
		return err
	}
	gone := shelf.Move{From: old, Is: is, Prune: m.own(name, id)}
	rewritten := m.cwd != "" && m.cwd != m.newCwd && strings.HasSuffix(name, ".jsonl")
	if m.to == m.from && !rewritten {
		gone.To = now
		m.leave = append(m.leave, gone)
		return nil
	}
	from := shelf.FileSource(old)
	if rewritten {
		from = bundle.Relocated(from, m.cwd, m.newCwd)
	}
	m.leave = append(m.leave, gone)
	there, err := shelf.ContentAt(now)
	if err != nil || there == (shelf.Content{}) {
		m.arrive = append(m.arrive, shelf.Create{File: now, From: from, Mode: info.Mode().Perm()})
		return err
	}
	same, err := shelf.SameContent(there, from)
	if err == nil && !same {
		err = errcode.New(errcode.Conflict, fmt.Errorf("%s is there already, and differs", now))
	}
	return err
}

// own is the directory of the session that a file lies in, which goes when it is empty.
func (m *move) own(name string, id sesskeep.SessionID) string {
	head, _, ok := strings.Cut(name, "/"+string(id)+"/")
	if !ok {
		return ""
	}
	return filepath.Join(m.from.Store.Root(), filepath.FromSlash(head), string(id))
}

// labels gives what the user added to the session to the one of the other home.
func (m *move) labels(i *item) {
	if i.label.Equal(label.Label{}) {
		return
	}
	was := i.label
	m.arrive = append(m.arrive, shelf.Label{Key: m.to.Key(i.id), Edit: func(now label.Label) (label.Label, error) {
		if !now.Equal(label.Label{}) && !now.Equal(was) {
			return now, errcode.New(errcode.Conflict, errors.New("it has another title, tags or note there"))
		}
		return was, nil
	}})
	m.leave = append(m.leave, shelf.Label{Key: i.key(), Edit: func(label.Label) (label.Label, error) { return label.Label{}, nil }})
}
