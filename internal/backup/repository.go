package backup

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sesskeep/internal/disk"
	"sesskeep/internal/lock"
	"sesskeep/internal/sealed"
)

// The files and directories of a repository.
const (
	formName = "sesskeep-backup.json"
	keyName  = "key.age"
	packsDir = "packs"
	listsDir = "backups"
	lockName = "lock"
)

// form is the content of formName.
type form struct {
	Version   int       `json:"version"`
	ID        string    `json:"id"`
	CreatedAt time.Time `json:"createdAt"`
	Encrypted bool      `json:"encrypted"`
}

const formVersion = 1

// Valid rejects a form without a seal.
func (form) Valid() bool { return false }

// Repository is a directory or a file with backups.
type Repository struct {
	path  string
	opts  Options
	form  form
	store storage
	crypt *crypt // nil: the repository is not encrypted
	packs packs
}

// InFile reports whether a repository at a path is one file: the file exists, or nothing does
// and the name ends like that of a tar archive.
func InFile(path string) bool {
	info, err := os.Stat(path)
	if err == nil {
		return !info.IsDir()
	}
	return strings.HasSuffix(path, ".tar")
}

// Open opens a repository for reading. If there is none the error is [ErrNone].
func Open(path string, o Options) (*Repository, error) {
	o.orUsual()
	r := &Repository{path: path, opts: o}
	if InFile(path) {
		t, err := openTar(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%w in %s", ErrNone, path)
		}
		if err != nil {
			return nil, err
		}
		r.store = t
	} else {
		r.store = &directory{path, o.Disk}
	}
	if err := r.open(); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// open reads the form and the key.
func (r *Repository) open() error {
	text, err := r.read(formName)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w in %s", ErrNone, r.path)
	}
	if err != nil {
		return err
	}
	if r.form, err = sealed.Decode[form](filepath.Join(r.path, formName), text, formVersion); err != nil {
		if errors.Is(err, sealed.ErrNewer) {
			return err
		}
		return fmt.Errorf("%w: %s", ErrDamaged, formName)
	}
	if !r.form.Encrypted {
		return nil
	}
	key, err := r.read(keyName)
	if err != nil {
		return fmt.Errorf("%w: %s: %w", ErrDamaged, keyName, err)
	}
	r.crypt, err = openCrypt(r.opts.Key, key)
	return err
}

// read reads a small file that is stored unencrypted.
func (r *Repository) read(name string) ([]byte, error) {
	f, err := r.store.open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.NewSectionReader(f, 0, min(f.size, maxSmall)))
}

const maxSmall = 1 << 20

// create makes a new repository. It writes the form last: without it there is no repository.
func create(path string, o Options) (*Repository, error) {
	id := make([]byte, 8)
	_, _ = rand.Read(id) // never fails
	r := &Repository{path: path, opts: o, form: form{formVersion, hex.EncodeToString(id), o.Now().UTC(), o.Key.encrypts()}}
	if InFile(path) {
		t, err := createTar(path, o.Disk, o.Now)
		if err != nil {
			return nil, err
		}
		r.store = t
	} else {
		r.store = &directory{path, o.Disk}
	}
	if err := r.create(); err != nil {
		return nil, errors.Join(err, r.store.abort())
	}
	return r, nil
}

func (r *Repository) create() error {
	if r.form.Encrypted {
		c, key, err := newCrypt(r.opts.Key)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrKey, err)
		}
		r.crypt = c
		if err := r.store.put(keyName, key); err != nil {
			return err
		}
	}
	text, err := json.MarshalIndent(r.form, "", "  ")
	if err != nil {
		return err
	}
	return r.store.put(formName, sealed.Seal(text))
}

// Path returns the path of the repository.
func (r *Repository) Path() string { return r.path }

// Encrypted reports whether the repository is encrypted.
func (r *Repository) Encrypted() bool { return r.form.Encrypted }

// Close closes a repository that was opened for reading.
func (r *Repository) Close() error {
	r.packs.close()
	if t, ok := r.store.(*tarFile); ok && t.file != nil {
		return t.file.Close()
	}
	return nil
}

// openOrCreate opens a repository for writing, and locks it.
func openOrCreate(path string, o Options) (*Repository, *lock.Lock, error) {
	o.orUsual()
	if InFile(path) {
		r, err := create(path, o)
		return r, nil, err
	}
	if err := usable(path); err != nil {
		return nil, nil, err
	}
	if err := disk.MkdirAll(o.Disk, path, 0o700); err != nil {
		return nil, nil, err
	}
	l, err := lock.Acquire(filepath.Join(path, lockName))
	if errors.Is(err, lock.ErrHeld) {
		return nil, nil, fmt.Errorf("%s: %w", path, ErrHeld)
	}
	if err != nil {
		return nil, nil, err
	}
	r, err := Open(path, o)
	if errors.Is(err, ErrNone) {
		r, err = create(path, o)
	}
	if err == nil {
		err = (&directory{path, o.Disk}).sweep()
	}
	if err != nil {
		return nil, nil, errors.Join(err, release(l))
	}
	return r, l, nil
}

// usable returns an error if a directory contains something else.
func usable(path string) error {
	entries, err := os.ReadDir(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		switch strings.TrimSuffix(e.Name(), partSuffix) {
		case formName, keyName, packsDir, listsDir, lockName:
		default:
			if _, err := os.Stat(filepath.Join(path, formName)); err == nil {
				return nil // the entry was added later
			}
			return fmt.Errorf("%w in %s, such as %s", ErrTaken, path, e.Name())
		}
	}
	return nil
}

// Exists reports whether a repository can not be created at a path: a file is there, or a
// directory with a repository.
func Exists(path string) bool {
	if InFile(path) {
		_, err := os.Stat(path)
		return err == nil
	}
	_, err := os.Stat(filepath.Join(path, formName))
	return err == nil
}

// Encrypted reports whether there is a repository at a path that only a key opens.
func Encrypted(path string) bool {
	r, err := Open(path, Options{})
	if err == nil {
		_ = r.Close() // it was only read
	}
	return errors.Is(err, ErrKey)
}
