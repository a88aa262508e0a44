package label

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/disk"
	"sesskeep/internal/regular"
	"sesskeep/internal/sealed"

	_ "modernc.org/sqlite" // the driver
)

// Store keeps labels in a directory. It opens its file for every question, so
// that any number of processes share it; those that change it take turns, which
// is up to their caller.
type Store struct {
	dir  string
	disk disk.System // for all but what SQLite writes
	now  func() time.Time

	replay func(after int) ([]Change, error)
}

// Change is one change of a label, made by an act with a number.
type Change struct {
	Act           int
	Key           sesskeep.Key
	Before, After Label
}

// Options say where labels are kept.
type Options struct {
	Dir  string      // is made when it is needed
	Disk disk.System // nil: the real one
	Now  func() time.Time
	// Replay returns the changes that were made after the act with a number, in
	// their order, as the caller's journal has them. The store asks when it has to
	// be made again.
	Replay func(after int) ([]Change, error)
}

// New returns the store of a directory.
func New(o Options) *Store {
	if o.Disk == nil {
		o.Disk = disk.Real
	}
	return &Store{dir: o.Dir, disk: o.Disk, now: o.Now, replay: o.Replay}
}

// ErrChanged says that a label is not what a change expects.
var ErrChanged = errors.New("the label was changed since")

// schema is the whole database. A body has a checksum of its own: what SQLite
// checks are its pages.
const schema = `
CREATE TABLE meta (act INTEGER NOT NULL); -- the last one that changed a label
INSERT INTO meta VALUES (0);
CREATE TABLE label (key TEXT PRIMARY KEY, body BLOB NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID;
PRAGMA user_version = 1`

func (s *Store) path() string { return filepath.Join(s.dir, "labels.db") }

// open opens the database at a path, which must be there. Every commit is on the
// disk when it returns, with the directory that no longer has the journal.
func open(path string) (*sql.DB, error) {
	name := strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(filepath.ToSlash(path))
	query := url.Values{"mode": {"rw"}, "_pragma": {"busy_timeout(5000)", "synchronous(extra)", "journal_mode(delete)"}}
	db, err := sql.Open("sqlite", "file:"+name+"?"+query.Encode())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return db, nil
}

// version is the form of the database that a reader must understand.
const version = 1

// checkIntact rejects a database that is damaged, or that a newer program wrote.
func checkIntact(ctx context.Context, path string, db *sql.DB) error {
	var has int
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&has); err != nil {
		return err
	}
	if has > version {
		return &fs.PathError{Op: "read", Path: path, Err: sealed.ErrNewer}
	}
	if has != version {
		return fmt.Errorf("%w: it has the version %d", errDamaged, has)
	}
	var verdict string
	if err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return fmt.Errorf("%w: %s", errDamaged, verdict)
	}
	return nil
}

var errDamaged = errors.New("the labels are damaged")

// use opens the database for one question, after making it again if it is lost or
// damaged. There being none at all is fs.ErrNotExist.
func (s *Store) use(ctx context.Context, question func(db *sql.DB) error) error {
	err := s.ask(ctx, s.path(), question)
	if err == nil || errors.Is(err, ErrChanged) || ctx.Err() != nil || busy(err) {
		return err
	}
	missing := errors.Is(err, fs.ErrNotExist)
	if !missing && !damaged(err) {
		return err
	}
	switch made, restoreErr := s.restore(ctx, missing); {
	case restoreErr != nil:
		return restoreErr // and not that there are none
	case !made:
		return err
	}
	return s.ask(ctx, s.path(), question)
}

func (s *Store) ask(ctx context.Context, path string, question func(db *sql.DB) error) error {
	if info, err := os.Lstat(path); err != nil {
		return err
	} else if !info.Mode().IsRegular() {
		return &fs.PathError{Op: "open", Path: path, Err: regular.ErrNotRegular}
	}
	db, err := open(path)
	if err != nil {
		return err
	}
	defer db.Close()
	if err := checkIntact(ctx, path, db); err != nil {
		return err
	}
	return question(db)
}

