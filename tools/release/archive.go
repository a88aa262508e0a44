package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// file is a file of an archive.
type file struct {
	name string // in the archive
	data []byte
	mode fs.FileMode
}

// contents are the files that the archives of all systems have, in a fixed order.
func (r *release) contents(program string, notices []byte) ([]file, error) {
	files := []file{{name: noticesName, data: notices, mode: 0o644}}
	add := func(from, name string, mode fs.FileMode) error {
		data, err := os.ReadFile(from)
		files = append(files, file{name, data, mode})
		return err
	}
	err := errors.Join(add(program, filepath.Base(program), 0o755),
		add(filepath.Join(r.top, "LICENSE"), "LICENSE", 0o644),
		add(filepath.Join(r.top, "README.md"), "README.md", 0o644))
	if err != nil {
		return nil, err
	}
	manual := r.path("manual")
	err = filepath.WalkDir(manual, func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		below, err := filepath.Rel(manual, p)
		if err != nil {
			return err
		}
		return add(p, filepath.ToSlash(below), 0o644)
	})
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return files, err
}

// writeTar writes a compressed tar archive whose files are below a directory.
func writeTar(to, below string, files []file, at time.Time) error {
	return written(to, func(w io.Writer) error {
		z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
		if err != nil {
			return err
		}
		t := tar.NewWriter(z)
		for _, f := range files {
			head := tar.Header{Name: path.Join(below, f.name), Mode: int64(f.mode), Size: int64(len(f.data)), ModTime: at, Format: tar.FormatPAX}
			if err := t.WriteHeader(&head); err != nil {
				return err
			}
			if _, err := t.Write(f.data); err != nil {
				return err
			}
		}
		return errors.Join(t.Close(), z.Close())
	})
}

// writeZip is writeTar for Windows.
func writeZip(to, below string, files []file, at time.Time) error {
	return written(to, func(w io.Writer) error {
		z := zip.NewWriter(w)
		for _, f := range files {
			out, err := z.CreateHeader(&zip.FileHeader{Name: path.Join(below, f.name), Method: zip.Deflate, Modified: at})
			if err != nil {
				return err
			}
			if _, err := out.Write(f.data); err != nil {
				return err
			}
		}
		return z.Close()
	})
}

// written writes a file, and removes what was begun of it where that fails.
func written(to string, write func(io.Writer) error) error {
	f, err := os.Create(to)
	if err != nil {
		return err
	}
	if err := errors.Join(write(f), f.Close()); err != nil {
		return errors.Join(err, os.Remove(to))
	}
	return nil
}
