package manage

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/acts"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/homes"
	"sesskeep/internal/reading"
	"sesskeep/internal/regular"
	"sesskeep/internal/sealed"
	"sesskeep/internal/shelf"
	"sesskeep/internal/stamp"
)

// Trashed is a family in the trash. Its own file there, the manifest, tells all
// that is needed to put it back.
type Trashed struct {
	Name        string       `json:"name"`                   // name of its directory in the trash
	ID          string       `json:"id,omitempty"`           // id of the session
	Kind        string       `json:"kind,omitempty"`         // kind of unneeded files, if it is not one session
	Key         sesskeep.Key `json:"key,omitzero"`           // key of the session among all homes and machines
	Root        string       `json:"root"`                   // home that the files came from
	Title       string       `json:"title,omitempty"`        // title of the session
	Slug        string       `json:"slug,omitempty"`         // name that the client made up for the session
	ProjectPath string       `json:"projectPath,omitempty"`  // working directory of the session
	TrashedAt   stamp.Time   `json:"trashedAt"`              // when it was moved to the trash
	Actor       shelf.Actor  `json:"actor"`                  // who moved it, and from where
	Agents      int          `json:"agentCount"`             // number of agents
	Files       int          `json:"fileCount"`              // number of files in the trash
	Size        int64        `json:"fileSize"`               // bytes of these files
	Missing     int          `json:"missingCount,omitempty"` // files that were moved to the trash and are no longer there
	Members     []Member     `json:"members"`                // files, with their attributes before the move
	Units       []string     `json:"units"`                  // what was moved: files and whole directories
}

// Member is a file of a family in the trash, as it was.
type Member struct {
	File     string     `json:"file"`       // path inside the home
	Size     int64      `json:"fileSize"`   // size in bytes
	Mode     uint32     `json:"mode"`       // file mode
	Modified stamp.Time `json:"modifiedAt"` // modification time
}

const manifestName = "manifest.json"

// manifest is a Trashed as it is written, behind what its reader must understand and
// before its seal.
type manifest struct {
	Version int `json:"version"`
	Trashed
}

const manifestVersion = 1

// Valid reports whether it can be one from before there were seals.
func (m manifest) Valid() bool { return m.Version == 0 && m.Root != "" }

// Trash moves whole families to the trash: all of one or nothing of it, whatever
// happens. Without Force a session that is in use is [errcode.Held].
func (mg *Manager) Trash(ctx context.Context, d acts.Doing, s Selection) (acts.Outcome, error) {
	busy := mg.live.Sessions()
	out, err := mg.each(ctx, d, "trash", s, func(ctx context.Context, i *item, r *acts.Result) (string, shelf.Steps, error) {
		if !d.Force {
			if err := busy.Check(ctx, i.home, i.id); err != nil {
				return "", nil, &sesskeep.Error{Op: "trash", Name: string(i.id), Err: err}
			}
		}
		steps, err := mg.trashSteps(ctx, d, i, r)
		return "", steps, err
	})
	if mg.shelf != nil && !d.DryRun {
		mg.shelf.Prune() // of what failed
	}
	return out, err
}

