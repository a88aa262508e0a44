package vault

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"sesskeep"
	"sesskeep/internal/disk"
	"sesskeep/internal/lock"
	"sesskeep/internal/regular"
	"sesskeep/internal/sealed"
)

// Errors of mirrors.
var (
	// ErrMirrorAway says that a mirror cannot be reached: its disk is not plugged in, or its
	// directory is another one.
	ErrMirrorAway = errors.New("it is not there now")
	// ErrMirrorTaken says that a directory is the mirror of another vault.
	ErrMirrorTaken = errors.New("it has the copies of another vault")
)

// Mirror is a second directory with every copy of a vault, such as on another disk. It may be
// away: then what it lacks, and what was dropped meanwhile, is caught up by the next Sync.
//
//	<dir>/sesskeep-copies/place.json  which mirror it is: an empty mount point is none
//	<dir>/sesskeep-copies/<home>/     boxes, as in the vault
type Mirror struct {
	Dir    string    // directory that the user chose
	Synced time.Time // when it last had every copy; zero: never
	// Waiting is how many removals of copies it has not caught up.
	Waiting int

	id     string
	newest int64  // newest modification time of a manifest when it was synced
	vault  *Vault // which it is a mirror of
}

// mirrorFolder is the directory of a mirror below the one that the user chose.
const mirrorFolder = "sesskeep-copies"

func (m *Mirror) path() string { return filepath.Join(m.Dir, mirrorFolder) }

// mirrorRecord is what the list of mirrors says of one.
type mirrorRecord struct {
	Dir    string    `json:"dir"`
	ID     string    `json:"id"`
	Synced time.Time `json:"syncedAt,omitzero"`
	Newest int64     `json:"newest,omitempty"` // modification time of a manifest when it was synced, in ns
	// Dropped are copies that were removed from the vault, and are still to be removed there.
	Dropped []droppedCopies `json:"dropped,omitempty"`
}

// droppedCopies are those of a session; without one, those of what belongs to no session.
type droppedCopies struct {
	Home    sesskeep.HomeID    `json:"home"`
	Session sesskeep.SessionID `json:"session,omitempty"`
}

// mirrorList is the file with all mirrors of a vault.
type mirrorList struct {
	Version int            `json:"version"`
	Mirrors []mirrorRecord `json:"places"`
}

// Valid rejects a file without a seal.
func (l mirrorList) Valid() bool { return false }

// mirrorMark is the file in a mirror that says which it is.
type mirrorMark struct {
	Version int    `json:"version"`
	ID      string `json:"id"`
	Lineage string `json:"lineage"` // of the vault whose boxes it has
}

// Valid rejects a file without a seal.
func (m mirrorMark) Valid() bool { return false }

const mirrorVersion = 1

func (v *Vault) mirrorsFile() sealed.File {
	data := filepath.Dir(v.dir)
	return sealed.File{
		Path: filepath.Join(data, "places.json"), Copies: []string{filepath.Join(data, "backup", "places.json")},
		Version: mirrorVersion, Disk: v.o.Disk,
	}
}

func (m *Mirror) markFile() sealed.File {
	return sealed.File{Path: filepath.Join(m.path(), "place.json"), Version: mirrorVersion, Disk: m.vault.o.Disk}
}

// Mirrors lists the mirrors of the vault.
func (v *Vault) Mirrors() ([]*Mirror, error) {
	list, err := v.mirrorRecords()
	var all []*Mirror
	for _, r := range list {
		all = append(all, v.mirror(r))
	}
	return all, err
}

// WaitingMirrors lists the directories of the mirrors from which copies are still to be removed.
func (v *Vault) WaitingMirrors() (dirs []string, err error) {
	list, err := v.mirrorRecords()
	for _, r := range list {
		if len(r.Dropped) > 0 {
			dirs = append(dirs, r.Dir)
		}
	}
	return dirs, err
}

func (v *Vault) mirror(r mirrorRecord) *Mirror {
	return &Mirror{Dir: r.Dir, Synced: r.Synced, Waiting: len(r.Dropped), id: r.ID, newest: r.Newest, vault: v}
}

