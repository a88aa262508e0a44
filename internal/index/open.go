package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	_ "modernc.org/sqlite" // the driver, without cgo
)

// Index is an open index.
type Index struct {
	path  string // "" in memory
	write *sql.DB
	read  *sql.DB
}

// Open opens the index in dir, and makes it if it is missing, of another
// version or damaged. An empty dir makes one in memory.
func Open(dir string) (*Index, error) {
	if dir == "" {
		return openMemory()
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the index: %w", err)
	}
	path := filepath.Join(dir, fmt.Sprintf("index-v%d.db", version))
	x, err := openFile(path)
	if err == nil {
		return x, nil
	}
	// Whatever is wrong with it, nothing in it is lost.
	if err := remove(path); err != nil {
		return nil, fmt.Errorf("make the index anew: %w", err)
	}
	return openFile(path)
}

// remove deletes the database and the files SQLite keeps beside it.
func remove(path string) error {
	var errs []error
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

func openMemory() (*Index, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // another connection would be another database
	if _, err := db.Exec(schema); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &Index{write: db, read: db}, nil
}

func openFile(path string) (*Index, error) {
	x := &Index{path: path}
	var err error
	if x.write, err = connect(path, false); err != nil {
		return nil, err
	}
	x.write.SetMaxOpenConns(1)
	if err := x.prepare(); err != nil {
		return nil, errors.Join(err, x.write.Close())
	}
	if x.read, err = connect(path, true); err != nil {
		return nil, errors.Join(err, x.write.Close())
	}
	x.read.SetMaxOpenConns(max(2, runtime.GOMAXPROCS(0)))
	return x, nil
}

func connect(path string, readOnly bool) (*sql.DB, error) {
	pragmas := []string{"busy_timeout(5000)", "temp_store(memory)", "cache_size(-16000)"}
	if readOnly {
		pragmas = append(pragmas, "query_only(1)")
	} else {
		pragmas = append(pragmas, "page_size(16384)", "journal_mode(wal)", "synchronous(normal)", "journal_size_limit(67108864)")
	}
	query := url.Values{"_pragma": pragmas}
	name := (&url.URL{Scheme: "file", Opaque: escapePath(path), RawQuery: query.Encode()}).String()
	return sql.Open("sqlite", name)
}

// escapePath keeps "?", "#" and "%" of a path from ending it.
func escapePath(path string) string {
	return strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(filepath.ToSlash(path))
}

// prepare makes the tables of a new file and checks an old one.
func (x *Index) prepare() error {
	var tables int
	if err := x.write.QueryRow("SELECT count(*) FROM sqlite_schema WHERE name = 'root'").Scan(&tables); err != nil {
		return err
	}
	if tables == 0 {
		_, err := x.write.Exec("BEGIN;" + schema + "COMMIT;")
		return err
	}
	return x.check()
}

// Close lets go of the file.
func (x *Index) Close() error {
	if x.read == x.write {
		return x.write.Close()
	}
	return errors.Join(x.read.Close(), x.write.Close())
}

// inTx runs f in a transaction of the writer.
func (x *Index) inTx(ctx context.Context, f func(tx *sql.Tx) error) error {
	tx, err := x.write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := f(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}
