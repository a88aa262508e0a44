package holder

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"sesskeep/internal/launch"
	"sesskeep/internal/lock"
	"sesskeep/internal/regular"
	"sesskeep/internal/sealed"
)

// ending is the final status of a run with the outcomes of its last messages, for
// callers that ask for one after the run is over.
type ending struct {
	launch.Status
	Responses []launch.Response `json:"responses,omitempty"`
	Left      *fileSizes        `json:"left,omitempty"`
}

// fileSizes are the sizes of the other files when the end was written, so that a
// reader notices when something is missing.
type fileSizes struct {
	Log     int64  `json:"log"`     // bytes of log.jsonl
	Life    int64  `json:"life"`    // bytes of life.jsonl
	LifeSum string `json:"lifeSum"` // of them
}

// measureFiles returns the sizes of the files beside the end of a run.
func (s Store) measureFiles(id string) *fileSizes {
	data, err := regular.ReadFile(s.LifeFile(id), maxLife)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil // nothing can be compared with it
	}
	return &fileSizes{s.logSize(id), int64(len(data)), lifeSum(data)}
}

func lifeSum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// damage describes what is missing from the files of a run; empty: nothing.
func (s Store) damage(id string, e ending) string {
	if e.Left == nil { // an end.json from before sizes were recorded
		return ""
	}
	info, err := os.Stat(s.path(id, "log.jsonl"))
	if e.Left.Log > 0 && (err != nil || !info.Mode().IsRegular() || info.Size() < e.Left.Log) {
		return s.path(id, "log.jsonl") + " is damaged: not all that the run wrote is there"
	}
	info, err = os.Stat(s.LifeFile(id))
	if e.Left.Life > 0 && (err != nil || info.Size() < e.Left.Life) {
		return s.LifeFile(id) + " is damaged: not all that happened is there"
	}
	return ""
}

// endFile is the content of end.json: a version, which the reader checks, and the
// ending. A seal follows.
type endFile struct {
	Version int `json:"version"`
	ending
}

const endVersion = 1

// Valid reports whether f can be an end.json from before files were sealed.
func (f endFile) Valid() bool { return f.Version == 0 && f.State != "" }

// end reads the end of a run. ended is false if there is none.
func (s Store) end(id string) (e ending, ended bool, err error) {
	data, err := regular.ReadFile(s.path(id, "end.json"), maxEnd)
	if errors.Is(err, fs.ErrNotExist) {
		return e, false, nil
	}
	var f endFile
	if err == nil {
		f, err = sealed.Decode[endFile](s.path(id, "end.json"), data, endVersion)
	}
	if err != nil {
		return ending{}, false, fmt.Errorf("run %s: how it ended cannot be read: %w", id, err)
	}
	return f.ending, true, nil
}

// maxEnd is a size that no end.json reaches.
const maxEnd = 256 << 20

// response returns the outcome of a message of a run that has ended; nil: unknown.
func (s Store) response(id, message string) *launch.Response {
	e, _, _ := s.end(id) // the caller reads the run next, and gets the error there
	if i := slices.IndexFunc(e.Responses, func(r launch.Response) bool { return r.Message == message }); i >= 0 {
		return &e.Responses[i]
	}
	return nil
}

// writeEnd writes the final status of a run.
func (s Store) writeEnd(id string, e ending) error {
	e.Left = s.measureFiles(id)
	data, err := json.MarshalIndent(endFile{endVersion, e}, "", "  ")
	if err != nil {
		return err
	}
	return regular.Replace(s.path(id, "end.json"), sealed.Seal(data))
}

// held reports whether a process holds the run.
func (s Store) held(id string) bool { return lock.Held(s.path(id, "held")) }

func (s Store) logSize(id string) int64 {
	info, err := os.Stat(s.path(id, "log.jsonl"))
	if err != nil {
		return 0
	}
	return info.Size()
}
