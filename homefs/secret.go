package homefs

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// secret reports whether name is, behind its links, on the deny-list: of this
// home, or of any other home it leads into. Without links it also gives what it found.
func (d *disk) secret(name string) (secret bool, plain fs.FileInfo, err error) {
	dir := path.Dir(name)
	direct, ok := d.direct.Load(dir)
	if !ok {
		real, err := filepath.EvalSymlinks(d.path(dir))
		direct = err == nil && real == d.path(dir)
		d.direct.Store(dir, direct)
	}
	info, err := os.Lstat(d.path(name))
	if err != nil {
		return false, nil, err
	}
	if direct.(bool) && info.Mode()&fs.ModeSymlink == 0 {
		return false, info, nil
	}
	real, err := filepath.EvalSymlinks(d.path(name))
	if err != nil {
		return false, nil, err
	}
	if inside, err := filepath.Rel(d.dir, real); err == nil && filepath.IsLocal(inside) {
		return Denied(filepath.ToSlash(inside)), nil, nil
	}
	return deniedAnywhere(filepath.ToSlash(real)), nil, nil
}

// deniedAnywhere reports whether a full path would be denied if any of the
// directories on the way to it were a home.
func deniedAnywhere(path string) bool {
	for rest, more := path, true; more; {
		if _, rest, more = strings.Cut(rest, "/"); more && Denied(rest) {
			return true
		}
	}
	return false
}

// deniedFiles knows the files on the deny-lists of all homes by identity, because a
// hard link gives a file another name, in another home too.
type deniedFiles struct {
	mu    sync.Mutex
	homes []string           // besides the one it is for
	files map[[2]uint64]bool // device and inode
	read  time.Time
}

// beside says which other homes there are.
func (s *deniedFiles) beside(homes []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.homes, s.files = homes, nil
}

// namesSecret reports whether a file with several names has one that is denied.
func (d *disk) namesSecret(info fs.FileInfo) bool {
	file := inodeOf(info)
	if file.Links < 2 {
		return false
	}
	s := &d.denied
	s.mu.Lock()
	defer s.mu.Unlock()
	// Giving a file a name changes its status: what was last changed before the
	// list was read is judged by that list.
	if s.files == nil || file.Changed >= s.read.Add(-time.Second).UnixNano() {
		s.read = time.Now()
		s.files = map[[2]uint64]bool{}
		for _, home := range append([]string{d.dir}, s.homes...) {
			listDenied(home, s.files)
		}
	}
	return s.files[[2]uint64{file.Device, file.Number}]
}

// listDenied finds the denied files of a home. They lie in it directly, or in
// one of a few directories.
func listDenied(home string, files map[[2]uint64]bool) {
	note := func(name string, e fs.DirEntry) {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && Denied(name) {
			file := inodeOf(info)
			files[[2]uint64{file.Device, file.Number}] = true
		}
	}
	entries, _ := os.ReadDir(home) // what cannot be listed has no names here
	for _, e := range entries {
		note(e.Name(), e)
		if !e.IsDir() || !hasDenied(e.Name()) {
			continue
		}
		_ = filepath.WalkDir(filepath.Join(home, e.Name()), func(file string, e fs.DirEntry, err error) error {
			if name, relErr := filepath.Rel(home, file); err == nil && relErr == nil {
				note(filepath.ToSlash(name), e)
			}
			return nil
		})
	}
}
