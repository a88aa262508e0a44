package backup

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sesskeep/internal/disk"
	"sesskeep/internal/regular"
)

// storage stores the files of a repository.
type storage interface {
	// list lists the files in a directory, sorted.
	list(dir string) ([]string, error)
	open(name string) (stored, error)
	// put stores a file and returns when it is completely on disk. A file that exists has
	// these bytes already.
	put(name string, data []byte) error
	// commit ends writing. Without it a repository in one file is removed again.
	commit() error
	// abort ends writing that failed.
	abort() error
}

// stored is a stored file that is open for reading.
type stored struct {
	io.ReaderAt
	io.Closer
	size int64
}

// directory is a repository in a directory.
type directory struct {
	dir string
	sys disk.System
}

func (d *directory) list(dir string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(d.dir, dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), partSuffix) {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names, err
}

const partSuffix = ".part" // ends the name of a file that disk.WriteFile is writing

func (d *directory) open(name string) (stored, error) {
	f, err := regular.Open(filepath.Join(d.dir, filepath.FromSlash(name)))
	if err != nil {
		return stored{}, err
	}
	info, err := f.Stat()
	if err != nil {
		return stored{}, errors.Join(err, f.Close())
	}
	return stored{f, f, info.Size()}, nil
}

func (d *directory) put(name string, data []byte) error {
	path := filepath.Join(d.dir, filepath.FromSlash(name))
	if err := disk.MkdirAll(d.sys, filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return disk.WriteFile(d.sys, path, data, 0o600)
}

func (d *directory) commit() error { return nil }
func (d *directory) abort() error  { return nil }

// sweep removes the unfinished files of a killed writer.
func (d *directory) sweep() error {
	for _, dir := range []string{"", packsDir, listsDir} {
		left, err := filepath.Glob(filepath.Join(globQuote(filepath.Join(d.dir, dir)), "*"+partSuffix))
		if err != nil {
			return err
		}
		for _, path := range left {
			if err := disk.Remove(d.sys, path); err != nil {
				return err
			}
		}
	}
	return nil
}

// globQuote escapes a directory for use in a pattern of filepath.Glob.
func globQuote(dir string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(dir)
}