func (v *Vault) mirrorRecords() ([]mirrorRecord, error) {
	if v.o.mirror {
		return nil, nil
	}
	list, _, err := sealed.Load[mirrorList](v.mirrorsFile())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return list.Mirrors, err
}

// changeMirrors writes the list of mirrors again, while no other process can.
func (v *Vault) changeMirrors(ctx context.Context, change func([]mirrorRecord) []mirrorRecord) error {
	file := v.mirrorsFile()
	if err := disk.MkdirAll(v.o.Disk, filepath.Dir(file.Copies[0]), 0o700); err != nil {
		return err
	}
	l, err := locks{v.o.Patience}.wait(ctx, file.Path+".lock")
	if err != nil {
		return err
	}
	defer l.Release()
	list, err := v.mirrorRecords()
	if err != nil {
		return err
	}
	return file.Save(mirrorList{mirrorVersion, change(list)})
}

// AddMirror makes a directory a mirror of the vault; Sync fills it. The directory must be there. If
// it is the mirror of another vault, that is [ErrMirrorTaken] unless adopt is true: then the
// vault gets the copies that it does not have from there.
func (v *Vault) AddMirror(ctx context.Context, dir string, adopt bool) (*Mirror, error) {
	m := &Mirror{Dir: dir, vault: v}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, &sesskeep.Error{Op: "add", Name: dir, Err: cmpErr(err, errors.New("it is not a directory"))}
	}
	if inside(v.dir, dir) || inside(dir, v.dir) {
		return nil, &sesskeep.Error{Op: "add", Name: dir, Err: errors.New("the copies lie there already: another disk is safer")}
	}
	lineage, err := v.lineage(true)
	if err != nil {
		return nil, err
	}
	mark, err := m.mark()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		mark = mirrorMark{Version: mirrorVersion, ID: randomID(), Lineage: lineage}
		if err = disk.MkdirAll(v.o.Disk, m.path(), 0o700); err == nil {
			err = m.markFile().Save(mark)
		}
	case err == nil && mark.Lineage != lineage && !adopt:
		err = ErrMirrorTaken
	}
	if err != nil {
		return nil, &sesskeep.Error{Op: "add", Name: dir, Err: err}
	}
	m.id = mark.ID
	return m, v.changeMirrors(ctx, func(list []mirrorRecord) []mirrorRecord {
		if slices.ContainsFunc(list, func(r mirrorRecord) bool { return r.Dir == dir && r.ID == m.id }) {
			return list
		}
		list = slices.DeleteFunc(list, func(r mirrorRecord) bool { return r.Dir == dir || r.ID == m.id })
		return append(list, mirrorRecord{Dir: dir, ID: m.id})
	})
}

func cmpErr(err, other error) error {
	if err == nil {
		return other
	}
	return cause(err)
}

// inside reports whether a path is a directory or lies below it.
func inside(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && (rel == "." || filepath.IsLocal(rel))
}

func randomID() string {
	var id [16]byte
	_, _ = rand.Read(id[:]) // never fails
	return hex.EncodeToString(id[:])
}

// RemoveMirror forgets a mirror and reports whether there was one. The copies in it stay.
func (v *Vault) RemoveMirror(ctx context.Context, dir string) (found bool, err error) {
	err = v.changeMirrors(ctx, func(list []mirrorRecord) []mirrorRecord {
		return slices.DeleteFunc(list, func(r mirrorRecord) bool {
			found = found || r.Dir == dir
			return r.Dir == dir
		})
	})
	return found, err
}

// lineage is the name of the boxes that come from each other. A vault that was lost and made
// again has another one: its boxes may lack what those before them had.
func (v *Vault) lineage(create bool) (string, error) {
	path := filepath.Join(v.dir, "lineage")
	text, err := regular.ReadFile(path, 64)
	if !errors.Is(err, fs.ErrNotExist) || !create {
		return string(text), missing(err)
	}
	if err := disk.MkdirAll(v.o.Disk, v.dir, 0o700); err != nil {
		return "", err
	}
	id := randomID()
	return id, disk.WriteFile(v.o.Disk, path, []byte(id), 0o600)
}

