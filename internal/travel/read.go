package travel

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"sesskeep/internal/backup"
)

// readAll reads a file of a backup.
func readAll(r *backup.Repository, f *backup.File) ([]byte, error) {
	in := r.Open(*f)
	defer in.Close()
	return io.ReadAll(in)
}

// discard reads r to its end and closes it.
func discard(r io.ReadCloser) (int64, error) {
	n, err := io.Copy(io.Discard, r)
	return n, errors.Join(err, r.Close())
}

// isPrefix reports whether b begins with all of a.
func isPrefix(a, b io.Reader) (bool, error) {
	const step = 64 << 10
	in := bufio.NewReaderSize(b, step)
	buf, other := make([]byte, step), make([]byte, step)
	for {
		n, err := io.ReadFull(a, buf)
		end := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !end {
			return false, err
		}
		m, err := io.ReadFull(in, other[:n])
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return false, err
		}
		if m < n || !bytes.Equal(buf[:n], other[:n]) {
			return false, nil
		}
		if end {
			return true, nil
		}
	}
}