// trashSteps are those that move a family to the trash.
func (mg *Manager) trashSteps(ctx context.Context, d acts.Doing, i *item, r *acts.Result) (shelf.Steps, error) {
	store := i.home.Disk()
	if store == nil {
		return nil, catalog.CopyOnly(catalog.Target{Ref: i.row.Ref})
	}
	f, err := mg.familyToMove(ctx, i, store)
	if errors.Is(err, sesskeep.ErrNotFound) {
		return nil, catalog.CopyOnly(catalog.Target{Ref: sesskeep.Ref{Session: i.id}})
	}
	if err != nil {
		return nil, err
	}
	now := mg.opts.Now()
	t := Trashed{
		ID: string(i.id), Key: i.key(), Root: i.home.Store.Root(), Title: r.Title, Slug: i.row.Slug, ProjectPath: i.row.ProjectPath,
		TrashedAt: stamp.Time{Time: now.UTC()}, Actor: d.Actor, Agents: len(f.Agents), Units: units(string(i.id), f.Files()),
	}
	t.Name = trashName(now, i.id)
	for _, file := range f.Files() {
		info, err := store.Info(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		t.Members = append(t.Members, Member{file, info.Size(), uint32(info.Mode().Perm()), stamp.Time{Time: info.ModTime().UTC()}})
		t.Size += info.Size()
	}
	t.Files = len(t.Members)
	r.Agents, r.Files, r.Size = t.Agents, t.Files, t.Size
	return mg.moveOut(t)
}

// moveOut moves the units of a family to the trash, with its manifest.
func (mg *Manager) moveOut(t Trashed) (shelf.Steps, error) {
	text, err := json.MarshalIndent(manifest{manifestVersion, t}, "", "  ")
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(mg.shelf.TrashDir(), t.Name)
	steps := shelf.Steps{shelf.Place{File: filepath.Join(dir, manifestName), From: shelf.Bytes(sealed.Seal(text))}}
	for _, unit := range t.Units {
		name := filepath.FromSlash(unit)
		moves, err := shelf.MoveTree(filepath.Join(t.Root, name), filepath.Join(dir, "files", name))
		if err != nil {
			return nil, err
		}
		steps = append(steps, moves...)
	}
	return steps, nil
}

// familyToMove finds what goes with a session. Its plans stay if another session
// goes by the same name. Only what is on disk can be moved.
func (mg *Manager) familyToMove(ctx context.Context, i *item, store *sesskeep.Store) (sesskeep.Family, error) {
	// Only its lines tell which plans belong to a session.
	for _, unread := range i.home.Store.Unread() {
		if unread.Name == i.home.Store.Path(i.row.Ref.File) {
			return sesskeep.Family{}, fmt.Errorf("%w: %w", sesskeep.ErrIncomplete, unread)
		}
	}
	var slugs []string
	if i.row.Slug != "" {
		c, err := mg.catalog.Snapshot(ctx)
		if err != nil {
			return sesskeep.Family{}, err
		}
		page, err := c.List(ctx, ask.Filter{Slug: i.row.Slug, In: i.home.Store.Root(), Source: "all"})
		if err != nil {
			return sesskeep.Family{}, err
		}
		if !slices.ContainsFunc(page.Sessions, func(s catalog.Session) bool { return !s.IsAgent && s.ID != string(i.id) }) {
			slugs = append(slugs, i.row.Slug)
		}
	}
	return store.Family(i.id, slugs...)
}

// units are the paths to move for the files of a session: a directory that has its
// name as a whole, and every other file by itself.
func units(id string, files []string) []string {
	var list []string
	for _, file := range files {
		parts := strings.Split(file, "/")
		unit := file
		if n := slices.Index(parts[:len(parts)-1], id); n >= 0 {
			unit = strings.Join(parts[:n+1], "/")
		}
		if !slices.Contains(list, unit) {
			list = append(list, unit)
		}
	}
	return list
}

// trashName names a directory in the trash.
func trashName(now time.Time, id sesskeep.SessionID) string {
	return fmt.Sprintf("%s-%s-%s", now.UTC().Format("20060102T150405"), catalog.Short(string(id)), acts.NewBatch()[:6])
}

// TrashPage is what lies in the trash.
type TrashPage struct {
	Trash    []Trashed          `json:"trash"`          // contents of the trash, newest first
	Total    int                `json:"total"`          // number of items on all pages
	HasMore  bool               `json:"hasMore"`        // true if there are more pages
	Next     string             `json:"next,omitempty"` // cursor of the next page
	Size     int64              `json:"fileSize"`       // bytes of the whole trash
	Problems []sesskeep.Problem `json:"problems"`       // items that could not be read, and leftovers of interrupted changes

	// Partial reports whether something lies there that could not be read. What an
	// interrupted change left is a problem, but all of it is listed.
	Partial bool `json:"-"`

	unread []unreadTrash // manifests that could not be read
}

// unreadTrash is a directory of the trash whose manifest could not be read.
type unreadTrash struct {
	name string
	err  error
}

// TrashList lists what was moved to the trash from the homes that are read, the
// newest first.
func (mg *Manager) TrashList(ctx context.Context) (TrashPage, error) {
	page := TrashPage{Trash: []Trashed{}, Problems: []sesskeep.Problem{}}
	if mg.shelf == nil {
		return page, nil
	}
	entries, err := os.ReadDir(mg.shelf.TrashDir())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return page, err
	}
	for _, e := range entries {
		if ctx.Err() != nil {
			return page, ctx.Err()
		}
		if strings.HasPrefix(e.Name(), ".") || !e.IsDir() {
			continue
		}
		t, err := readManifest(mg.shelf, e.Name())
		switch {
		case errors.Is(err, fs.ErrNotExist): // nothing lies there: it was put back, or has not come
		case err != nil:
			page.Partial = true
			page.Problems = append(page.Problems, sesskeep.Problem{File: e.Name(), Reason: err.Error()})
			page.unread = append(page.unread, unreadTrash{e.Name(), err})
		case mg.homeOf(t) != nil:
			if err := t.look(mg.shelf); err != nil {
				page.Partial = page.Partial || t.Missing == 0
				page.Problems = append(page.Problems, sesskeep.Problem{File: e.Name(), Reason: err.Error()})
			}
			page.Trash = append(page.Trash, t)
			page.Size += t.Size
		}
	}
	page.Total = len(page.Trash)
	slices.SortStableFunc(page.Trash, func(a, b Trashed) int {
		return cmp.Or(b.TrashedAt.Compare(a.TrashedAt.Time), strings.Compare(a.Name, b.Name))
	})
	return page, nil
}

