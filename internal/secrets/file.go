package secrets

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"
	"time"

	"sesskeep"
)

// maxScanLine is the length of the longest line that is decoded. A longer one is scanned as
// text, in pieces.
const maxScanLine = 64 << 20

// names lists the files of a session, or, if f is nil, the files of the home that belong to
// no session.
func (r *scan) names(f *sesskeep.Family) ([]string, error) {
	if f == nil {
		pastes, err := r.below("paste-cache")
		if _, missing := r.home.Info("history.jsonl"); missing == nil {
			pastes = append(pastes, "history.jsonl")
		}
		return pastes, err
	}
	var names []string
	if f.Main != nil {
		names = append(names, f.Main.File)
	}
	for _, refs := range [][]sesskeep.Ref{f.Agents, f.Twins} {
		for _, ref := range refs {
			names = append(names, ref.File)
		}
	}
	for _, name := range f.Results {
		if f.Main != nil && !strings.Contains(name, "/") { // as a folder lists them
			name = path.Join(strings.TrimSuffix(f.Main.File, ".jsonl"), "tool-results", name)
		}
		names = append(names, name)
	}
	if len(f.Sidecars) > 0 {
		return append(names, f.Sidecars...), nil
	}
	before, err := r.below(path.Join("file-history", string(f.Key.Session)))
	return append(names, before...), err
}

// below lists the files of a directory.
func (r *scan) below(dir string) (names []string, err error) {
	entries, err := r.home.ReadDir(dir)
	for _, e := range entries {
		if e.Type().IsRegular() {
			names = append(names, path.Join(dir, e.Name()))
		}
	}
	return names, err
}

// file scans one file: lines of JSON, or text.
func (r *scan) file(ctx context.Context, name string) error {
	f, err := r.home.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // the client removed it meanwhile
	}
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.ModTime().Before(r.since) {
		return err
	}
	r.name, r.line, r.written = name, 0, info.ModTime()
	r.bytes += info.Size()
	if !isTranscript(name) {
		// Lines cannot be read one by one: a private key has many.
		return r.doc.Copy(io.Discard, &cancelable{ctx, io.NewSectionReader(f, 0, info.Size())})
	}
	lines := bufio.NewReaderSize(io.NewSectionReader(f, 0, info.Size()), 1<<20)
	for ctx.Err() == nil {
		line, err := readLine(lines)
		if len(line) > 0 {
			r.line++
			r.scanLine(line)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// readLine reads a line, or a piece of a line that is too long.
func readLine(r *bufio.Reader) ([]byte, error) {
	line, err := r.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return line, err
	}
	whole := bytes.Clone(line)
	for errors.Is(err, bufio.ErrBufferFull) && len(whole) < maxScanLine {
		line, err = r.ReadSlice('\n')
		whole = append(whole, line...)
	}
	if errors.Is(err, bufio.ErrBufferFull) {
		err = nil // the next piece counts as a line
	}
	return whole, err
}

// cancelable is a reader that ends with its context.
type cancelable struct {
	ctx context.Context
	io.Reader
}

func (c *cancelable) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.Reader.Read(p)
}

// scanLine scans a line of a transcript.
func (r *scan) scanLine(line []byte) {
	if at := timeOf(line); !at.IsZero() {
		r.written = at
		if at.Before(r.since) {
			return
		}
	}
	r.doc.JSON(line)
}

// timeOf returns the timestamp of a line; zero: it has none.
func timeOf(line []byte) time.Time {
	const name = `"timestamp"`
	i := bytes.LastIndex(line, []byte(name))
	if i < 0 {
		return time.Time{}
	}
	value := bytes.TrimLeft(line[i+len(name):], " :")
	text, _, _ := bytes.Cut(bytes.TrimPrefix(value, []byte(`"`)), []byte(`"`))
	t, err := time.Parse(time.RFC3339, string(text))
	if err != nil {
		return time.Time{}
	}
	return t
}
