package label

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"path/filepath"

	"sesskeep"
)

// Forget removes the labels of some sessions for good, with those of their agents: no byte
// of them stays in the database, in a backup or in what was set aside. The backups are
// replaced by a new one, so what they were good for stays. It can be called again
// after a crash.
func (s *Store) Forget(ctx context.Context, keys []sesskeep.Key) error {
	err := s.use(ctx, func(db *sql.DB) error { return erase(ctx, db, keys) })
	if errors.Is(err, fs.ErrNotExist) {
		return s.removeAside(nil)
	}
	if err != nil {
		return err
	}
	old := s.backups()
	path, err := s.newBackup(ctx)
	if err != nil {
		return err
	}
	var stale []string
	for _, backup := range old {
		if backup != path {
			stale = append(stale, backup)
		}
	}
	return s.removeAside(stale)
}

// Has counts the labels of some sessions and their agents.
func (s *Store) Has(ctx context.Context, keys []sesskeep.Key) (n int, err error) {
	all, err := s.All(ctx)
	for key := range all {
		if ofOne(key, keys) {
			n++
		}
	}
	return n, err
}

// ofOne reports whether a key is that of one of some sessions, or of an agent of one.
func ofOne(key sesskeep.Key, sessions []sesskeep.Key) bool {
	key.Agent = ""
	for _, of := range sessions {
		if key == of {
			return true
		}
	}
	return false
}

// erase deletes labels and writes the whole database again.
func erase(ctx context.Context, db *sql.DB, keys []sesskeep.Key) error {
	all := map[sesskeep.Key]Label{}
	if err := readAll(ctx, db, all); err != nil {
		return err
	}
	for key := range all {
		if !ofOne(key, keys) {
			continue
		}
		if _, err := db.ExecContext(ctx, "DELETE FROM label WHERE key = ?", key.String()); err != nil {
			return err
		}
	}
	_, err := db.ExecContext(ctx, "VACUUM") // pages that labels left earlier go too
	return err
}

// removeAside removes files that hold earlier labels: the ones named, and those that a
// crash or a repair left.
func (s *Store) removeAside(files []string) error {
	for _, pattern := range []string{s.path() + ".*", filepath.Join(s.backupDir(), "labels-*.part*")} {
		dir, name := filepath.Split(pattern)
		left, err := filepath.Glob(escapeGlob(dir) + name)
		if err != nil {
			return err
		}
		files = append(files, left...)
	}
	if err := s.remove(files...); err != nil {
		return err
	}
	if len(files) == 0 {
		return nil
	}
	return errors.Join(s.disk.SyncDir(s.dir), s.syncBackups())
}

func (s *Store) syncBackups() error {
	err := s.disk.SyncDir(s.backupDir())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
