package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// Verified is what a check of a repository found.
type Verified struct {
	Backups int    `json:"backupCount"` // backups that can be read
	Files   int    `json:"fileCount"`   // files of all backups
	Packs   int    `json:"packCount"`
	Size    int64  `json:"storedSize"` // bytes that were read
	Flaws   []Flaw `json:"flaws"`
	// Lost are the files of all backups that cannot be restored; all others can.
	Lost []LostFile `json:"lost"`
}

// Flaw is a damaged file of the repository.
type Flaw struct {
	File   string `json:"file"` // name in the repository
	Reason string `json:"reason"`
	Chunks int    `json:"lostChunkCount"` // chunks in it that cannot be read
}

// LostFile is a file of a backup that cannot be restored as a whole.
type LostFile struct {
	Backup string `json:"backup"`
	Tree   string `json:"tree"`
	Name   string `json:"name"`
}

// Verify reads everything, compares it with its hashes and finds the files that cannot be
// restored. progress may be nil.
func (r *Repository) Verify(ctx context.Context, progress func(done, total int, bytes int64)) (Verified, error) {
	v := Verified{Flaws: []Flaw{}, Lost: []LostFile{}}
	if err := r.load(); err != nil {
		return v, err
	}
	lost := map[ID]bool{}
	for n, name := range r.packs.names {
		if err := ctx.Err(); err != nil {
			return v, err
		}
		if err := r.verifyPack(name, lost, &v); err != nil {
			return v, err
		}
		if progress != nil {
			progress(n+1, len(r.packs.names), v.Size)
		}
	}
	return v, r.verifyLists(lost, &v)
}

// verifyPack checks a pack, and adds the chunks that cannot be read to lost.
func (r *Repository) verifyPack(name string, lost map[ID]bool, v *Verified) error {
	v.Packs++
	file := path.Join(packsDir, name)
	sum, size, err := r.hash(file)
	v.Size += size
	if err == nil && sum == name && r.packs.failed[name] == nil {
		return nil
	}
	flaw := Flaw{File: file, Reason: "its bytes are not what was written"}
	if err != nil {
		flaw.Reason = err.Error()
	}
	entries, _ := r.entries(name) // the flaw has the error
	for _, e := range entries {
		if _, err := r.chunk(e.id); err != nil {
			lost[e.id] = true
			flaw.Chunks++
		}
	}
	v.Flaws = append(v.Flaws, flaw)
	return nil
}

// hash returns the name that a stored file should have, and its size.
func (r *Repository) hash(name string) (string, int64, error) {
	f, err := r.store.open(name)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, io.NewSectionReader(f, 0, f.size))
	return hex.EncodeToString(sum.Sum(nil)[:16]), n, err
}

// verifyLists checks the lists, and finds the files with lost chunks.
func (r *Repository) verifyLists(lost map[ID]bool, v *Verified) error {
	names, err := r.store.list(listsDir)
	if err != nil {
		return err
	}
	for _, name := range names {
		file := path.Join(listsDir, name)
		sum, size, err := r.hash(file)
		v.Size += size
		if err == nil && !strings.HasSuffix(name, "-"+sum[:12]) {
			err = errors.New("its bytes are not what was written")
		}
		if err == nil {
			_, err = r.readList(name, func(f File) {
				v.Files++
				for _, id := range f.Chunks {
					if _, ok := r.packs.chunks[id]; !ok || lost[id] {
						v.Lost = append(v.Lost, LostFile{name, f.Tree, f.Name})
						return
					}
				}
			})
		}
		if err != nil {
			v.Flaws = append(v.Flaws, Flaw{File: file, Reason: fmt.Sprint(err)})
			continue
		}
		v.Backups++
	}
	return nil
}