// Of returns the label of a session.
func (s *Store) Of(ctx context.Context, key sesskeep.Key) (Label, error) {
	var l Label
	err := s.use(ctx, func(db *sql.DB) (err error) {
		l, err = read(ctx, db, key.String())
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return Label{}, nil
	}
	return l, err
}

// querier is a database or a transaction.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func read(ctx context.Context, q querier, key string) (Label, error) {
	var body []byte
	var sum uint32
	err := q.QueryRowContext(ctx, "SELECT body, sum FROM label WHERE key = ?", key).Scan(&body, &sum)
	if errors.Is(err, sql.ErrNoRows) {
		return Label{}, nil
	}
	if err != nil {
		return Label{}, err
	}
	return parse(key, body, sum)
}

func parse(key string, body []byte, sum uint32) (l Label, err error) {
	if checksum(key, body) != sum {
		return l, fmt.Errorf("%w: that of %s", errDamaged, key)
	}
	return l, json.Unmarshal(body, &l)
}

func checksum(key string, body []byte) uint32 {
	return crc32.Update(crc32.ChecksumIEEE([]byte(key)), crc32.IEEETable, body)
}

// All returns every label, by key.
func (s *Store) All(ctx context.Context) (map[sesskeep.Key]Label, error) {
	all := map[sesskeep.Key]Label{}
	err := s.use(ctx, func(db *sql.DB) error {
		clear(all)
		return readAll(ctx, db, all)
	})
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	return all, err
}

func readAll(ctx context.Context, db *sql.DB, all map[sesskeep.Key]Label) error {
	rows, err := db.QueryContext(ctx, "SELECT key, body, sum FROM label")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		var body []byte
		var sum uint32
		if err := rows.Scan(&text, &body, &sum); err != nil {
			return err
		}
		key, err := sesskeep.ParseKey(text)
		if err != nil {
			return fmt.Errorf("%w: %w", errDamaged, err)
		}
		if all[key], err = parse(text, body, sum); err != nil {
			return err
		}
	}
	return rows.Err()
}

// AnyArchived reports whether a session is archived, or may be.
func (s *Store) AnyArchived(ctx context.Context) bool {
	if s == nil {
		return false
	}
	labels, err := s.All(ctx)
	for _, l := range labels {
		if !l.Archived.IsZero() {
			return true
		}
	}
	return err != nil
}

// Set makes a change. It does not come back before that is on the disk. A change
// that was made before is made again without harm; where the label is neither
// what it was before nor what it is to be, the error is [ErrChanged].
func (s *Store) Set(ctx context.Context, c Change) error {
	set := func() error {
		return s.use(ctx, func(db *sql.DB) error { return change(ctx, db, []Change{c}) })
	}
	err := set()
	if errors.Is(err, fs.ErrNotExist) {
		if err = s.create(ctx); err == nil {
			err = set()
		}
	}
	if err == nil {
		_ = s.backup(ctx) // the journal has what it lacks, and the next change tries again
	}
	return err
}

// change makes changes in one transaction.
func change(ctx context.Context, db *sql.DB, list []Change) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, c := range list {
		now, err := read(ctx, tx, c.Key.String())
		if err != nil {
			return err
		}
		if !now.Equal(c.Before) && !now.Equal(c.After) {
			return ErrChanged
		}
		if err := put(ctx, tx, c); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func put(ctx context.Context, tx *sql.Tx, c Change) error {
	key := c.Key.String()
	if _, err := tx.ExecContext(ctx, "UPDATE meta SET act = max(act, ?)", c.Act); err != nil {
		return err
	}
	if c.After.Empty() {
		_, err := tx.ExecContext(ctx, "DELETE FROM label WHERE key = ?", key)
		return err
	}
	body, err := json.Marshal(c.After)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "INSERT OR REPLACE INTO label (key, body, sum) VALUES (?, ?, ?)", key, body, checksum(key, body))
	return err
}

// Generation names what the labels are now: two equal ones mean that nothing
// changed in between. It costs a look at the file, and no more. Empty means that
// there are none. It is not known while a change is being made or was interrupted;
// then it is a text that equals no other.
func (s *Store) Generation() string {
	info, err := os.Lstat(s.path())
	if err != nil {
		if s.hasBackups() {
			return s.unknown()
		}
		return ""
	}
	if _, err := os.Lstat(s.path() + "-journal"); err == nil {
		return s.unknown()
	}
	counter, err := changes(s.path())
	if err != nil {
		return s.unknown()
	}
	return fmt.Sprintf("%x.%x.%x", counter, info.ModTime().UnixNano(), info.Size())
}

func (s *Store) unknown() string { return "?" + s.now().Format(time.RFC3339Nano) }
