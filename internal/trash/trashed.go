package trash

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"sesskeep"
	"sesskeep/internal/reading"
	"sesskeep/internal/regular"
	"sesskeep/internal/shelf"
	"sesskeep/internal/stamp"
)

// Trashed is a family in the trash. Its own file there, the manifest, has all that
// is needed to put it back.
type Trashed struct {
	Name        string       `json:"name"`                   // of its directory in the trash
	ID          string       `json:"id,omitempty"`           // of the session
	Kind        string       `json:"kind,omitempty"`         // of what is unneeded, of several sessions
	Key         sesskeep.Key `json:"key,omitzero"`           // key of the session
	Root        string       `json:"root"`                   // the home it lay in
	Title       string       `json:"title,omitempty"`        // title of the session
	Slug        string       `json:"slug,omitempty"`         // slug of the session
	ProjectPath string       `json:"projectPath,omitempty"`  // working directory of the session
	TrashedAt   stamp.Time   `json:"trashedAt"`              // when it was trashed
	Actor       shelf.Actor  `json:"actor"`                  // who trashed it
	Agents      int          `json:"agentCount"`             // sub-agents of the session
	Files       int          `json:"fileCount"`              // that lie there
	Size        int64        `json:"fileSize"`               // of them
	Missing     int          `json:"missingCount,omitempty"` // files that were moved, and are not there
	Members     []Member     `json:"members"`                // the files that were moved
	Units       []string     `json:"units"`                  // what was moved: files, and directories with all they hold
}

// Member is a file of a family in the trash, as it was.
type Member struct {
	File     string     `json:"file"`             // inside the home
	Size     int64      `json:"fileSize"`         // bytes
	Mode     uint32     `json:"mode"`             // permission bits of the file
	Modified stamp.Time `json:"modifiedAt"`       // when the file was last modified
	Sum      string     `json:"sum256,omitempty"` // SHA-256 of a transcript
}

// ManifestName is the file of a family in the trash that says what it is.
const ManifestName = "manifest.json"

// manifest is a Trashed as it is written, behind what its reader must understand and
// before its seal.
type manifest struct {
	Version int `json:"version"`
	Trashed
}

const manifestVersion = 1

// Valid reports whether it can be one from before there were seals.
func (m manifest) Valid() bool { return m.Version == 0 && m.Root != "" }

// AddMember adds a file of the home.
func (t *Trashed) AddMember(file string, info fs.FileInfo) {
	t.Members = append(t.Members, Member{file, info.Size(), uint32(info.Mode().Perm()), stamp.Time{Time: info.ModTime().UTC()}, ""})
	t.Files, t.Size = t.Files+1, t.Size+info.Size()
}

// called reports whether an address is that of what lies in the trash.
func (t *Trashed) called(address string) bool {
	if t.Name == address || t.Kind != "" && t.Kind == address {
		return true
	}
	return len(address) >= reading.MinPrefix && (t.ID != "" && strings.HasPrefix(t.ID, strings.ToLower(address)) || strings.HasPrefix(t.Name, address))
}

// count counts what really lies there. A change that was interrupted, or somebody else,
// may have left less than the manifest says; the error says so. Of what is unneeded
// the manifest names no files but what was moved.
func (t *Trashed) count(s *shelf.Shelf) error {
	members := t.Members
	if len(members) > 0 {
		t.Files, t.Size = 0, 0
	} else {
		for _, unit := range t.Units {
			members = append(members, Member{File: unit, Size: -1})
		}
	}
	var failed error
	others := 0
	for _, m := range members {
		info, err := os.Lstat(filepath.Join(s.TrashDir(), t.Name, "files", filepath.FromSlash(m.File)))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			t.Missing++
		case err != nil:
			failed = cmp.Or(failed, err)
		case m.Size >= 0:
			t.Files++
			t.Size += info.Size()
			if info.IsDir() || info.Mode().IsRegular() && info.Size() != m.Size {
				others++
			}
		}
	}
	switch {
	case failed == nil && t.Missing > 0:
		failed = fmt.Errorf("%d of %d files are not there", t.Missing, len(members))
	case failed == nil && others > 0:
		failed = fmt.Errorf("%d of %d files are damaged: they are not as long as they were", others, len(members))
	}
	return failed
}

// maxManifest bounds a manifest.
const maxManifest = 64 << 20

func readManifest(s *shelf.Shelf, name string) (t Trashed, err error) {
	path := filepath.Join(s.TrashDir(), name, ManifestName)
	data, err := regular.ReadFile(path, maxManifest)
	if errors.Is(err, fs.ErrNotExist) {
		holds, failed := holdsFiles(filepath.Join(s.TrashDir(), name, "files"))
		switch {
		case failed != nil:
			return t, failed
		case holds: // the manifest comes first and goes last: this one is not on its way
			return t, fmt.Errorf("%s is missing: what lies beside it cannot be put back by name", path)
		}
	}
	if err != nil {
		return t, err
	}
	t, err = Decode(path, data)
	t.Name = name
	return t, err
}

// holdsFiles reports whether there is a file below a directory.
func holdsFiles(dir string) (bool, error) {
	err := filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			return errFound
		}
		return err
	})
	switch {
	case errors.Is(err, errFound):
		return true, nil
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	}
	return false, err
}

var errFound = errors.New("found")