// mark reads which mirror a directory is.
func (m *Mirror) mark() (mirrorMark, error) {
	mark, _, err := sealed.Load[mirrorMark](m.markFile())
	return mark, err
}

// Reach returns [ErrMirrorAway], with the reason, unless the mirror can be used now.
func (m *Mirror) Reach() error {
	mark, err := m.mark()
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, regular.ErrNotRegular):
		return ErrMirrorAway
	case err != nil:
		return fmt.Errorf("%w: %w", ErrMirrorAway, err)
	case mark.ID != m.id:
		return fmt.Errorf("%w: another one is in its directory", ErrMirrorAway)
	}
	return nil
}

// copies is the mirror as a vault.
func (m *Mirror) copies() *Vault {
	o := m.vault.o
	o.mirror = true
	return New(m.path(), o)
}

// lock waits until no other process changes the mirror.
func (m *Mirror) lock(ctx context.Context) (*lock.Lock, error) {
	return locks{m.vault.o.Patience}.wait(ctx, filepath.Join(m.path(), lockName))
}

// noteDropped records in the list of mirrors that copies are removed, before they are.
func (r *Remover) noteDropped(ctx context.Context, id sesskeep.SessionID) error {
	list, err := r.vault.mirrorRecords()
	if err != nil || len(list) == 0 {
		return err
	}
	drop := droppedCopies{r.home, id}
	return r.vault.changeMirrors(ctx, func(list []mirrorRecord) []mirrorRecord {
		for i := range list {
			if !slices.Contains(list[i].Dropped, drop) {
				list[i].Dropped = append(list[i].Dropped, drop)
			}
		}
		return list
	})
}

// dropped lists what is to be removed from the mirror.
func (m *Mirror) dropped() ([]droppedCopies, error) {
	list, err := m.vault.mirrorRecords()
	for _, r := range list {
		if r.ID == m.id {
			return r.Dropped, err
		}
	}
	return nil, err
}

// catchUpDrops removes from the mirror what was removed from the vault. The mirror is locked.
func (m *Mirror) catchUpDrops(ctx context.Context) error {
	drops, err := m.dropped()
	if err != nil || len(drops) == 0 {
		return err
	}
	copies := m.copies()
	for _, d := range drops {
		if !filepath.IsLocal(string(d.Home)) {
			continue
		}
		remover := copies.Home(d.Home).Remover
		if d.Session != "" {
			err = remover.Drop(ctx, d.Session)
		} else {
			err = remover.dropHomeBox(ctx)
		}
		if err = errors.Join(err, remover.DropFolders(ctx)); err != nil {
			return err
		}
	}
	return m.vault.changeMirrors(ctx, func(list []mirrorRecord) []mirrorRecord {
		for i := range list {
			if list[i].ID == m.id {
				list[i].Dropped = slices.DeleteFunc(list[i].Dropped, func(d droppedCopies) bool { return slices.Contains(drops, d) })
			}
		}
		return list
	})
}

// dropHomeBox removes the copies of what belongs to no session.
func (r *Remover) dropHomeBox(ctx context.Context) error {
	if _, err := os.Lstat(r.boxes.layout.boxDir(boxKey{})); err != nil {
		return missing(err)
	}
	b, release, err := r.lockBox(ctx, boxKey{})
	if err != nil {
		return err
	}
	return errors.Join(r.removeBox(ctx, boxKey{}, b), release())
}

// dropInMirrors removes copies that were removed here from the mirrors that can be reached now;
// the others wait for their next Sync, and so do those that another process is changing.
func (r *Remover) dropInMirrors(ctx context.Context) error {
	all, err := r.vault.Mirrors()
	for _, m := range all {
		if m.Waiting == 0 || m.Reach() != nil {
			continue
		}
		l, errLock := m.lock(ctx)
		if errors.Is(errLock, ErrHeld) {
			continue
		}
		if errLock == nil {
			errLock = errors.Join(m.catchUpDrops(ctx), l.Release())
		}
		err = errors.Join(err, errLock)
	}
	return err
}
