// Package sealed reads and writes small JSON files of our own that must survive
// damage: each ends with a checksum of itself, names the version that a reader must
// understand, and has copies elsewhere.
//
// A [File] says where they are. [Load] reads the file or, where that is lost or
// damaged, the first copy that is whole, and says which it was; [File.Save] writes
// them all. The error for a file of a newer program is [ErrNewer]; older programs do
// not overwrite it.
//
// The form of the seal is the same in all versions, so that an older program can
// distinguish a newer file from a damaged one.
package sealed

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"sesskeep/internal/disk"
	"sesskeep/internal/regular"
)

// Why a file is not what it should be.
var (
	ErrDamaged = errors.New("damaged")
	ErrNewer   = errors.New("written by a newer sesskeep")
)

// File is a file with its copies.
type File struct {
	Path    string
	Copies  []string    // read in this order where the file cannot be
	Version int         // the newest one that is understood
	Disk    disk.System // nil: the real one
}

// maxFile is more than any of our small files takes.
const maxFile = 16 << 20

// State says how a file was found.
type State struct {
	// Lost is why the file itself could not be used; nil: it was. It wraps
	// [fs.ErrNotExist] or [ErrDamaged], or says why it could not be read.
	Lost error
	From string // the copy that was read in its place
	// Whole reports whether the file has a seal and all copies equal it.
	Whole bool
}

// Unreadable reports whether the file is there, may be whole, and could not be read
// now: then nothing should take its place.
func (s State) Unreadable() bool {
	return s.Lost != nil && !errors.Is(s.Lost, fs.ErrNotExist) && !errors.Is(s.Lost, ErrDamaged) && !errors.Is(s.Lost, regular.ErrNotRegular)
}

// Load reads a file. A value without a seal whose method Valid reports false is
// damaged. There being neither a file nor a copy is [fs.ErrNotExist].
func Load[T any](f File) (value T, state State, err error) {
	text, err := read(f.Path)
	if err == nil {
		if value, err = Decode[T](f.Path, text, f.Version); err == nil {
			return value, State{Whole: f.copied(text)}, nil
		}
	}
	if errors.Is(err, ErrNewer) {
		return value, state, err
	}
	state.Lost = err
	for _, path := range f.Copies {
		text, errCopy := read(path)
		if errCopy != nil {
			continue
		}
		value, errCopy = Decode[T](path, text, f.Version)
		if errCopy == nil || errors.Is(errCopy, ErrNewer) {
			state.From = path
			return value, state, errCopy
		}
	}
	var none T
	return none, state, err
}

func read(path string) ([]byte, error) { return regular.ReadFile(path, maxFile) }

// copied reports whether a text is sealed and every copy has it.
func (f File) copied(text []byte) bool {
	if _, sum := cut(text); sum == "" {
		return false
	}
	for _, path := range f.Copies {
		if other, err := read(path); err != nil || !bytes.Equal(other, text) {
			return false
		}
	}
	return true
}

// Save writes the file and then its copies. The directories must be there.
func (f File) Save(value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	sys := f.Disk
	if sys == nil {
		sys = disk.Real
	}
	for _, path := range append([]string{f.Path}, f.Copies...) {
		if info, lost := os.Lstat(path); lost == nil && info.IsDir() { // nothing takes its place
			_, lost = File{Path: path, Disk: f.Disk}.SetAside()
			err = errors.Join(err, lost)
		}
		err = errors.Join(err, disk.WriteFile(sys, path, Seal(text), 0o600))
	}
	return err
}

// SetAside gives a damaged file another name, which it returns.
func (f File) SetAside() (string, error) {
	sys := f.Disk
	if sys == nil {
		sys = disk.Real
	}
	aside := f.Path + ".damaged"
	err := sys.Rename(f.Path, aside)
	for n := 2; err != nil && n < 10; n++ { // one of them is a directory
		aside = fmt.Sprintf("%s.damaged-%d", f.Path, n)
		err = sys.Rename(f.Path, aside)
	}
	if err != nil {
		return "", err
	}
	return aside, sys.SyncDir(filepath.Dir(f.Path))
}

// Seal adds the checksum to an object that [json.MarshalIndent] wrote with two
// spaces.
func Seal(object []byte) []byte {
	body := bytes.TrimSuffix(bytes.TrimSpace(object), []byte("\n}"))
	return fmt.Appendf(nil, "%s%s%s%s", body, sealStart, checksum(body), sealEnd)
}

const (
	sealStart = ",\n  \"sum\": \""
	sealEnd   = "\"\n}\n"
)

// cut returns what the seal of a text covers, and its checksum; empty: it has none.
func cut(text []byte) (body []byte, sum string) {
	at := bytes.LastIndex(text, []byte(sealStart))
	if at < 0 {
		return text, ""
	}
	rest, ended := bytes.CutSuffix(text[at+len(sealStart):], []byte(sealEnd))
	if !ended || len(rest) == 0 {
		return text, ""
	}
	return text[:at], string(rest)
}

func checksum(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:8])
}

// Decode reads a text that was sealed, or written before there were seals. Errors name
// its path.
func Decode[T any](path string, text []byte, version int) (value T, err error) {
	fail := func(err error) (T, error) {
		return value, &fs.PathError{Op: "read", Path: path, Err: err}
	}
	body, sum := cut(text)
	if sum != "" && sum != checksum(body) {
		return fail(ErrDamaged)
	}
	var form struct{ Version int }
	if json.Unmarshal(text, &form) != nil {
		return fail(ErrDamaged)
	}
	err = json.Unmarshal(text, &value)
	switch {
	case form.Version > version:
		return fail(ErrNewer)
	case err != nil, sum == "" && !valid(value):
		return fail(ErrDamaged)
	}
	return value, nil
}

// valid reports whether a value looks like one that was written: a file from before
// there were seals offers no other check.
func valid(value any) bool {
	v, ok := value.(interface{ Valid() bool })
	return !ok || v.Valid()
}
