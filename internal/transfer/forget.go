package transfer

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"sesskeep/internal/mention"
)

// ForgetImports removes bundles that a killed import left unpacked in our data directory, if
// they mention what a finder finds.
func ForgetImports(data string, of *mention.Finder) error {
	entries, err := os.ReadDir(data)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), importPrefix) {
			continue
		}
		dir := filepath.Join(data, e.Name())
		found, errOne := of.Below(dir)
		if found {
			errOne = os.RemoveAll(dir)
		}
		err = errors.Join(err, errOne)
	}
	return err
}
