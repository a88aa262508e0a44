package shelf

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"sesskeep/internal/disk"
	"sesskeep/internal/regular"
)

// Content names what a file holds. The zero Content is that of no file.
type Content struct {
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// ContentOf names the content of a text.
func ContentOf(data []byte) Content {
	hash := sha256.Sum256(data)
	return Content{Size: int64(len(data)), SHA256: hex.EncodeToString(hash[:])}
}

// Source opens a new content. It may be called more than once.
type Source func() (io.ReadCloser, error)

// Bytes is the source of a small content.
func Bytes(data []byte) Source {
	return func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }
}

// FileSource is the source of a content that lies in a file.
func FileSource(path string) Source {
	return func() (io.ReadCloser, error) { return openRegular(path, os.O_RDONLY) }
}

// Identity differs from that of every other file, and after the file was written.
type Identity struct {
	Device   uint64    `json:"device"`
	Inode    uint64    `json:"inode"`
	Size     int64     `json:"size"`
	Modified time.Time `json:"modified"`
}

// Identify returns the identity of the file or directory at a path, which is not
// followed if it is a link.
func Identify(path string) (Identity, error) {
	id, _, err := identify(path)
	return id, err
}

func (i Identity) equal(j Identity) bool {
	return i.is(j) && i.Size == j.Size && i.Modified.Equal(j.Modified)
}

// is reports whether two identities are of one file, even if it was written in between.
func (i Identity) is(j Identity) bool { return i.Device == j.Device && i.Inode == j.Inode }

// there reports whether a path has anything, a dangling link too.
func there(path string) (bool, error) {
	_, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// openRegular opens a file that is no link, pipe or device, and does not wait.
func openRegular(path string, flags int) (*os.File, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: regular.ErrNotRegular}
	}
	return regular.OpenFile(path, flags|openFlags, 0)
}

// openWriting is openRegular for a file that is changed.
func openWriting(sys disk.System, path string, flags int) (disk.File, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: regular.ErrNotRegular}
	}
	return sys.OpenFile(path, flags|openFlags, 0)
}

// ContentAt names what the file at a path holds, links followed; zero: there is
// none.
func ContentAt(path string) (Content, error) {
	path, err := follow(path)
	if err != nil {
		return Content{}, err
	}
	return contentOf(path)
}

// SameContent reports whether a source has a content.
func SameContent(c Content, from Source) (bool, error) {
	r, err := from()
	if err != nil {
		return false, err
	}
	got, err := digest(io.Discard, r)
	return got == c, errors.Join(err, r.Close())
}

// contentOf names what the file at a path holds; zero: there is none.
func contentOf(path string) (Content, error) {
	f, err := openRegular(path, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return Content{}, nil
	}
	if err != nil {
		return Content{}, err
	}
	c, err := digest(io.Discard, f)
	return c, errors.Join(err, f.Close())
}

// Digest names what a reader gives.
func Digest(r io.Reader) (Content, error) { return digest(io.Discard, r) }

// Same reports whether two files hold the same.
func Same(a, b string) (bool, error) {
	x, err := contentOf(a)
	if err != nil {
		return false, err
	}
	y, err := contentOf(b)
	return x == y, err
}

// digest copies r to w and names what it was.
func digest(w io.Writer, r io.Reader) (Content, error) {
	hash := sha256.New()
	n, err := io.Copy(io.MultiWriter(w, hash), r)
	return Content{Size: n, SHA256: hex.EncodeToString(hash.Sum(nil))}, err
}

// write makes a new file of a source and does not come back before it is on the
// disk. A file of that name is left of a crash, and goes.
func write(sys disk.System, path string, from Source) (Content, error) {
	if err := disk.Remove(sys, path); err != nil {
		return Content{}, err
	}
	r, err := from()
	if err != nil {
		return Content{}, err
	}
	f, err := sys.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return Content{}, errors.Join(err, r.Close())
	}
	c, err := digest(f, r)
	if err == nil {
		err = f.Sync()
	}
	return c, errors.Join(err, f.Close(), r.Close())
}

// writeExactly is write for a content that is known.
func writeExactly(sys disk.System, path string, from Source, want Content) error {
	got, err := write(sys, path, from)
	if err == nil && got != want {
		err = fmt.Errorf("%s is not what it was: %w", path, ErrChanged)
	}
	return err
}