// look counts what really lies there. A change that was interrupted, or somebody else,
// may have left less than the manifest says; the error says so. Of what is unneeded
// the manifest names no files but what was moved.
func (t *Trashed) look(s *shelf.Shelf) error {
	members := t.Members
	if len(members) > 0 {
		t.Files, t.Size = 0, 0
	} else {
		for _, unit := range t.Units {
			members = append(members, Member{File: unit, Size: -1})
		}
	}
	var failed error
	others := 0
	for _, m := range members {
		info, err := os.Lstat(filepath.Join(s.TrashDir(), t.Name, "files", filepath.FromSlash(m.File)))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			t.Missing++
		case err != nil:
			failed = cmp.Or(failed, err)
		case m.Size >= 0:
			t.Files++
			t.Size += info.Size()
			if info.IsDir() || info.Mode().IsRegular() && info.Size() != m.Size {
				others++
			}
		}
	}
	switch {
	case failed == nil && t.Missing > 0:
		failed = fmt.Errorf("%d of %d files are not there", t.Missing, len(members))
	case failed == nil && others > 0:
		failed = fmt.Errorf("%d of %d files are damaged: they are not as long as they were", others, len(members))
	}
	return failed
}

// maxManifest bounds a manifest.
const maxManifest = 64 << 20

func readManifest(s *shelf.Shelf, name string) (t Trashed, err error) {
	path := filepath.Join(s.TrashDir(), name, manifestName)
	data, err := regular.ReadFile(path, maxManifest)
	if errors.Is(err, fs.ErrNotExist) {
		holds, failed := holdsFiles(filepath.Join(s.TrashDir(), name, "files"))
		switch {
		case failed != nil:
			return t, failed
		case holds: // the manifest comes first and goes last: this one is not on its way
			return t, fmt.Errorf("%s is missing: what lies beside it cannot be put back by name", path)
		}
	}
	if err != nil {
		return t, err
	}
	m, err := sealed.Decode[manifest](path, data, manifestVersion)
	if err != nil {
		return t, err
	}
	t = m.Trashed
	t.Name = name
	for _, unit := range t.Units {
		if !filepath.IsLocal(filepath.FromSlash(unit)) {
			return t, fmt.Errorf("%s leads out of the home", unit)
		}
	}
	return t, nil
}

// holdsFiles reports whether there is a file below a directory.
func holdsFiles(dir string) (bool, error) {
	err := filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			return errFound
		}
		return err
	})
	switch {
	case errors.Is(err, errFound):
		return true, nil
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	}
	return false, err
}

var errFound = errors.New("found")

// homeOf is the home that a family in the trash is of; nil: it is not read now.
func (mg *Manager) homeOf(t Trashed) *homes.Home {
	for _, h := range mg.homes.List {
		if h.Store.Root() == t.Root || t.ID != "" && h.Key(t.Key.Session) == t.Key {
			return h
		}
	}
	return nil
}

// findTrashed finds a family in the trash by its session or its name there, or the
// beginning of one. Of several times the same session it is the one that was moved
// there last.
func (mg *Manager) findTrashed(ctx context.Context, address string) (Trashed, error) {
	page, err := mg.TrashList(ctx)
	if err != nil {
		return Trashed{}, err
	}
	var found []Trashed
	for _, t := range page.Trash {
		if !t.called(address) {
			continue
		}
		if !slices.ContainsFunc(found, func(f Trashed) bool { return f.Key == t.Key && f.Kind == t.Kind }) {
			found = append(found, t)
		}
	}
	unread := page.unreadFor(address, found)
	switch {
	case unread != nil:
		return Trashed{}, &sesskeep.Error{Op: "find in the trash", Name: address, Err: fmt.Errorf("%w: %w", sesskeep.ErrIncomplete, unread)}
	case len(found) == 0:
		return Trashed{}, &sesskeep.Error{Op: "find in the trash", Name: address, Err: sesskeep.ErrNotFound}
	case len(found) == 1:
		return found[0], nil
	}
	var names []string
	for _, t := range found {
		names = append(names, cmp.Or(t.ID, t.Name))
	}
	return Trashed{}, catalog.Ambiguous(address, names)
}

// unreadFor says why what was found by an address may not be what is meant: it may be
// among what could not be read, or the session lies there once more, moved later.
func (p *TrashPage) unreadFor(address string, found []Trashed) (err error) {
	for _, u := range p.unread {
		later := slices.ContainsFunc(found, func(t Trashed) bool {
			return t.ID != "" && t.Name != address && strings.Contains(u.name, "-"+catalog.Short(t.ID)+"-") && u.name > t.Name
		})
		if len(found) == 0 || later {
			err = errors.Join(err, u.err)
		}
	}
	return err
}

// called reports whether an address is that of what lies in the trash.
func (t *Trashed) called(address string) bool {
	if t.Name == address || t.Kind != "" && t.Kind == address {
		return true
	}
	return len(address) >= reading.MinPrefix && (t.ID != "" && strings.HasPrefix(t.ID, strings.ToLower(address)) || strings.HasPrefix(t.Name, address))
}
