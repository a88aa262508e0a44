package label

import (
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/disk"
	"sesskeep/internal/regular"
	"sesskeep/internal/sealed"
)

// Backups are copies of the whole database, one a day on which something changed,
// the last seven of them. A copy needs no more than that: what changed since is in
// the journal.
const (
	keptBackups = 7
	backupEvery = 24 * time.Hour
	backupTime  = "20060102T150405Z"
)

func (s *Store) backupDir() string { return filepath.Join(s.dir, "backup") }

// backups lists the backups, the newest first.
func (s *Store) backups() []string {
	list, _ := filepath.Glob(filepath.Join(escapeGlob(s.backupDir()), "labels-*.db"))
	slices.Sort(list)
	slices.Reverse(list)
	return list
}

// escapeGlob keeps the letters of a directory from being a pattern.
func escapeGlob(dir string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(dir)
}

func (s *Store) hasBackups() bool { return len(s.backups()) > 0 }

// backup copies the database, if the last copy is old, and drops the oldest.
func (s *Store) backup(ctx context.Context) error {
	list := s.backups()
	if len(list) > 0 {
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(list[0]), "labels-"), ".db")
		made, err := time.Parse(backupTime, name)
		if age := s.now().Sub(made); err == nil && age >= 0 && age < backupEvery {
			return nil
		}
	}
	if _, err := s.newBackup(ctx); err != nil {
		return err
	}
	for _, old := range list[min(len(list), keptBackups-1):] {
		_ = s.disk.Remove(old) // it does no harm
	}
	return nil
}

// newBackup copies the database now.
func (s *Store) newBackup(ctx context.Context) (path string, err error) {
	if err := disk.MkdirAll(s.disk, s.backupDir(), 0o700); err != nil {
		return "", err
	}
	path = filepath.Join(s.backupDir(), "labels-"+s.now().UTC().Format(backupTime)+".db")
	part := path + ".part"
	if err := s.remove(part); err != nil {
		return "", err
	}
	err = s.ask(ctx, s.path(), func(db *sql.DB) error {
		_, err := db.ExecContext(ctx, "VACUUM INTO ?", part)
		return err
	})
	if err != nil {
		return "", errors.Join(err, s.remove(part))
	}
	return path, s.install(part, path)
}

// create makes the database where there is none: of the backups and the journal,
// if there was one before.
func (s *Store) create(ctx context.Context) error {
	if err := disk.MkdirAll(s.disk, s.dir, 0o700); err != nil {
		return err
	}
	list, err := s.replay(0)
	if err != nil {
		return err
	}
	return s.make(ctx, "", list)
}

// restore makes the database again of the newest sound backup and the changes
// since. It reports false if there is nothing to make it of.
func (s *Store) restore(ctx context.Context, missing bool) (made bool, err error) {
	for _, backup := range s.backups() {
		last, err := s.lastAct(ctx, backup)
		if errors.Is(err, sealed.ErrNewer) {
			return false, err // an older one lacks what was added since
		}
		if err != nil {
			continue // an older one may be sound
		}
		list, err := s.replay(last)
		if err != nil {
			return false, err
		}
		return true, s.make(ctx, backup, list)
	}
	if missing {
		return false, nil
	}
	list, err := s.replay(0)
	if err != nil {
		return false, err
	}
	return true, s.make(ctx, "", list)
}

// lastAct is the last act that a backup knows of, if it is sound.
func (s *Store) lastAct(ctx context.Context, backup string) (act int, err error) {
	err = s.ask(ctx, backup, func(db *sql.DB) error {
		if err := db.QueryRowContext(ctx, "SELECT act FROM meta").Scan(&act); err != nil {
			return err
		}
		return readAll(ctx, db, map[sesskeep.Key]Label{})
	})
	return act, err
}

// make puts a new database in the place of the old one, which is set aside.
func (s *Store) make(ctx context.Context, from string, list []Change) error {
	part := s.path() + ".new"
	if err := s.remove(part, part+"-journal"); err != nil {
		return err
	}
	if err := s.copyNew(from, part); err != nil {
		return err
	}
	db, err := open(part)
	if err != nil {
		return err
	}
	if from == "" {
		_, err = db.ExecContext(ctx, schema)
	}
	if err == nil {
		err = replay(ctx, db, list)
	}
	if err = errors.Join(err, db.Close()); err != nil {
		return errors.Join(err, s.remove(part, part+"-journal"))
	}
	// Its journal would be taken for that of the new one.
	aside := s.path() + ".damaged"
	for _, suffix := range []string{"-journal", ""} {
		if err := s.disk.Rename(s.path()+suffix, aside+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return s.install(part, s.path())
}

// replay makes changes that were made before, whatever is there now.
func replay(ctx context.Context, db *sql.DB, list []Change) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, c := range list {
		if err := put(ctx, tx, c); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// copyNew makes a file that only we can read: a copy of another, or empty.
func (s *Store) copyNew(from, to string) (err error) {
	f, err := s.disk.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if from == "" {
		return nil
	}
	r, err := regular.Open(from)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, r)
	return errors.Join(err, r.Close())
}

// install syncs a new file and renames it to its final name.
func (s *Store) install(part, path string) error {
	f, err := s.disk.OpenFile(part, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), f.Close(), s.disk.Chmod(part, 0o600)); err != nil {
		return err
	}
	if err := s.disk.Rename(part, path); err != nil {
		return err
	}
	return s.disk.SyncDir(filepath.Dir(path))
}

func (s *Store) remove(paths ...string) error {
	for _, path := range paths {
		if err := disk.Remove(s.disk, path); err != nil {
			return err
		}
	}
	return nil
}

// changes returns how often SQLite changed a database, according to its header.
func changes(path string) (uint32, error) {
	f, err := regular.Open(path)
	if err != nil {
		return 0, err
	}
	header := make([]byte, 28)
	_, err = io.ReadFull(f, header)
	return binary.BigEndian.Uint32(header[24:]), errors.Join(err, f.Close())
}

// damaged reports whether an error means that the file is not what we wrote.
func damaged(err error) bool {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	if errors.Is(err, errDamaged) || errors.As(err, &syntax) || errors.As(err, &kind) {
		return true
	}
	switch code(err) {
	case 11, 26, 10 | 2<<8, 10 | 33<<8: // corrupt, not a database, too short, says the file system
		return true
	}
	text := fmt.Sprint(err)
	return strings.Contains(text, "sql: Scan error") || strings.Contains(text, "no such table") || strings.Contains(text, "no such column")
}

// busy reports whether another process was in the way for too long.
func busy(err error) bool { return code(err)&0xff == 5 }
