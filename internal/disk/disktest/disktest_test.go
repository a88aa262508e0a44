package disktest_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"sesskeep/internal/disk"
	"sesskeep/internal/disk/disktest"
)

// A content that was written as it should be is the old one or the new one,
// whatever fails and wherever the machine stops.
func TestWriteFile(t *testing.T) {
	learn := disktest.New(t)
	write(t, learn, t.TempDir())
	points := learn.Points()
	if len(points) < 5 {
		t.Fatalf("points: %v", points)
	}
	for _, p := range points {
		for name, loss := range losses() {
			d, dir := disktest.New(t), t.TempDir()
			d.Crash(p)
			err := write(t, d, dir)
			if !d.Met() || err == nil {
				t.Fatalf("%v, %s: met %v, err %v", p, name, d.Met(), err)
			}
			if err := d.Reboot(loss); err != nil {
				t.Fatalf("%v, %s: reboot: %v", p, name, err)
			}
			if got := read(t, dir); got != "old" && got != "new" {
				t.Errorf("crash at %v, %s: %q", p, name, got)
			}
		}
		d, dir := disktest.New(t), t.TempDir()
		d.Fail(p, syscall.ENOSPC)
		if err := write(t, d, dir); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("full at %v: %v", p, err)
		}
		if got := read(t, dir); got != "old" && got != "new" {
			t.Errorf("full at %v: %q", p, got)
		}
	}
}

func losses() map[string]disktest.Loss {
	return map[string]disktest.Loss{
		"all lost": disktest.Lose, "nothing lost": disktest.Keep,
		"some lost": disktest.Tear(1), "more lost": disktest.Tear(2),
	}
}

func write(t *testing.T, d *disktest.Disk, dir string) error {
	name := filepath.Join(dir, "f")
	if err := os.WriteFile(name, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	return disk.WriteFile(d, name, []byte("new"), 0o600)
}

func read(t *testing.T, dir string) string {
	data, err := os.ReadFile(filepath.Join(dir, "f"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// What was not synced is gone after a crash, and what was is not.
func TestLose(t *testing.T) {
	d, dir := disktest.New(t), t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	put := func(name, text string, sync bool) {
		t.Helper()
		f, err := d.OpenFile(at(name), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
		check(err)
		_, err = f.Write([]byte(text))
		check(err)
		if sync {
			check(f.Sync())
		}
		check(f.Close())
	}
	put("moved", "m", true)
	put("removed", "r", true)
	put("grown", "abc", true)
	check(d.Mkdir(at("dir"), 0o700))
	check(d.SyncDir(dir))

	put("grown", "def", false)
	put("unnamed", "u", true)
	put("dir/inside", "i", true)
	check(d.Rename(at("moved"), at("dir/moved")))
	check(d.Remove(at("removed")))
	check(d.Mkdir(at("dir2"), 0o700))
	check(d.Reboot(disktest.Lose))
	if got, want := tree(t, dir), "dir grown=abc moved=m removed=r"; got != want {
		t.Errorf("nothing was synced:\n got %s\nwant %s", got, want)
	}

	check(d.Rename(at("moved"), at("dir/moved")))
	check(d.SyncDir(at("dir")))
	check(d.Remove(at("removed")))
	check(d.Rename(at("grown"), at("renamed")))
	put("renamed", "x", true)
	check(d.Reboot(disktest.Lose))
	if got, want := tree(t, dir), "dir dir/moved=m grown=abcx removed=r"; got != want {
		t.Errorf("one directory was synced:\n got %s\nwant %s", got, want)
	}
}

// tree lists what is below a directory.
func tree(t *testing.T, dir string) string {
	var list []string
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || name == "." {
			return err
		}
		if e.IsDir() {
			list = append(list, name)
			return nil
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		list = append(list, name+"="+string(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}
