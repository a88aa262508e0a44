package homefs_test

import (
	"errors"
	"io/fs"
	"path/filepath"
	"testing"

	"sesskeep/homefs"
	"sesskeep/internal/storetest"
)

// copies are copies that have no file: each question ends with the error.
type copies struct{ err error }

func (c copies) ReadDir(string) ([]fs.DirEntry, error) { return nil, c.err }
func (c copies) Open(string) (homefs.File, error)      { return nil, c.err }

func (c copies) Stat(name string) (fs.FileInfo, error) {
	if name == "." { // where they lie
		return nil, nil
	}
	return nil, c.err
}

// A home that is gone has nothing but its copies: what they lack is not there.
func TestBackedHomeGone(t *testing.T) {
	home, err := homefs.OpenBacked(filepath.Join(t.TempDir(), "gone"), copies{fs.ErrNotExist})
	if err != nil {
		t.Fatal(err)
	}
	_, statErr := home.Info("plans/a.md")
	_, listErr := home.ReadDirAll("plans")
	_, openErr := home.Open("plans/a.md")
	for what, err := range map[string]error{"its status": statErr, "its directory": listErr, "its bytes": openErr} {
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// A copy that cannot be read counts as unread, whatever the reason.
func TestUnreadCopy(t *testing.T) {
	root := storetest.Home(t, "-- settings.json --\n{}\n")
	home, err := homefs.OpenBacked(root, copies{errors.New("the copy is damaged")})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := home.Info("plans/a.md"); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a damaged copy: %v", err)
	}
	if got := home.Unread(); len(got) != 1 || got[0].Path != home.Path("plans/a.md") {
		t.Errorf("unread: %v", got)
	}
}
