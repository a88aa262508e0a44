package backup

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"
)

// maxList is the most memory that decompressing a list may take.
const maxList = 64 << 20

const listTime = "20060102T150405.000Z"

// listName is the name of a list: when it was made, and a hash of its bytes.
func listName(at time.Time, stored []byte) string {
	return at.Format(listTime) + "-" + nameOf(stored)[:12]
}

// listEnd is the last line of a list.
type listEnd struct {
	End int `json:"end"` // how many files there are
}

// encodeList writes a list: the head, a line for each file, and the end.
func encodeList(h Head, list []File) ([]byte, error) {
	slices.SortFunc(list, func(a, b File) int { return cmp.Or(strings.Compare(a.Tree, b.Tree), strings.Compare(a.Name, b.Name)) })
	var out bytes.Buffer
	zip, err := zstd.NewWriter(&out, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, err
	}
	enc := json.NewEncoder(zip)
	err = enc.Encode(h)
	for i := range list {
		err = errors.Join(err, enc.Encode(&list[i]))
	}
	err = errors.Join(err, enc.Encode(listEnd{len(list)}), zip.Close())
	return out.Bytes(), err
}

// List returns the heads of all backups, the newest first. Lists that cannot be read are
// returned as errors.
func (r *Repository) List() (heads []Head, damaged []error, err error) {
	names, err := r.store.list(listsDir)
	for _, name := range slices.Backward(names) {
		h, err := r.readList(name, nil)
		if err != nil {
			damaged = append(damaged, err)
			continue
		}
		heads = append(heads, h)
	}
	return heads, damaged, err
}

// Load reads the backup whose id begins with id, or the newest if id is empty. If there is
// none the error is [ErrNone].
func (r *Repository) Load(id string) (*Backup, error) {
	name, err := r.find(id)
	if err != nil {
		return nil, err
	}
	b := &Backup{}
	b.Head, err = r.readList(name, func(f File) { b.List = append(b.List, f) })
	if err != nil {
		return nil, err
	}
	return b, r.load()
}

// find returns the name of the list whose id begins with id, or of the newest list.
func (r *Repository) find(id string) (string, error) {
	names, err := r.store.list(listsDir)
	if err != nil {
		return "", err
	}
	for _, name := range slices.Backward(names) {
		if strings.HasPrefix(name, id) {
			return name, nil
		}
	}
	if id != "" {
		return "", fmt.Errorf("%w %s in %s", ErrNone, id, r.path)
	}
	return "", fmt.Errorf("%w in %s that was finished", ErrNone, r.path)
}

// readList reads a list and calls add with each file. If add is nil it reads only the head.
func (r *Repository) readList(name string, add func(File)) (h Head, err error) {
	fail := func(err error) (Head, error) {
		return h, fmt.Errorf("%w: %s: %w", ErrDamaged, path.Join(listsDir, name), err)
	}
	f, err := r.store.open(path.Join(listsDir, name))
	if err != nil {
		return h, err
	}
	defer f.Close()
	at, size, err := r.crypt.reader(f, f.size)
	if err != nil {
		return fail(err)
	}
	zip, err := zstd.NewReader(bufio.NewReader(io.NewSectionReader(at, 0, size)), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxList))
	if err != nil {
		return fail(err)
	}
	defer zip.Close()
	dec := json.NewDecoder(zip)
	if err := dec.Decode(&h); err != nil {
		return fail(err)
	}
	h.ID = name
	if add == nil {
		return h, nil
	}
	for n := 0; ; n++ {
		var line struct {
			File
			End *int `json:"end"`
		}
		switch err := dec.Decode(&line); {
		case err != nil:
			return fail(err)
		case line.End != nil && *line.End != n:
			return fail(errors.New("files are missing"))
		case line.End != nil:
			return h, nil
		}
		add(line.File)
	}
}

// Open reads a file of a backup.
func (r *Repository) Open(f File) io.ReadCloser { return &fileReader{repo: r, left: f.Chunks} }

// fileReader reads the chunks of a file one after the other.
type fileReader struct {
	repo *Repository
	left IDs
	data []byte
}

func (f *fileReader) Read(p []byte) (int, error) {
	for len(f.data) == 0 {
		if len(f.left) == 0 {
			return 0, io.EOF
		}
		data, err := f.repo.chunk(f.left[0])
		if err != nil {
			return 0, err
		}
		f.data, f.left = data, f.left[1:]
	}
	n := copy(p, f.data)
	f.data = f.data[n:]
	return n, nil
}

func (f *fileReader) Close() error { return nil }
