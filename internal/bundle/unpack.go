package bundle

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"sesskeep/internal/regular"
)

// maxManifest is enough for as many files as are allowed.
const maxManifest = 32 << 20

// freeBytes may come out of a bundle whatever the ratio: small files compress well.
const freeBytes = 1 << 20

// Unpack reads a bundle and puts its files into dir, an empty directory, as 0, 1, 2
// and so on, in the order of the manifest. What is wrong with it is [ErrInvalid];
// then, as after any error, the caller removes the directory.
func Unpack(ctx context.Context, r io.Reader, dir string, l Limits) (Manifest, error) {
	u := &unpacker{limits: l.orUsual(), in: &counter{r: &limited{ctx: ctx, r: r}}, dir: dir}
	in := bufio.NewReader(u.in)
	zip, err := gzip.NewReader(in)
	if err != nil {
		return Manifest{}, u.wrong(ctx, err)
	}
	zip.Multistream(false)
	u.tar = tar.NewReader(&ratio{u: u, r: zip})
	m, err := u.manifest()
	if err != nil {
		return m, u.wrong(ctx, err)
	}
	for i, f := range m.Files {
		if err := u.file(i, f); err != nil {
			return m, u.wrong(ctx, err)
		}
	}
	if _, err := u.tar.Next(); err != io.EOF {
		return m, u.wrong(ctx, errors.Join(err, invalid("it contains more than its manifest lists")))
	}
	// To the end: the sum of the archive comes last.
	if _, err := io.Copy(io.Discard, &ratio{u: u, r: zip}); err != nil {
		return m, u.wrong(ctx, err)
	}
	if _, err := in.ReadByte(); err != io.EOF {
		return m, u.wrong(ctx, errors.Join(err, invalid("something follows it")))
	}
	return m, nil
}

type unpacker struct {
	limits Limits
	in     *counter
	out    int64 // bytes that came out of the compression
	tar    *tar.Reader
	dir    string
}

// wrong says of an error that it is the bundle's, unless it is ours.
func (u *unpacker) wrong(ctx context.Context, err error) error {
	var ours *os.PathError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, ErrInvalid), errors.As(err, &ours), u.in.err != nil:
		return err
	}
	return invalid("%v", err)
}

// counter counts what is read of the bundle.
type counter struct {
	r   io.Reader
	n   int64
	err error // but for its end
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	if err != nil && err != io.EOF {
		c.err = err
	}
	return n, err
}

// ratio stops where too much comes out of too little.
type ratio struct {
	u *unpacker
	r io.Reader
}

func (r *ratio) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	u := r.u
	u.out += int64(n)
	switch {
	case u.out > u.limits.Bytes+maxManifest+freeBytes+int64(u.limits.Files)*2048:
		return n, invalid("more than %d bytes", u.limits.Bytes)
	case u.out > freeBytes && u.out/u.limits.Ratio > u.in.n:
		return n, invalid("it is compressed more than %d times", u.limits.Ratio)
	}
	return n, err
}

// next is the next file of the archive, which has to be a plain one of that name.
func (u *unpacker) next(name string) (*tar.Header, error) {
	h, err := u.tar.Next()
	if err == io.EOF {
		return nil, invalid("%q is missing", name)
	}
	if err != nil {
		return nil, err
	}
	if h.Typeflag != tar.TypeReg || h.Linkname != "" || sparse(h) {
		return nil, invalid("%q is no plain file", h.Name)
	}
	if h.Name != name {
		return nil, invalid("%q where its manifest has %q", h.Name, name)
	}
	return h, nil
}

// sparse reports whether a file has holes: they are read as zeros that nothing
// stands for.
func sparse(h *tar.Header) bool {
	for key := range h.PAXRecords {
		if key != "path" && key != "mtime" && key != "size" {
			return true
		}
	}
	return false
}

func (u *unpacker) manifest() (Manifest, error) {
	var m Manifest
	h, err := u.next(manifestName)
	if err != nil {
		return m, err
	}
	if h.Size > maxManifest {
		return m, invalid("its manifest is too large")
	}
	data, err := io.ReadAll(io.LimitReader(u.tar, maxManifest))
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return m, invalid("its manifest is no JSON: %v", err)
	}
	return m, m.check(u.limits)
}

func (u *unpacker) file(i int, f File) (err error) {
	h, err := u.next(filesDir + f.Name)
	if err != nil {
		return err
	}
	if h.Size != f.Size {
		return invalid("%q has %d bytes, and %d by its manifest", f.Name, h.Size, f.Size)
	}
	out, err := regular.OpenFile(Unpacked(u.dir, i), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	hash := sha256.New()
	n, err := io.Copy(io.MultiWriter(out, hash), u.tar)
	switch {
	case err != nil:
		return err
	case n != f.Size || hex.EncodeToString(hash.Sum(nil)) != f.SHA256:
		return invalid("%q is damaged: its hash differs", f.Name)
	}
	return nil
}

// Unpacked is where file i of a manifest lies after Unpack.
func Unpacked(dir string, i int) string { return filepath.Join(dir, strconv.Itoa(i)) }
