package trash

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sesskeep/homefs"
	"sesskeep/internal/ask"
	"sesskeep/internal/regular"
)

// errDamaged is why a transcript in the trash is not counted: it is not what was trashed.
var errDamaged = errors.New("damaged: it is not as it was when it was trashed")

// isTranscript reports whether a file of a home is a transcript.
func isTranscript(file string) bool {
	return strings.HasPrefix(file, projects+"/") && strings.HasSuffix(file, ".jsonl")
}

// sumOf is the SHA-256 of a file, in hex.
func sumOf(path string) (string, error) {
	f, err := regular.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// sumTranscripts adds the sums of the transcripts of a family that is about to be trashed. One
// that cannot be read is trashed all the same.
func (t *Trashed) sumTranscripts() {
	for i := range t.Members {
		if m := &t.Members[i]; isTranscript(m.File) {
			m.Sum, _ = sumOf(filepath.Join(t.Root, filepath.FromSlash(m.File)))
		}
	}
}

// transcript is a transcript of the family; nil: the manifest has none of that name.
func (t *Trashed) transcript(file string) *Member {
	i := slices.IndexFunc(t.Members, func(m Member) bool { return m.File == file && isTranscript(file) })
	if i < 0 {
		return nil
	}
	return &t.Members[i]
}

// checkStatus compares the status of a file in the trash with what was trashed.
func (m *Member) checkStatus(info fs.FileInfo) error {
	if !info.Mode().IsRegular() || info.Size() != m.Size {
		return errDamaged
	}
	return nil
}

// checkContent compares a file in the trash with what was trashed. Manifests of earlier versions
// have no sums.
func (m *Member) checkContent(path string) error {
	if m.Sum == "" {
		return nil
	}
	sum, err := sumOf(path)
	if err == nil && sum != m.Sum {
		err = errDamaged
	}
	return err
}

// check compares a transcript in the trash with what was trashed, and remembers whether it differs.
func (t *Bin) check(m *Member, path string, info fs.FileInfo) error {
	err := m.checkStatus(info)
	if err == nil {
		err = m.checkContent(path)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.damaged[path] = err == errDamaged
	return err
}

func (t *Bin) isDamaged(path string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.damaged[path]
}

// Unread lists the transcripts in the trash that sums lack: they are not as they were, or could
// not be read when the index last tried.
func (t *Homes) Unread() (list []ask.Unreadable) {
	for _, h := range t.set.List {
		opened, f := t.open(h)
		for _, family := range f.families() {
			list = append(list, f.damaged(&family)...)
		}
		for _, err := range opened.Unread() {
			list = append(list, f.failed(opened, err))
		}
	}
	return list
}

// damaged lists the transcripts of a family that are not as they were. What is missing and lies
// in the home was not moved yet.
func (f *files) damaged(t *Trashed) (list []ask.Unreadable) {
	for i := range t.Members {
		m, at := &t.Members[i], f.path(t, t.Members[i].File)
		info, err := os.Lstat(at)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			if _, err := os.Lstat(filepath.Join(t.Root, filepath.FromSlash(m.File))); err != nil {
				list = append(list, ask.Unreadable{Path: at, Reason: "it is missing in the trash"})
			}
		case err == nil && (m.checkStatus(info) != nil || f.bin.isDamaged(at)):
			list = append(list, ask.Unreadable{Path: at, Reason: errDamaged.Error()})
		}
	}
	return list
}

// failed is what could not be read, by its path in the trash.
func (f *files) failed(opened *homefs.Home, err *fs.PathError) ask.Unreadable {
	name, _ := strings.CutPrefix(filepath.ToSlash(err.Path), filepath.ToSlash(opened.Path("."))+"/")
	for _, at := range f.having(name) {
		return ask.Unreadable{Path: at, Reason: err.Err.Error()}
	}
	return ask.Unreadable{Path: f.bin.shelf.TrashDir(), Reason: err.Err.Error()}
}
