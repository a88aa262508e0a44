//go:build unix

package regular_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"sesskeep/internal/regular"
)

// Whatever a name leads to, nobody waits for it and nothing of it is read.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	names := []string{pipe, dir, "/dev/zero"}
	for i, target := range []string{pipe, "/dev/zero"} {
		name := filepath.Join(dir, "link"+string(rune('0'+i)))
		if err := os.Symlink(target, name); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for _, name := range names {
			for _, flag := range []int{os.O_RDONLY, os.O_WRONLY | os.O_APPEND | os.O_CREATE, os.O_RDWR} {
				if f, err := regular.OpenFile(name, flag, 0o600); !errors.Is(err, regular.ErrNotRegular) || f != nil {
					t.Errorf("open %s with %#x: %v", name, flag, err)
				}
			}
			if data, err := regular.ReadFile(name, 10); !errors.Is(err, regular.ErrNotRegular) || data != nil {
				t.Errorf("read %s: %q, %v", name, data, err)
			}
		}
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("a pipe keeps the reader waiting")
	}
}

// A name that leads to a file when it is looked at, and to a pipe when it is opened,
// gives the file or nothing. It is tried until both were met often.
func TestReplacedMeanwhile(t *testing.T) {
	dir := t.TempDir()
	file, pipe, name := filepath.Join(dir, "file"), filepath.Join(dir, "pipe"), filepath.Join(dir, "name")
	if err := errors.Join(os.WriteFile(file, nil, 0o600), syscall.Mkfifo(pipe, 0o600)); err != nil {
		t.Fatal(err)
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	defer func() { <-stopped }()
	defer close(stop)
	go func() {
		defer close(stopped)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			beside := name + "-next"
			if err := errors.Join(os.Link([]string{file, pipe}[i%2], beside), os.Rename(beside, name)); err != nil {
				t.Error(err)
				return
			}
		}
	}()
	opened, refused := 0, 0
	for end := time.Now().Add(time.Minute); (opened < 4000 || refused < 4000) && time.Now().Before(end); {
		f, err := regular.Open(name)
		switch {
		case err == nil:
			if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
				t.Fatalf("a pipe was opened: %v, %v", info, err)
			}
			opened++
			f.Close()
		case errors.Is(err, regular.ErrNotRegular):
			refused++
		}
	}
	if opened == 0 || refused == 0 {
		t.Errorf("opened %d times, refused %d times", opened, refused)
	}
}

func TestReadFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, []byte("0123456789"), 0o600); err != nil {
		t.Fatal(err)
	}
	if data, err := regular.ReadFile(name, 10); string(data) != "0123456789" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
	if data, err := regular.ReadFile(name, 9); !errors.Is(err, regular.ErrTooLarge) || data != nil {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := regular.ReadFile(name+"x", 9); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
