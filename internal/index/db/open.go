package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"time"

	"sesskeep/internal/regular"
)

// DB is a database that may be thrown away at any moment: in a file that several
// processes share, or in memory.
type DB struct {
	path  string  // "" in memory
	why   error   // it is in memory against the caller's wish
	write *sql.DB // under a write lock only
	read  *sql.DB
	hooks Hooks

	generation atomic.Int64  // of the file at path
	inode      atomic.Uint64 // of that file, where there is such a thing

	writing chan struct{} // has room for the one that writes in this process
	wrote   atomic.Bool   // something was committed
	foldAt  atomic.Int64  // how long the log gets before folding it in is tried again
}

// Hooks are what a DB leaves to those who know what is in it.
type Hooks struct {
	// Check reads a doubtful database from end to end, and refuses one in which
	// something does not fit.
	Check func(ctx context.Context, d *DB) error
	// Replaced is called when another file is at the path than before.
	Replaced func()
}

// Open opens the database in dir, and makes it if it is missing, of another
// version or damaged. An empty dir makes one in memory, and so does one that
// cannot be written: Degraded then says why.
func Open(dir string, h Hooks) (*DB, error) {
	if dir == "" {
		return openMemory(h)
	}
	d, err := openDir(dir, h)
	if err == nil {
		return d, nil
	}
	d, memory := openMemory(h)
	if memory != nil {
		return nil, memory
	}
	d.why = err
	return d, nil
}

// Degraded says why a database that was to be kept on disk is in memory, where it
// has to be filled again every time. It is nil if all is as it should be.
func (d *DB) Degraded() error { return d.why }

func openMemory(h Hooks) (*DB, error) {
	pool, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(1) // another connection would be another database
	if _, err := pool.Exec(schema()); err != nil {
		return nil, errors.Join(err, pool.Close())
	}
	return &DB{write: pool, read: pool, hooks: h, writing: make(chan struct{}, 1)}, nil
}

func openDir(dir string, h Hooks) (*DB, error) {
	if err := regular.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the index: %w", err)
	}
	d := &DB{path: Path(dir), hooks: h, writing: make(chan struct{}, 1)}
	var err error
	if d.write, err = openPool(d.path, false, &d.generation); err != nil {
		return nil, err
	}
	if d.read, err = openPool(d.path, true, &d.generation); err != nil {
		return nil, errors.Join(err, d.write.Close())
	}
	d.write.SetMaxOpenConns(1)
	d.write.SetMaxIdleConns(1)
	d.read.SetMaxOpenConns(max(2, runtime.GOMAXPROCS(0)))
	if err := d.ensureIntact(patience); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

func fileName(version int) string { return fmt.Sprintf("index-v%d", version) }

// Path is the file of the database in dir.
func Path(dir string) string { return filepath.Join(dir, fileName(version)+".db") }

func (d *DB) lockPath() string { return filepath.Join(filepath.Dir(d.path), "index.lock") }
func (d *DB) sealPath() string { return d.path[:len(d.path)-len(".db")] + ".seal" }

// patience is how long ensureIntact waits for a process that checks a doubtful
// database or folds in its log.
const patience = 10 * time.Second

// ensureIntact returns when the database is intact. Mostly the seal says so, and then no
// lock is needed, not even while another process writes.
func (d *DB) ensureIntact(patience time.Duration) error {
	if d.isIntact() {
		return nil
	}
	w, err := d.lockForWriting(context.Background(), patience)
	if err != nil {
		return err
	}
	return w.release()
}

// isIntact reports whether the files fit their seal, and adopts the database if it is
// another one than before. It looks again at files that change meanwhile.
func (d *DB) isIntact() bool {
	for range 5 {
		s := readSeal(d.sealPath())
		file, log, err := d.imprints()
		if err == nil && s.judge(file, log) == Intact {
			d.adopt(file)
			return true
		}
		if readSeal(d.sealPath()) == s {
			return false
		}
	}
	return false
}

// imprints are those of the database and its log. A journal, which only another
// program can have made, would undo parts of the database.
func (d *DB) imprints() (file, log imprint, err error) {
	if _, err := os.Lstat(d.path + "-journal"); !errors.Is(err, fs.ErrNotExist) {
		return file, log, fmt.Errorf("%w: it has a journal", ErrDamaged)
	}
	if _, err = imprintAt(d.path + "-shm"); err != nil {
		return file, log, err
	}
	if file, err = imprintAt(d.path); err != nil {
		return file, log, err
	}
	log, err = imprintAt(d.path + "-wal")
	return file, log, err
}

// adopt makes the file that is at the path now the one that is read, if another
// process has put a new one there.
func (d *DB) adopt(file imprint) {
	if file.Inode == 0 {
		return
	}
	if old := d.inode.Swap(file.Inode); old != 0 && old != file.Inode {
		d.generation.Add(1)
		d.hooks.Replaced()
	}
}

// Edition names the file that answers come from: another one is empty at first.
type Edition struct {
	generation int64
	inode      uint64 // 0: in memory, or there is no file
}

// Edition is the one that is at the path now.
func (d *DB) Edition() Edition {
	e := Edition{generation: d.generation.Load()}
	if d.path != "" {
		file, _ := imprintAt(d.path) // what cannot be looked at is another one
		e.inode = file.Inode
	}
	return e
}

// createFile makes an empty database.
func createFile(path string) error {
	if err := removeAll(path, path+"-wal", path+"-shm", path+"-journal"); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) // for us only
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	pool, err := sql.Open("sqlite", fileURI(path, url.Values{"mode": {"rw"}}))
	if err != nil {
		return err
	}
	pool.SetMaxOpenConns(1)
	_, err = pool.Exec(fmt.Sprintf("PRAGMA page_size = 4096; PRAGMA user_version = %d; PRAGMA journal_mode = wal; BEGIN;%sCOMMIT", rand.Int32(), schema()))
	return errors.Join(err, pool.Close())
}

// removeAll deletes files, in order, up to the first that it cannot.
func removeAll(paths ...string) error {
	for _, path := range paths {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// removeOlder deletes what earlier versions left. It does not matter if it
// cannot.
func (d *DB) removeOlder() {
	for v := range version {
		base := filepath.Join(filepath.Dir(d.path), fileName(v))
		_ = removeAll(base+".seal", base+".db", base+".db-wal", base+".db-shm")
	}
}

// Rebuild puts an empty database into the place of a damaged one. It does not disturb
// those who read meanwhile.
func (d *DB) Rebuild(ctx context.Context) error {
	if d.path == "" {
		return errors.New("rebuild the index: it is in memory")
	}
	if err := d.waitForWriters(ctx, patience); err != nil {
		return err
	}
	defer func() { <-d.writing }()
	w, err := d.lockForWriting(ctx, patience)
	if err != nil {
		return err
	}
	return errors.Join(w.recreate(), w.release())
}

// Close folds the log in, if this process wrote, and ends all connections.
func (d *DB) Close() error {
	if d.read == d.write {
		return d.write.Close()
	}
	err := d.foldAtClose()
	// As long as a reader is there the end of the writer changes nothing.
	if reader, e := d.read.Conn(context.Background()); e == nil {
		defer reader.Close()
		_ = reader.PingContext(context.Background())
	}
	return errors.Join(err, d.write.Close(), d.read.Close())
}
