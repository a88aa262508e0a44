package shelf

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"sesskeep/internal/disk"
	"sesskeep/internal/regular"
)

// Append adds lines to the end of a file. If the last line there has no end, it
// gets one first. The file keeps its time.
//
// It is undone by adding other lines, never by taking these away: others may have
// added theirs since.
type Append struct {
	File    string   `json:"file"` // as it was named
	Path    string   `json:"path"` // the file itself, where links lead
	Is      Identity `json:"is"`   // of the file before; zero: as it is
	Offset  int64    `json:"offset"`
	Added   Content  `json:"added"`
	EndLine bool     `json:"endLine,omitempty"` // the last line had no end
	Undo    Content  `json:"undo,omitzero"`     // of the lines that undo it
	From    Source   `json:"-"`                 // of the lines
	Back    Source   `json:"-"`                 // of the lines that undo it; nil: it cannot be undone
}

// maxAppend bounds what is added at once, so that it is one write.
const maxAppend = 16 << 20

func (a Append) file() string { return a.File }

func (a Append) check(t *task) (Step, error) {
	var err error
	if a.Path, err = t.lead(a.File); err != nil {
		return a, err
	}
	if err := writable(a.Path); err != nil {
		return a, err
	}
	f, err := openRegular(a.Path, os.O_RDONLY)
	if err != nil {
		return a, err
	}
	a.EndLine, err = noEnd(f)
	if err = errors.Join(err, f.Close()); err != nil {
		return a, err
	}
	is, err := Identify(a.Path)
	if err != nil {
		return a, err
	}
	if a.Is == (Identity{}) {
		a.Is = is
	}
	if !a.Is.equal(is) {
		return a, errWritten
	}
	a.Offset = is.Size
	if a.EndLine {
		a.Offset++
	}
	return a, nil
}

// noEnd reports whether the last line of a file has no end.
func noEnd(f disk.File) (bool, error) {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return false, err
	}
	last := make([]byte, 1)
	_, err = f.ReadAt(last, info.Size()-1)
	return last[0] != '\n', err
}

// undoPath is the file that keeps the lines that undo it.
func (a Append) undoPath(t *task) string { return t.kept(a.File) + ".undo" }

func (a Append) stage(t *task) (Step, error) {
	var err error
	if a.Added, err = t.stageContent(wholeLines(a.From)); err != nil {
		return a, err
	}
	if a.Added.Size > maxAppend {
		return a, regular.ErrTooLarge
	}
	if err := disk.MkdirAll(t.sys(), filepath.Dir(t.kept(a.File)), 0o700); err != nil {
		return a, err
	}
	if err := writeExactly(t.sys(), t.kept(a.File), FileSource(t.staged()), a.Added); err != nil {
		return a, err
	}
	if a.Back != nil {
		a.Undo, err = write(t.sys(), a.undoPath(t), wholeLines(a.Back))
	}
	return a, errors.Join(err, t.sys().SyncDir(filepath.Dir(t.kept(a.File))))
}

// wholeLines ends the last line of a source.
func wholeLines(from Source) Source {
	return func() (io.ReadCloser, error) {
		r, err := from()
		if err != nil {
			return nil, err
		}
		data, err := io.ReadAll(io.LimitReader(r, maxAppend+1))
		if len(data) > 0 && data[len(data)-1] != '\n' {
			data = append(data, '\n')
		}
		return io.NopCloser(bytes.NewReader(data)), errors.Join(err, r.Close())
	}
}

func (a Append) run(t *task) error {
	if err := t.still(a.File, a.Path); err != nil {
		return err
	}
	lines, err := a.lines(t.staged(), a.Added)
	if err != nil {
		return err
	}
	if a.EndLine {
		lines = append([]byte("\n"), lines...)
	}
	return a.add(t, lines)
}

// lines reads lines that wait in our data directory.
func (a Append) lines(path string, want Content) ([]byte, error) {
	lines, err := regular.ReadFile(path, want.Size)
	if err == nil && ContentOf(lines) != want {
		err = fmt.Errorf("%s is damaged", path)
	}
	return lines, err
}

