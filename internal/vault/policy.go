package vault

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"sesskeep"
	"sesskeep/internal/disk"
	"sesskeep/internal/regular"
	"sesskeep/internal/sealed"
)

// Policy is what the user has said about keeping. Nothing is copied before the
// user said yes.
type Policy struct {
	Version int       `json:"version,omitempty"` // that a reader must understand
	On      bool      `json:"on"`
	Asked   time.Time `json:"asked,omitzero"` // when the user last answered; zero: never
	// Exclude are the paths of projects that are not kept.
	Exclude []string `json:"exclude,omitempty"`
	// Quota is how many bytes all copies may take; 0: as many as there is room for.
	Quota int64 `json:"quota,omitempty"`

	// Problem says what is wrong with the file; empty: nothing. With a problem it is
	// what a copy of the file says or, where there is none, yes: the user may have
	// said so, and copies can be dropped while sessions cannot be brought back.
	Problem string `json:"-"`

	whole bool // the file has its checksum, and its copy is equal
}

// policyVersion is the newest form of the file that is understood.
const policyVersion = 1

// Valid reports whether it is an answer.
func (p Policy) Valid() bool { return p.On || !p.Asked.IsZero() }

// Skips reports whether a project directory must not be kept.
func (p Policy) Skips(dir sesskeep.ProjectKey) bool {
	return slices.ContainsFunc(p.Exclude, func(path string) bool { return dir.Holds(path) })
}

func (v *Vault) policyFile() sealed.File {
	data := filepath.Dir(v.dir)
	return sealed.File{
		Path: filepath.Join(data, "keep.json"), Copies: []string{filepath.Join(data, "backup", "keep.json")},
		Version: policyVersion, Disk: v.o.Disk,
	}
}

// Policy reads what the user has said. A user who has said nothing has not said yes; a
// file that cannot be read is not nothing. The error is [sealed.ErrNewer].
func (v *Vault) Policy() (Policy, error) {
	p, state, err := sealed.Load[Policy](v.policyFile())
	p.whole = state.Whole
	word := "damaged"
	if errors.Is(state.Lost, fs.ErrNotExist) {
		word = "lost"
	}
	switch {
	case errors.Is(err, sealed.ErrNewer):
		return Policy{}, err
	case errors.Is(err, fs.ErrNotExist):
		return Policy{}, nil
	case err != nil:
		return Policy{On: true, Problem: `keep.json is damaged, and so is its copy: copies are kept, without a quota and of every project; say again what you want with "sesskeep keep on"`}, nil
	case state.Lost != nil:
		p.Problem = fmt.Sprintf(`keep.json is %s: what it said is known from its copy in backup/; mend it with "sesskeep keep on"`, word)
	}
	return p, nil
}

// SetPolicy writes what the user has said down.
func (v *Vault) SetPolicy(p Policy) error {
	p.Version = policyVersion
	if err := disk.MkdirAll(v.o.Disk, filepath.Join(filepath.Dir(v.dir), "backup"), 0o700); err != nil {
		return err
	}
	return v.policyFile().Save(p)
}

// SealPolicy gives a file that is sound its checksum and its copy, if it lacks one.
func (v *Vault) SealPolicy(p Policy) error {
	if p.whole || p.Problem != "" || !p.Valid() {
		return nil
	}
	return v.SetPolicy(p)
}

// Why keeping stops.
var (
	ErrQuota = errors.New("the copies have reached their quota")
	ErrFull  = errors.New("less than 2 GB are free")
)

// minFree is how much room is left to others.
const minFree = 2e9

// Free is how many bytes can still be written where the vault is; 0 if that is not
// known.
func (v *Vault) Free() int64 {
	free, err := disk.Free(filepath.Dir(v.dir))
	if err != nil {
		return 0
	}
	return free
}

func (v *Vault) stoppedPath() string { return filepath.Join(filepath.Dir(v.dir), "keep.stopped") }

// Stop notes why keeping stopped, for processes that only read; empty: it did not.
func (v *Vault) Stop(why string) error {
	if why == "" {
		return disk.Remove(v.o.Disk, v.stoppedPath())
	}
	return disk.WriteFile(v.o.Disk, v.stoppedPath(), []byte(why), 0o600)
}

// Stopped is why keeping stopped when it was last tried, or empty.
func (v *Vault) Stopped() string {
	why, err := regular.ReadFile(v.stoppedPath(), 1<<10)
	if err != nil {
		return ""
	}
	return string(why)
}

// Room returns why nothing more can be kept, or nil.
func (v *Vault) Room(p Policy) error {
	if free, err := disk.Free(filepath.Dir(v.dir)); err == nil && free < minFree {
		return ErrFull
	}
	if p.Quota == 0 {
		return nil
	}
	size, err := v.Size()
	if err == nil && size >= p.Quota {
		err = ErrQuota
	}
	return err
}
