package db

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"sync"

	"sesskeep/internal/regular"
)

// seal is a small file beside the database that says what its files look like
// when only we have touched them. It makes opening an index of any size cheap:
// no page has to be read to know that all are as they were written.
//
//	clean ── lock acquired ──▶ writing ── log is full, or the end ──▶ folding
//	  ▲                           │ ▲                                    │
//	  ╰──── lock released ────────╯ ╰────────── log is folded in ────────╯
//
// While an index is being written its changes go to SQLite's log, whose parts
// carry sums; the database itself changes only while the log is folded into it.
// So a process that is killed leaves, nearly always, a database that is known
// to be whole and a log that shows by its own sums where it is still good.
type seal struct {
	State  sealState `json:"state"`
	Schema uint32    `json:"schema"` // sum of the schema it was made with
	DB     imprint   `json:"db"`
	Log    imprint   `json:"log"`
}

type sealState string

const (
	sealClean   sealState = "clean"   // no process writes; database and log are as noted
	sealWriting sealState = "writing" // the database is as noted
	sealFolding sealState = "folding" // the log is as noted, or empty
)

var schemaSum = sync.OnceValue(func() uint32 { return crc32.ChecksumIEEE([]byte(schema())) })

// imprint is what the file system says of a file. A file cannot be written
// without changing it. Zero is a file that is missing or, for a log, empty.
type imprint struct {
	Size    int64  `json:"size"`
	Modtime int64  `json:"modtime"`           // nanoseconds since 1970
	Changed int64  `json:"changed,omitempty"` // ctime, nanoseconds
	Inode   uint64 `json:"inode,omitempty"`
}

// errNotFile says that something else than a file is in the place of one.
var errNotFile = errors.New("not a regular file")

func imprintAt(path string) (imprint, error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return imprint{}, nil
	}
	if err != nil {
		return imprint{}, err
	}
	if !info.Mode().IsRegular() {
		return imprint{}, &fs.PathError{Op: "open", Path: path, Err: errNotFile}
	}
	return imprintOf(info), nil
}

// Verdict is what a seal says of the files beside it.
type Verdict string

// What a seal can say.
const (
	Missing  Verdict = "missing"  // there is no database
	Damaged  Verdict = "damaged"  // somebody else changed the files, or they are none of ours
	Doubtful Verdict = "doubtful" // as a writer of ours leaves them if it is killed while folding
	Intact   Verdict = "intact"
)

// Inspect says in which state the next one to open the database in dir finds it.
func Inspect(dir string) (Verdict, error) {
	d := DB{path: Path(dir)}
	file, log, err := d.imprints()
	if err != nil {
		return Damaged, err
	}
	return readSeal(d.sealPath()).judge(file, log), nil
}

// judge compares the files with the seal.
func (s seal) judge(db, log imprint) Verdict {
	switch {
	case db == (imprint{}):
		return Missing
	case s.Schema != schemaSum():
		return Damaged
	}
	switch {
	case s.State == sealClean && db == s.DB && sameLog(log, s.Log):
		return Intact
	case s.State == sealWriting && db == s.DB:
		return Intact
	case s.State == sealFolding && (sameLog(log, s.Log) || log.Size == 0 && log.Inode == s.Log.Inode):
		return Doubtful
	}
	return Damaged
}

// sameLog takes an empty log for none: SQLite makes and removes one as it likes.
// It also sets the owner of one whenever root opens it, which changes nothing but
// a time.
func sameLog(a, b imprint) bool {
	a.Changed, b.Changed = 0, 0
	return a == b || a.Size == 0 && b.Size == 0
}

// maxSeal is more than any seal takes.
const maxSeal = 1 << 16

// readSeal reads a seal. What cannot be read seals nothing.
func readSeal(path string) seal {
	var s seal
	data, err := regular.ReadFile(path, maxSeal)
	if err != nil || json.Unmarshal(data, &s) != nil {
		return seal{}
	}
	return s
}

// write puts the seal into its place at once, so that no process reads half of it.
// It is not synced: what a power cut leaves of it does not match the files, and
// then the database is recreated.
func (s seal) write(path string) error {
	if err := regular.WriteFile(path+".new", []byte(JSON(s)+"\n"), 0o600); err != nil {
		return fmt.Errorf("seal the index: %w", err)
	}
	if err := replace(path+".new", path); err != nil {
		return fmt.Errorf("seal the index: %w", err)
	}
	return nil
}
