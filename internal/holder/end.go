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

// ending is where a run ended, and what came of its last messages: who waits for one
// may ask when the run is over.
type ending struct {
	launch.Status
	Responses []launch.Response `json:"responses,omitempty"`
	Left      *left             `json:"left,omitempty"`
}

// left is what there was beside the end when it was written, so that it is noticed when
// there is less.
type left struct {
	Log     int64  `json:"log"`     // bytes of log.jsonl
	Life    int64  `json:"life"`    // bytes of life.jsonl
	LifeSum string `json:"lifeSum"` // of them
}

// leaves is what there is beside the end of a run.
func (s Store) leaves(id string) *left {
	data, err := regular.ReadFile(s.LifeFile(id), maxLife)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil // nothing can be compared with it
	}
	return &left{s.logSize(id), int64(len(data)), lifeSum(data)}
}

func lifeSum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// damage says what is missing in what a run left beside its end; empty: nothing.
func (s Store) damage(id string, e ending) string {
	if e.Left == nil { // it is older
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

// endFile is an ending as it is written, behind what its reader must understand and
// before its seal.
type endFile struct {
	Version int `json:"version"`
	ending
}

const endVersion = 1

// Valid reports whether it can be one from before there were seals.
func (f endFile) Valid() bool { return f.Version == 0 && f.State != "" }

// end reads where a run ended, if it has.
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

// maxEnd is more than the end of a run takes.
const maxEnd = 256 << 20

// response is what came of a message of a run that has ended; nil: nobody knows.
func (s Store) response(id, message string) *launch.Response {
	e, _, _ := s.end(id) // whoever waits reads the run next, and gets the error there
	if i := slices.IndexFunc(e.Responses, func(r launch.Response) bool { return r.Message == message }); i >= 0 {
		return &e.Responses[i]
	}
	return nil
}

// writeEnd writes where a run ended.
func (s Store) writeEnd(id string, e ending) error {
	e.Left = s.leaves(id)
	data, err := json.MarshalIndent(endFile{endVersion, e}, "", "  ")
	if err != nil {
		return err
	}
	return regular.Replace(s.path(id, "end.json"), sealed.Seal(data))
}

// held reports whether a holder has the run.
func (s Store) held(id string) bool {
	l, err := lock.Take(s.path(id, "held"))
	if err == nil {
		_ = l.Release()
	}
	return errors.Is(err, lock.ErrHeld)
}

func (s Store) logSize(id string) int64 {
	info, err := os.Stat(s.path(id, "log.jsonl"))
	if err != nil {
		return 0
	}
	return info.Size()
}
