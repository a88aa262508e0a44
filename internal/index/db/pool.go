package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"sesskeep/internal/regular"

	"modernc.org/sqlite"
)

// pool opens connections to one path. When the file there is another one,
// renewing the generation makes connections to the old one end after their
// current use, so that a DB can be recreated while it is read.
type pool struct {
	driver.Connector
	path       string
	generation *atomic.Int64
	keeps      bool // its connections keep statements
}

// member is a connection of a pool.
type member struct {
	connection
	generation *atomic.Int64
	born       int64
	keeps      bool
	statements map[string]*statement // by their text
	uses       int
}

// connection is what database/sql makes use of.
type connection interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// writeWait is how long SQLite itself waits for another connection: they hold
// each other up only briefly.
const writeWait = 5 * time.Second

// How many bytes of pages a connection keeps. Readers get the same pages from the system's cache
// for the price of a copy, and a server that has several of them open keeps the memory; a first
// index changes most pages many times before it commits.
const (
	readerCache = 6 << 20
	writerCache = 16 << 20
)

// openPool makes a pool. Reading connections cannot write a byte of the
// database, not even by folding in its log when they end.
func openPool(path string, readOnly bool, generation *atomic.Int64) (*sql.DB, error) {
	query := url.Values{"_pragma": {fmt.Sprintf("busy_timeout(%d)", writeWait.Milliseconds()), "temp_store(memory)"}}
	if readOnly {
		query.Set("mode", "ro")
		query.Add("_pragma", "query_only(1)")
		query.Add("_pragma", fmt.Sprintf("cache_size(-%d)", readerCache>>10))
	} else {
		query.Set("mode", "rw")
		query.Add("_pragma", "synchronous(normal)")
		query.Add("_pragma", fmt.Sprintf("cache_size(-%d)", writerCache>>10))
		query.Add("_pragma", "journal_size_limit(67108864)")
		query.Add("_pragma", "wal_autocheckpoint(0)") // the write lock does it
	}
	base, err := sqlite.NewConnector(fileURI(path, query))
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(&pool{base, path, generation, readOnly}), nil
}

// keptReaders is how many connections are kept that nothing reads with.
const keptReaders = 2

// ReleaseIdle gives back what unused reading connections hold: after all rows
// were read that is many pages, and what comes next seldom needs them.
func (d *DB) ReleaseIdle() {
	if d.path == "" {
		return // the connection is the database
	}
	d.read.SetMaxIdleConns(0)
	d.read.SetMaxIdleConns(keptReaders)
}

// InUse is how many connections are being read with.
func (d *DB) InUse() int { return d.read.Stats().InUse }

func fileURI(path string, query url.Values) string {
	return (&url.URL{Scheme: "file", Opaque: escapePath(path), RawQuery: query.Encode()}).String()
}

// escapePath keeps "?", "#" and "%" of a path from ending it.
func escapePath(path string) string {
	return strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(filepath.ToSlash(path))
}

// Connect waits briefly for a file that is missing: it is when an index is
// being recreated.
func (p *pool) Connect(ctx context.Context) (driver.Conn, error) {
	// SQLite would wait until something is written into a pipe.
	if info, err := os.Stat(p.path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%w: open %s: %w", ErrDamaged, p.path, regular.ErrNotRegular)
	}
	for try := 0; ; try++ {
		born := p.generation.Load()
		c, err := p.Connector.Connect(ctx)
		if code(err) == codeCantOpen && try < 40 {
			time.Sleep(5 * time.Millisecond)
			continue
		}
		if err != nil {
			return nil, p.explain(err)
		}
		full, ok := c.(connection)
		if !ok {
			return nil, errors.Join(errors.New("the driver lacks what we need"), c.Close())
		}
		return &member{connection: full, generation: p.generation, born: born, keeps: p.keeps}, nil
	}
}

// explain distinguishes a file that is missing from one that cannot be opened right
// now, for want of memory or descriptors.
func (p *pool) explain(err error) error {
	if file, e := imprintAt(p.path); e != nil || file == (imprint{}) {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return err
}

func (m *member) current() bool { return m.born == m.generation.Load() }

// ResetSession refuses to be used again for another file.
func (m *member) ResetSession(ctx context.Context) error {
	if !m.current() {
		return driver.ErrBadConn
	}
	return m.connection.ResetSession(ctx)
}

// IsValid refuses to be kept for another file.
func (m *member) IsValid() bool { return m.current() && m.connection.IsValid() }
