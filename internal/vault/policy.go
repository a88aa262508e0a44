package vault

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"sesskeep"
	"sesskeep/internal/disk"
	"sesskeep/internal/regular"
)

// Policy is what the user has said about keeping. Nothing is copied before the
// user said yes.
type Policy struct {
	On    bool      `json:"on"`
	Asked time.Time `json:"asked,omitzero"` // when the user last answered; zero: never
	// Exclude are the paths of projects that are not kept.
	Exclude []string `json:"exclude,omitempty"`
	// Quota is how many bytes all copies may take; 0: as many as there is room for.
	Quota int64 `json:"quota,omitempty"`
}

// Skips reports whether a project directory must not be kept.
func (p Policy) Skips(dir sesskeep.ProjectKey) bool {
	return slices.ContainsFunc(p.Exclude, func(path string) bool { return dir.Holds(path) })
}

func (v *Vault) policyPath() string { return filepath.Join(filepath.Dir(v.dir), "keep.json") }

// Policy reads what the user has said. Whoever has said nothing has not said yes.
func (v *Vault) Policy() (Policy, error) {
	var p Policy
	data, err := regular.ReadFile(v.policyPath(), 1<<20)
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &p)
	}
	if err != nil {
		return Policy{}, fmt.Errorf("read %s: %w", v.policyPath(), err)
	}
	return p, nil
}

// SetPolicy writes what the user has said down.
func (v *Vault) SetPolicy(p Policy) error {
	data, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return err
	}
	if err := disk.MkdirAll(v.o.Disk, filepath.Dir(v.dir), 0o700); err != nil {
		return err
	}
	return disk.WriteFile(v.o.Disk, v.policyPath(), append(data, '\n'), 0o600)
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

// Stop notes why keeping stopped, for those who only look; empty: it goes on.
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
