package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"sesskeep/internal/cli/shell"
	"sesskeep/internal/regular"
	"sesskeep/internal/tui/pages"
)

// maxPrefs is more than what the interface remembers can take.
const maxPrefs = 64 << 10

// prefsFile is where the interface keeps what it remembers.
func prefsFile(sh *shell.Shell) (string, error) {
	dir, err := sh.Dirs().Data()
	return filepath.Join(dir, "interface.json"), err
}

// readPrefs is what the interface remembers. What cannot be read is as if it had never
// been kept.
func readPrefs(sh *shell.Shell) (p pages.Prefs) {
	path, err := prefsFile(sh)
	if err != nil {
		return p
	}
	data, err := regular.ReadFile(path, maxPrefs)
	if err != nil || json.Unmarshal(data, &p) != nil {
		return pages.Prefs{}
	}
	return p
}

// keepPrefs keeps what the interface remembers for the next time.
func keepPrefs(sh *shell.Shell, p pages.Prefs) error {
	path, err := prefsFile(sh)
	if err != nil {
		return err
	}
	data, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return err
	}
	if err = os.MkdirAll(filepath.Dir(path), 0o700); err == nil {
		err = regular.WriteFile(path, append(data, '\n'), 0o600)
	}
	if err != nil {
		return fmt.Errorf("remember how it is shown: %w", err)
	}
	return nil
}
