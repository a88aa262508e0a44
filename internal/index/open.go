package index

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

	"sesskeep/internal/index/db"
	"sesskeep/internal/regular"
)

// Index is an open index.
type Index struct {
	path  string  // "" in memory
	why   error   // it is in memory against the caller's wish
	write *sql.DB // in a turn only
	read  *sql.DB

	generation atomic.Int64  // of the file at path
	inode      atomic.Uint64 // of that file, where there is such a thing

	writing chan struct{} // has room for the one that writes in this process
	wrote   atomic.Bool   // something was committed
	foldAt  atomic.Int64  // how long the log gets before folding it in is tried again
	held    holder        // folds of files that grow

	lists    trails[[]string] // files that were given
	searches trails[*finding] // what was found
	counted  tallies

	walked walks // of this process
}

// Open opens the index in dir, and makes it if it is missing, of another
// version or damaged. An empty dir makes one in memory, and so does one that
// cannot be written: Degraded then says why.
func Open(dir string) (*Index, error) {
	if dir == "" {
		return openMemory()
	}
	x, err := openDir(dir)
	if err == nil {
		return x, nil
	}
	x, memory := openMemory()
	if memory != nil {
		return nil, memory
	}
	x.why = err
	return x, nil
}

// Degraded says why an index that was to be kept on disk is in memory, where it
// has to be filled anew every time. It is nil if all is as it should be.
func (x *Index) Degraded() error { return x.why }

func openMemory() (*Index, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // another connection would be another database
	if _, err := db.Exec(schema); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &Index{write: db, read: db, writing: make(chan struct{}, 1)}, nil
}

func openDir(dir string) (*Index, error) {
	if err := regular.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the index: %w", err)
	}
	x := &Index{path: filepath.Join(dir, fileName(version)+".db"), writing: make(chan struct{}, 1)}
	var err error
	if x.write, err = openPool(x.path, false, &x.generation); err != nil {
		return nil, err
	}
	if x.read, err = openPool(x.path, true, &x.generation); err != nil {
		return nil, errors.Join(err, x.write.Close())
	}
	x.write.SetMaxOpenConns(1)
	x.write.SetMaxIdleConns(1)
	x.read.SetMaxOpenConns(max(2, runtime.GOMAXPROCS(0)))
	if err := x.enter(patience); err != nil {
		return nil, errors.Join(err, x.Close())
	}
	return x, nil
}

func fileName(version int) string { return fmt.Sprintf("index-v%d", version) }

func (x *Index) lockPath() string { return filepath.Join(filepath.Dir(x.path), "index.lock") }
func (x *Index) sealPath() string { return x.path[:len(x.path)-len(".db")] + ".seal" }

// patience is how long enter waits for a process that looks into a doubtful
// index or folds in its log.
const patience = 10 * time.Second

// enter returns when the index is sound. Mostly that is seen at a glance, and
// needs no lock: also while another process writes.
func (x *Index) enter(patience time.Duration) error {
	if x.sound() {
		return nil
	}
	t, err := x.takeTurn(context.Background(), patience)
	if err != nil {
		return err
	}
	return t.end()
}

// sound reports whether the index is as we left it, and turns to it if it is
// another one than before. Files that change while they are looked at are looked
// at again.
func (x *Index) sound() bool {
	for range 5 {
		s := readSeal(x.sealPath())
		db, log, err := x.imprints()
		if err == nil && s.judge(db, log) == sound {
			x.follow(db)
			return true
		}
		if readSeal(x.sealPath()) == s {
			return false
		}
	}
	return false
}

// imprints are those of the database and its log. A journal, which only another
// program can have made, would undo parts of the database.
func (x *Index) imprints() (file, log imprint, err error) {
	if _, err := os.Lstat(x.path + "-journal"); !errors.Is(err, fs.ErrNotExist) {
		return file, log, fmt.Errorf("%w: it has a journal", db.ErrDamaged)
	}
	if _, err = takeImprint(x.path + "-shm"); err != nil {
		return file, log, err
	}
	if file, err = takeImprint(x.path); err != nil {
		return file, log, err
	}
	log, err = takeImprint(x.path + "-wal")
	return file, log, err
}

// follow turns to the file that is at the path now, if another process has put
// a new one there.
func (x *Index) follow(db imprint) {
	if db.Inode == 0 {
		return
	}
	if old := x.inode.Swap(db.Inode); old != 0 && old != db.Inode {
		x.generation.Add(1)
		x.walked.clear()
	}
}

// Edition names the file that answers come from: another one is empty at first.
type Edition struct {
	generation int64
	inode      uint64 // 0: in memory, or there is no file
}

// Edition is the one that is at the path now.
func (x *Index) Edition() Edition {
	e := Edition{generation: x.generation.Load()}
	if x.path != "" {
		db, _ := takeImprint(x.path) // what cannot be looked at is another one
		e.inode = db.Inode
	}
	return e
}

// createFile makes an empty index.
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
	db, err := sql.Open("sqlite", fileURI(path, url.Values{"mode": {"rw"}}))
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	_, err = db.Exec(fmt.Sprintf("PRAGMA page_size = 4096; PRAGMA user_version = %d; PRAGMA journal_mode = wal; BEGIN;%sCOMMIT", rand.Int32(), schema))
	return errors.Join(err, db.Close())
}

// birth is a number that every index gets when it is made, so that nobody takes a
// new one for the one that was looked at.
func birth(q db.Querier) (n int64, err error) {
	err = q.QueryRow("PRAGMA user_version").Scan(&n)
	return n, err
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
func (x *Index) removeOlder() {
	for v := range version {
		base := filepath.Join(filepath.Dir(x.path), fileName(v))
		_ = removeAll(base+".seal", base+".db", base+".db-wal", base+".db-shm")
	}
}

// Rebuild puts an empty index into the place of a damaged one. Walk fills it.
// Those who read in the meantime are not disturbed.
func (x *Index) Rebuild(ctx context.Context) error {
	if x.path == "" {
		return errors.New("make the index anew: it is in memory")
	}
	if err := x.await(ctx, patience); err != nil {
		return err
	}
	defer func() { <-x.writing }()
	t, err := x.takeTurn(ctx, patience)
	if err != nil {
		return err
	}
	return errors.Join(t.renew(), t.end())
}

// Close lets go of the file.
func (x *Index) Close() error {
	if x.read == x.write {
		return x.write.Close()
	}
	err := x.settle()
	// As long as a reader is there the end of the writer changes nothing.
	if reader, e := x.read.Conn(context.Background()); e == nil {
		defer reader.Close()
		_ = reader.PingContext(context.Background())
	}
	return errors.Join(err, x.write.Close(), x.read.Close())
}

// observe is told of every step of a writer. Tests set it.
var observe = func(step string) {}

// commit runs f in a transaction.
func (x *Index) commit(ctx context.Context, f func(tx *sql.Tx) error) error {
	tx, err := x.write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	observe("begin")
	defer observe("end")
	err = f(tx)
	if err == nil {
		_, err = tx.ExecContext(ctx, "UPDATE beat SET n = n + 1")
	}
	if err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}
