package homefs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Location identifies the directories of a home and of its projects. It changes when
// another directory takes the path of one of them, as when a disk is mounted or unmounted
// there. The zero Location is that of a home that was never found.
type Location struct{ home, projects fileID }

// fileID identifies a directory, whatever its name is.
type fileID struct{ device, number uint64 }

// String returns what [ParseLocation] reads.
func (l Location) String() string {
	return fmt.Sprintf("%d %d %d %d", l.home.device, l.home.number, l.projects.device, l.projects.number)
}

// ParseLocation returns the Location that String wrote. What is missing in the text is zero.
func ParseLocation(text string) (l Location) {
	_, _ = fmt.Sscan(text, &l.home.device, &l.home.number, &l.projects.device, &l.projects.number)
	return l
}

// Replaces reports whether l has another directory than was at one of its paths. The
// first projects of a home replace nothing.
func (l Location) Replaces(was Location) bool {
	return l.home != was.home || was.projects != (fileID{}) && l.projects != was.projects
}

// AbsentError says that a home is not at its path any more. It is an [fs.ErrNotExist].
type AbsentError struct {
	Root string
	// Empty is true if the directory at its path has no projects although the home had some: for
	// example, the mount point of a disk that is not mounted.
	Empty bool
}

func (e *AbsentError) Error() string {
	if e.Empty {
		return e.Root + " is empty"
	}
	return e.Root + " is not there"
}

// Is makes an AbsentError an [fs.ErrNotExist].
func (e *AbsentError) Is(target error) bool { return target == fs.ErrNotExist }

// Locate returns the Location of the home now; was is its Location when it last had
// projects. If the home is gone, the error is an [*AbsentError]. An empty directory that
// replaced one with projects counts as a home that is gone, not as one whose sessions
// were deleted. Copies do not count.
func (h *Home) Locate(was Location) (Location, error) {
	if h.directory() == nil {
		return Location{}, nil
	}
	return locate(h.root, was)
}

// absence returns why the home that was opened is not at its path any more; nil: it is.
func (h *Home) absence() error {
	p := h.directory()
	if p == nil {
		return nil
	}
	d := p.now.Load()
	if d == nil {
		return nil
	}
	var absent *AbsentError
	if _, err := locate(h.root, d.location); errors.As(err, &absent) {
		return absent
	}
	return nil
}

func locate(root string, was Location) (now Location, err error) {
	info, err := os.Stat(root)
	if errors.Is(err, fs.ErrNotExist) {
		return now, &AbsentError{Root: root}
	}
	if err != nil {
		return now, err
	}
	now.home = idOf(info)
	projects := filepath.Join(root, "projects")
	info, err = os.Stat(projects)
	switch {
	case err == nil:
		now.projects = idOf(info)
	case !errors.Is(err, fs.ErrNotExist):
		return now, err
	}
	if was.projects == (fileID{}) || was.projects == now.projects {
		return now, nil
	}
	if empty, err := isEmpty(projects); err != nil || !empty {
		return now, err
	}
	return now, &AbsentError{Root: root, Empty: true}
}

func idOf(info fs.FileInfo) fileID {
	id := inodeOf(info)
	return fileID{id.Device, id.Number}
}

// isEmpty reports whether there is nothing in a directory, or no directory.
func isEmpty(dir string) (bool, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	return len(entries) == 0, err
}
