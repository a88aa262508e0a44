package live

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"

	"sesskeep/internal/regular"
)

// CountLines counts the lines of a log, or of a file of reports, that drop names.
func CountLines(path string, drop func(line []byte) bool) (n int, err error) {
	for _, name := range []string{rotatedLog(path), path} {
		f, err := regular.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return n, err
		}
		_, err = filterLines(io.Discard, f, func(line []byte) bool {
			if drop(line) {
				n++
			}
			return true
		})
		if err = errors.Join(err, f.Close()); err != nil {
			return n, err
		}
	}
	return n, nil
}

// DropLines writes a log, or a file of reports, again without the lines that drop names. Who
// writes it meanwhile notices that it is another file; what was written just before is added
// to that.
func DropLines(path string, drop func(line []byte) bool) error {
	if n, err := CountLines(path, drop); err != nil || n == 0 {
		return err
	}
	if l := acquireReportLock(path+".lock", reportPatience); l != nil {
		defer l.Release()
	}
	return errors.Join(dropLines(rotatedLog(path), drop), dropLines(path, drop))
}

func dropLines(name string, drop func(line []byte) bool) (err error) {
	in, err := regular.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer in.Close()
	part := name + ".part"
	if err := os.Remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	out, err := regular.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	if _, err := filterLines(out, in, drop); err != nil {
		return err
	}
	if err := errors.Join(out.Sync(), os.Rename(part, name)); err != nil {
		return err
	}
	_, err = filterLines(out, in, drop) // what came meanwhile
	return err
}

// filterLines copies the lines that drop does not name.
func filterLines(out io.Writer, in io.Reader, drop func(line []byte) bool) (n int, err error) {
	for lines := bufio.NewReader(in); ; {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 && !drop(bytes.TrimSuffix(line, []byte("\n"))) {
			if _, err := out.Write(line); err != nil {
				return n, err
			}
			n++
		}
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
}