// add adds what is missing of lines. The first of them may only end the last line of the
// file.
func (a Append) add(t *task, lines []byte) error {
	f, err := openWriting(t.sys(), a.Path, os.O_RDWR|os.O_APPEND)
	if err != nil {
		return gone(err)
	}
	defer f.Close()
	if now, err := Identify(a.Path); err != nil || !now.is(a.Is) {
		return errors.Join(err, errWritten)
	}
	have, err := since(f, a.Is.Size)
	if err != nil {
		return err
	}
	if bytes.Contains(have, lines) {
		return a.keepTime(t, lines)
	}
	if !isPart(have, lines) { // else it is what a crash left of ours
		return errWritten
	}
	if !bytes.HasPrefix(lines, have) {
		if err := f.Truncate(a.Is.Size); err != nil {
			return err
		}
		have = nil
	}
	if err := t.at("append"); err != nil {
		return err
	}
	if _, err := f.Write(lines[len(have):]); err != nil {
		return err
	}
	if err := t.at("appended"); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return a.keepTime(t, lines)
}

// isPart reports whether what a file got is nothing but a part of some lines, as a
// crash or a full disk leaves it: the beginning of them, and then zeros for bytes
// that did not reach the disk.
func isPart(have, lines []byte) bool {
	n := 0
	for n < min(len(have), len(lines)) && have[n] == lines[n] {
		n++
	}
	return len(have) <= len(lines) && len(bytes.Trim(have[n:], "\x00")) == 0
}

// since reads what a file got since it had a size, up to twice what a step adds.
func since(f io.ReaderAt, size int64) ([]byte, error) {
	return io.ReadAll(io.NewSectionReader(f, size, 2*maxAppend))
}

// keepTime gives the file its time back, unless others wrote it too. Where the system
// refuses that the lines are there all the same: the file only seems newer.
func (a Append) keepTime(t *task, lines []byte) error {
	info, err := os.Lstat(a.Path)
	if err != nil || info.Size() != a.Is.Size+int64(len(lines)) {
		return err
	}
	_ = t.sys().Chtimes(a.Path, time.Time{}, a.Is.Modified)
	return t.at("timed")
}

func (a Append) revert(t *task) error {
	if err := t.still(a.File, a.Path); err != nil {
		return err
	}
	if is, err := there(t.kept(a.File)); err != nil || !is {
		return errors.Join(err, t.discard("")) // reverted before
	}
	lines, err := a.lines(t.kept(a.File), a.Added)
	if err != nil {
		return err
	}
	f, err := openRegular(a.Path, os.O_RDONLY)
	if err != nil {
		return err
	}
	have, err := since(f, a.Is.Size)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if !bytes.Contains(have, lines) {
		if err := a.cut(t, have, lines); err != nil {
			return err
		}
		return errors.Join(disk.Remove(t.sys(), t.kept(a.File)), disk.Remove(t.sys(), a.undoPath(t)), t.discard(""))
	}
	if a.Undo == (Content{}) {
		return errors.New("it has a line of ours that cannot be taken back")
	}
	undo, err := a.lines(a.undoPath(t), a.Undo)
	if err != nil {
		return err
	}
	back := a
	back.Is.Size += int64(bytes.Index(have, lines) + len(lines))
	return errors.Join(back.add(t, undo), t.discard(""))
}

// cut removes what a file got of our lines, if that is a part of them and nothing was
// written behind it.
func (a Append) cut(t *task, have, lines []byte) error {
	if a.EndLine {
		lines = append([]byte("\n"), lines...)
	}
	if len(have) == 0 || !isPart(have, lines) {
		return nil
	}
	if err := t.at("cut"); err != nil {
		return err
	}
	f, err := openWriting(t.sys(), a.Path, os.O_RDWR)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil && info.Size() != a.Is.Size+int64(len(have)) {
		err = errWritten
	}
	if err == nil {
		err = errors.Join(f.Truncate(a.Is.Size), f.Sync())
	}
	return errors.Join(err, f.Close(), a.keepTime(t, nil))
}

func (a Append) inverse(t *task) (Step, error) {
	if a.Undo == (Content{}) {
		return nil, errors.New("nothing is known that would undo it")
	}
	lines, err := a.lines(t.kept(a.File), a.Added)
	if err != nil {
		return nil, err
	}
	f, err := openRegular(a.Path, os.O_RDONLY)
	if err != nil {
		return nil, gone(err)
	}
	have, err := since(f, a.Is.Size)
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	if !bytes.Contains(have, lines) {
		return nil, fmt.Errorf("%s %w, and nothing was done: our line is not in it any more", a.File, ErrChanged)
	}
	return Append{File: a.File, From: FileSource(a.undoPath(t)), Back: FileSource(t.kept(a.File))}, nil
}
