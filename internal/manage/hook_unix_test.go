//go:build !windows

package manage_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"sesskeep/homefs"
)

// A file keeps its owner and mode, whoever asks for the change.
func TestOwner(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give files away")
	}
	d := newDesk(t, `{"a":1}`)
	d.check(os.Chmod(d.file, 0o604))
	d.check(os.Chown(d.file, 4321, 1234))
	d.do(d.install(command))
	info, err := os.Stat(d.file)
	d.check(err)
	if st := info.Sys().(*syscall.Stat_t); st.Uid != 4321 || st.Gid != 1234 || info.Mode() != 0o604 {
		t.Errorf("it belongs to %d:%d with %v", st.Uid, st.Gid, info.Mode())
	}
}

// A pipe in place of the settings is not waited for.
func TestPipe(t *testing.T) {
	d := newDesk(t, "")
	d.check(syscall.Mkfifo(d.file, 0o600))
	if _, err := d.install(command); err == nil {
		t.Error("a pipe was read")
	}
}

// Links are followed from where they lie, and not for ever.
func TestLinks(t *testing.T) {
	d := newDesk(t, "")
	dots := t.TempDir()
	d.check(os.Mkdir(filepath.Join(dots, "claude"), 0o700))
	d.check(os.WriteFile(filepath.Join(dots, "settings.json"), []byte(`{"a":1}`), 0o600))
	d.check(os.Symlink("../settings.json", filepath.Join(dots, "claude", "settings.json")))
	home := filepath.Join(t.TempDir(), ".claude")
	d.check(os.Symlink(filepath.Join(dots, "claude"), home))
	d.file = filepath.Join(home, "settings.json")
	d.do(d.install(command))
	if info, err := os.Lstat(filepath.Join(dots, "claude", "settings.json")); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link was replaced:", err)
	}
	d.do(d.uninstall())
	d.want(`{"a":1}`)

	loop := filepath.Join(t.TempDir(), "settings.json")
	d.check(os.Symlink(loop, loop))
	if _, err := d.hooks(command).Install(context.Background(), filepath.Dir(loop)); err == nil {
		t.Error("a loop was followed")
	}
}

// A link to secrets is not read, whatever the way to it: through a home that is
// itself a link, or into another home.
func TestLinkToSecrets(t *testing.T) {
	d := newDesk(t, "")
	real := t.TempDir()
	d.check(os.WriteFile(filepath.Join(real, ".credentials.json"), []byte(`{"token":"x"}`), 0o600))
	d.check(os.Symlink(".credentials.json", filepath.Join(real, "settings.json")))
	home := filepath.Join(t.TempDir(), ".claude")
	d.check(os.Symlink(real, home))
	other := filepath.Join(t.TempDir(), "settings.json")
	d.check(os.Symlink(filepath.Join(real, ".credentials.json"), other))
	for _, file := range []string{filepath.Join(home, "settings.json"), other} {
		p, err := d.hooks(command).Install(context.Background(), filepath.Dir(file))
		if !errors.Is(err, homefs.ErrDenied) || p.Before != nil {
			t.Errorf("%s: %v, read %d bytes", file, err, len(p.Before))
		}
	}
}
