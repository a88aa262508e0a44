package purge

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sesskeep/internal/mention"
	"sesskeep/internal/sealed"
)

// Tombstone records what a purge still has to remove.
type Tombstone struct {
	Time time.Time `json:"time"` // when the purge began
	Root string    `json:"root"` // directory of the home
	// Scope is what the purge removes. It is dropped when only stores that cannot be reached
	// are left: the fields below are enough for those and name no project.
	Scope  *scope         `json:"scope,omitempty"`
	Of     mention.Hidden `json:"of"`
	Slugs  []string       `json:"slugs,omitempty"`  // names of plans
	Pastes []string       `json:"pastes,omitempty"` // hashes of pasted texts
	Left   []string       `json:"left"`             // names of the stores that are not purged yet
}

// tombstones is the file with all tombstones.
type tombstones struct {
	Version int         `json:"version"`
	Purges  []Tombstone `json:"purges"`
}

// Valid rejects a file without a seal.
func (t tombstones) Valid() bool { return false }

const tombstoneVersion = 1

func (p *Purger) file() sealed.File {
	return sealed.File{Path: filepath.Join(p.Data, "purges.json"), Version: tombstoneVersion}
}

// Tombstones lists the purges that are not finished.
func (p *Purger) Tombstones() ([]Tombstone, error) {
	if p.Data == "" {
		return nil, nil
	}
	t, _, err := sealed.Load[tombstones](p.file())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return t.Purges, err
}

// bury writes a tombstone over the earlier one of the same purge, or removes it if no store is
// left.
func (p *Purger) bury(t Tombstone) error {
	list, err := p.Tombstones()
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(o Tombstone) bool { return o.Time.Equal(t.Time) && o.Root == t.Root })
	if len(t.Left) > 0 {
		list = append(list, t)
	}
	if len(list) == 0 {
		if err := os.Remove(p.file().Path); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	return p.file().Save(tombstones{tombstoneVersion, list})
}

// Unfinished returns a note if a purge is not finished, else "".
func (p *Purger) Unfinished() string {
	list, err := p.Tombstones()
	switch {
	case err != nil:
		return "whether a purge is unfinished is not known: " + err.Error()
	case len(list) == 0:
		return ""
	}
	left := strings.Join(list[0].Left, ", ")
	return fmt.Sprintf("a purge of %s is not finished (left: %s): \"sesskeep project purge --continue\" finishes it", list[0].Time.Format("2006-01-02"), left)
}
