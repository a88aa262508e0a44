package bundle

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"time"

	"sesskeep"
)

// Pack writes a family as a bundle, and returns its manifest; the caller sets the
// title, the project and the time in m. It omits duplicate transcripts, which are
// older copies, and files whose names no other system could have; it lists those. A
// file that grows meanwhile is packed with its size at the start.
func Pack(ctx context.Context, w io.Writer, s *sesskeep.Store, family sesskeep.Family, m Manifest) (_ Manifest, left []string, err error) {
	if family.Main == nil {
		return m, nil, &sesskeep.Error{Op: "export", Name: string(family.Key.Session), Err: errors.New("there is no transcript")}
	}
	m.Format, m.Session, m.Dir, m.Files = format, family.Key.Session, family.Main.Dir, nil
	for _, name := range family.Files() {
		if isDuplicate(family, name) {
			continue
		}
		if m.checkName(name, Limits{}.orUsual()) != nil {
			left = append(left, name)
			continue
		}
		f, err := describe(ctx, s, name)
		if err != nil {
			return m, left, err
		}
		m.Files = append(m.Files, f)
	}
	if err := m.check(Limits{}.orUsual()); err != nil {
		return m, left, err
	}
	zip := gzip.NewWriter(w)
	archive := tar.NewWriter(zip)
	if err := m.write(archive); err != nil {
		return m, left, err
	}
	for _, f := range m.Files {
		if err := f.write(ctx, archive, s); err != nil {
			return m, left, err
		}
	}
	return m, left, errors.Join(archive.Close(), zip.Close())
}

func isDuplicate(family sesskeep.Family, name string) bool {
	return slices.ContainsFunc(family.Twins, func(ref sesskeep.Ref) bool { return ref.File == name })
}

// describe reads a file for its hash.
func describe(ctx context.Context, s *sesskeep.Store, name string) (File, error) {
	src, err := s.Files().Open(name)
	if err != nil {
		return File{}, err
	}
	defer src.Close()
	info, err := src.Stat()
	if err != nil {
		return File{}, err
	}
	f := File{Name: name, Size: info.Size(), Modified: info.ModTime().UTC().Truncate(time.Millisecond)}
	hash := sha256.New()
	if _, err := io.Copy(hash, &limited{ctx: ctx, r: io.NewSectionReader(src, 0, f.Size)}); err != nil {
		return File{}, &sesskeep.Error{Op: "read", Name: s.Path(name), Err: err}
	}
	f.SHA256 = hex.EncodeToString(hash.Sum(nil))
	return f, nil
}

// limited ends a reading when its context does.
type limited struct {
	ctx context.Context
	r   io.Reader
}

func (l *limited) Read(p []byte) (int, error) {
	if err := l.ctx.Err(); err != nil {
		return 0, err
	}
	return l.r.Read(p)
}

func (m *Manifest) write(archive *tar.Writer) error {
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	if err := archive.WriteHeader(&tar.Header{Name: manifestName, Mode: 0o600, Size: int64(len(data)), ModTime: m.Created.Truncate(time.Second)}); err != nil {
		return err
	}
	_, err = archive.Write(data)
	return err
}

func (f File) write(ctx context.Context, archive *tar.Writer, s *sesskeep.Store) error {
	src, err := s.Files().Open(f.Name)
	if err != nil {
		return err
	}
	defer src.Close()
	if err := archive.WriteHeader(&tar.Header{Name: path.Join(filesDir, f.Name), Mode: 0o600, Size: f.Size, ModTime: f.Modified.Truncate(time.Second)}); err != nil {
		return err
	}
	hash := sha256.New()
	n, err := io.Copy(io.MultiWriter(archive, hash), &limited{ctx: ctx, r: io.NewSectionReader(src, 0, f.Size)})
	if err == nil && (n != f.Size || hex.EncodeToString(hash.Sum(nil)) != f.SHA256) {
		err = fmt.Errorf("it was rewritten while it was packed")
	}
	if err != nil {
		return &sesskeep.Error{Op: "export", Name: s.Path(f.Name), Err: err}
	}
	return nil
}
