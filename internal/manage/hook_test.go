package manage_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/acts"
	"sesskeep/internal/errcode"
	"sesskeep/internal/settings"
	"sesskeep/internal/shelf"
	"sesskeep/internal/undo"
)

const command = "/opt/bin/sesskeep hook report"

// desk is a home with settings and a shelf.
type desk struct {
	*testing.T
	*shelf.Shelf
	data, file string
}

func newDesk(t *testing.T, settings string) *desk {
	t.Helper()
	d := &desk{T: t, data: filepath.Join(t.TempDir(), "data"), file: filepath.Join(t.TempDir(), "settings.json")}
	d.Shelf = shelf.New(d.data, func() time.Time { return time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC) })
	if settings != "" {
		d.put(settings)
	}
	return d
}

// homes are those the shelf is asked about.
func (d *desk) homes() []string { return []string{filepath.Dir(d.file)} }

func (d *desk) put(text string) {
	d.Helper()
	d.check(os.WriteFile(d.file, []byte(text), 0o640))
}

func (d *desk) check(err error) {
	d.Helper()
	if err != nil {
		d.Fatal(err)
	}
}

// want compares the file with a text; "" is no file.
func (d *desk) want(text string) {
	d.Helper()
	got, err := os.ReadFile(d.file)
	if text == "" {
		if !errors.Is(err, fs.ErrNotExist) {
			d.Fatalf("the file is there: %q, %v", got, err)
		}
		return
	}
	if string(got) != text {
		d.Fatalf("the file is\n%q\nwant\n%q", got, text)
	}
}

func (d *desk) read() string {
	d.Helper()
	data, err := os.ReadFile(d.file)
	d.check(err)
	return string(data)
}

func (d *desk) hooks(command string) acts.Hooks {
	return acts.Hooks{Shelf: d.Shelf, Command: command, Actor: shelf.Actor{User: "u", From: "cli"}}
}

func (d *desk) install(command string) (acts.Change, error) {
	return d.hooks(command).Install(context.Background(), filepath.Dir(d.file))
}

func (d *desk) uninstall() (acts.Change, error) {
	return d.hooks(command).Uninstall(context.Background(), filepath.Dir(d.file))
}

func (d *desk) undo(id int) (acts.Change, error) {
	return undo.Plan(context.Background(), d.Shelf, undo.Options{ID: id, Homes: d.homes()})
}

func (d *desk) do(c acts.Change, err error) shelf.Act {
	d.Helper()
	d.check(err)
	a, err := d.Do(context.Background(), c.Plan)
	d.check(err)
	return a
}

func (d *desk) states() string {
	d.Helper()
	var words []string
	for a, err := range d.Journal.Acts() {
		d.check(err)
		words = append(words, fmt.Sprintf("%d %s", a.ID, a.State))
	}
	return strings.Join(words, ", ")
}

var settingTexts = map[string]string{
	"no file":    "",
	"empty":      "{}",
	"white":      " { \n } \n",
	"blank":      "\n",
	"of one row": `{"model":"opus"}`,
	"of people":  "{\r\n\t\"permissions\": {\r\n\t\t\"allow\": [ \"Bash(ls:*)\" ]\r\n\t},\r\n\t\"unknown\": 1e2\r\n}",
	"with hooks": "{\n  \"hooks\": {\n    \"Stop\": [],\n    \"PreToolUse\": [{\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"beep\"}]}]\n  }\n}\n",
}

// What is installed can be undone and uninstalled, to the byte, and undone
// undoings can be undone.
func TestUndo(t *testing.T) {
	for name, text := range settingTexts {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, text)
			a := d.do(d.install(command))
			installed := d.read()
			if p, err := d.install(command); err != nil || !p.Plan.Empty() {
				t.Fatalf("installing twice changes something: %v", err)
			}
			d.do(d.undo(0))
			d.want(text)
			if a.ID != 1 || d.states() != "2 done, 1 undone" {
				t.Fatalf("journal: %s", d.states())
			}
			if _, err := d.undo(0); !errors.Is(err, sesskeep.ErrNotFound) {
				t.Errorf("nothing left to undo gives %v", err)
			}
			if _, err := d.undo(1); err == nil {
				t.Error("an act is undone twice")
			}
			d.do(d.undo(2))
			d.want(installed)
			if d.states() != "3 done, 2 undone, 1 done" {
				t.Fatalf("journal: %s", d.states())
			}
			d.do(d.uninstall())
			d.want(text)
			if p, err := d.uninstall(); err != nil || !p.Plan.Empty() {
				t.Errorf("uninstalling twice changes something: %v", err)
			}
			d.do(d.undo(0))
			d.want(installed)
		})
	}
}

// What others changed since stays.
func TestForeignChange(t *testing.T) {
	t.Parallel()
	for name, text := range settingTexts {
		for _, verb := range []string{"undo", "uninstall"} {
			t.Run(name+", "+verb, func(t *testing.T) {
				d := newDesk(t, text)
				d.do(d.install(command))
				theirs := `"theirs":[1 ],`
				d.put(strings.Replace(d.read(), "{", "{"+theirs, 1))
				if verb == "undo" {
					d.do(d.undo(0))
				} else {
					d.do(d.uninstall())
				}
				got := d.read()
				if strings.Contains(got, "sesskeep") || !strings.Contains(got, theirs[:len(theirs)-1]) {
					t.Errorf("got %s", got)
				}
				if len(text) > 10 && got != strings.Replace(text, "{", "{"+theirs, 1) {
					t.Errorf("got %s", got)
				}
			})
		}
	}
}

// A file that was made goes again if nobody put anything of his own into it.
func TestMadeFile(t *testing.T) {
	for _, verb := range []string{"undo", "uninstall"} {
		d := newDesk(t, "")
		d.do(d.install(command))
		d.put(d.read() + "\n\n")
		if verb == "undo" {
			d.do(d.undo(0))
		} else {
			d.do(d.uninstall())
		}
		d.want("")
	}
}

// An act that others built upon is left, with a word about it.
func TestUndoRefuses(t *testing.T) {
	d := newDesk(t, `{"a":1}`)
	d.do(d.install(command))
	d.do(d.uninstall())
	d.put(`{"a":2}`)
	if _, err := d.undo(2); !errors.Is(err, errcode.ErrChanged) || !strings.Contains(err.Error(), filepath.Join("backup", "2-settings.json")) {
		t.Errorf("got %v", err)
	}
	if _, err := d.undo(1); err == nil {
		t.Error("hooks that are not there are taken out")
	}
	d.want(`{"a":2}`)

	// Of two installations the second only changed the path.
	d = newDesk(t, `{"a":1}`)
	d.do(d.install("/old/sesskeep hook report"))
	d.do(d.install(command))
	d.put(strings.Replace(d.read(), "1", "3", 1))
	if _, err := d.undo(2); !errors.Is(err, errcode.ErrChanged) {
		t.Errorf("got %v", err)
	}
	d.do(d.uninstall())
	d.want(`{"a":3}`)
}

// A plan is only made if the file is what the plan was worked out from.
func TestStalePlan(t *testing.T) {
	d := newDesk(t, `{"a":1}`)
	p, err := d.install(command)
	d.check(err)
	d.put(`{"a":2}`)
	if _, err := d.Do(context.Background(), p.Plan); !errors.Is(err, errcode.ErrChanged) {
		t.Errorf("got %v", err)
	}
	d.want(`{"a":2}`)
}

// A link stays a link; mode and neighbours stay too.
func TestLink(t *testing.T) {
	d := newDesk(t, "")
	dots := t.TempDir()
	target := filepath.Join(dots, "claude.json")
	d.check(os.WriteFile(target, []byte(`{"a":1}`), 0o644))
	if err := os.Symlink(target, d.file); err != nil {
		t.Skip("no links here:", err)
	}
	d.do(d.install(command))
	info, err := os.Lstat(d.file)
	d.check(err)
	if info.Mode()&fs.ModeSymlink == 0 {
		t.Error("the link was replaced")
	}
	info, err = os.Lstat(target)
	d.check(err)
	if runtime.GOOS != "windows" && info.Mode() != 0o644 {
		t.Errorf("the mode is %v", info.Mode())
	}
	d.do(d.undo(0))
	d.want(`{"a":1}`)
	left, err := os.ReadDir(dots)
	d.check(err)
	if len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

// A link to a file that is not there yet makes that file.
func TestDanglingLink(t *testing.T) {
	d := newDesk(t, "")
	target := filepath.Join(t.TempDir(), "claude.json")
	if err := os.Symlink(target, d.file); err != nil {
		t.Skip("no links here:", err)
	}
	d.do(d.install(command))
	if _, err := os.Stat(target); err != nil {
		t.Error(err)
	}
	d.do(d.undo(0))
	if _, err := os.Stat(target); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the file stays")
	}
}

// Secrets and what is no file are not touched, wherever a link leads.
func TestNotSettings(t *testing.T) {
	d := newDesk(t, "")
	secret := filepath.Join(filepath.Dir(d.file), ".credentials.json")
	d.check(os.WriteFile(secret, []byte(`{}`), 0o600))
	if err := os.Symlink(secret, d.file); err != nil {
		t.Skip("no links here:", err)
	}
	if _, err := d.install(command); !errors.Is(err, homefs.ErrDenied) {
		t.Errorf("got %v", err)
	}
	d.check(os.Remove(d.file))
	d.check(os.Mkdir(d.file, 0o700))
	if _, err := d.install(command); !errors.Is(err, homefs.ErrNotRegular) {
		t.Errorf("got %v", err)
	}
}

// Only we can read our data.
func TestPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no modes here")
	}
	d := newDesk(t, `{"env":{"TOKEN":"x"}}`)
	d.do(d.install(command))
	d.check(filepath.WalkDir(d.data, func(path string, e fs.DirEntry, err error) error {
		d.check(err)
		info, err := e.Info()
		d.check(err)
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		return nil
	}))
}

// After a crash that cut a line the journal goes on.
func TestTornJournal(t *testing.T) {
	d := newDesk(t, `{"a":1}`)
	d.do(d.install(command))
	path := filepath.Join(d.data, "journal.jsonl")
	whole, err := os.ReadFile(path)
	d.check(err)
	d.check(os.WriteFile(path, whole[:len(whole)-9], 0o600))
	d.do(d.uninstall())
	d.want(`{"a":1}`)
	if got := d.states(); got != "2 done, 1 done" {
		t.Errorf("journal: %s", got)
	}
}

// What became unclear can still be taken out by hand, and only that.
func TestUndoUnclear(t *testing.T) {
	d := newDesk(t, `{"a":1}`)
	d.do(d.install(command))
	path := filepath.Join(d.data, "journal.jsonl")
	whole, err := os.ReadFile(path)
	d.check(err)
	d.check(os.WriteFile(path, whole[:bytes.IndexByte(whole, '\n')+1], 0o600))
	d.put(strings.Replace(d.read(), "1", "8", 1))
	d.do(d.undo(1))
	d.want(`{"a":8}`)
}

// One writes at a time; the others are told.
func TestOneWriter(t *testing.T) {
	d := newDesk(t, `{"a":1}`)
	var all sync.WaitGroup
	var mu sync.Mutex
	made := 0
	for range 20 {
		all.Go(func() {
			p, err := d.install(command)
			if err == nil && !p.Plan.Empty() {
				_, err = d.Do(context.Background(), p.Plan)
			}
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil && !p.Plan.Empty():
				made++
			case err != nil && !errors.Is(err, errcode.ErrHeld) && !errors.Is(err, errcode.ErrChanged):
				t.Error(err)
			}
		})
	}
	all.Wait()
	if made != 1 || d.states() != "1 done" {
		t.Errorf("%d were made: %s", made, d.states())
	}
}

// A backup that is not what it was is not put back.
func TestDamagedBackup(t *testing.T) {
	d := newDesk(t, `{"a":1}`)
	d.do(d.install(command))
	d.do(d.uninstall())
	d.check(os.WriteFile(filepath.Join(d.data, "backup", "2-settings.json"), []byte("{}"), 0o600))
	if _, err := d.undo(2); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("got %v", err)
	}
	d.want(`{"a":1}`)
}

func TestStatus(t *testing.T) {
	managed := t.TempDir()
	d := newDesk(t, "")
	status := func() settings.HookStatus {
		t.Helper()
		h := d.hooks(command)
		h.Managed = managed
		st, err := h.Status(t.Context(), filepath.Dir(d.file))
		d.check(err)
		return st
	}
	if st := status(); st.Installed != "no" || len(st.Events) != len(acts.ReportHooks.Events()) {
		t.Errorf("got %+v", st)
	}
	d.do(d.install("/old/sesskeep hook report"))
	if st := status(); st.Installed != "other" {
		t.Errorf("got %+v", st)
	}
	d.do(d.install(command))
	if st := status(); st.Installed != "yes" || st.Off != "" {
		t.Errorf("got %+v", st)
	}
	d.put(`{"disableAllHooks":true,"hooks":{"Stop":[{"hooks":[{"type":"command","command":"sesskeep hook report"}]}]}}`)
	if st := status(); st.Installed != "partly" || st.Off != "disableAllHooks is set in "+d.file {
		t.Errorf("got %+v", st)
	}
	d.check(os.Mkdir(filepath.Join(managed, "managed-settings.d"), 0o700))
	policy := filepath.Join(managed, "managed-settings.d", "10-hooks.json")
	d.check(os.WriteFile(policy, []byte(`{"allowManagedHooksOnly":true}`), 0o600))
	if st := status(); st.Off != "allowManagedHooksOnly is set in "+policy {
		t.Errorf("got %+v", st)
	}
	d.put("{")
	if _, err := d.hooks(command).Status(t.Context(), filepath.Dir(d.file)); err == nil || !strings.Contains(err.Error(), "not valid JSON at 1:1") {
		t.Errorf("got %v", err)
	}
}

// A program that would not be known again, and settings beyond all measure.
func TestNotInstalled(t *testing.T) {
	d := newDesk(t, "{}"+strings.Repeat(" ", 4<<20))
	if _, err := d.install(command); !errors.Is(err, homefs.ErrTooLarge) {
		t.Errorf("got %v", err)
	}
	if _, err := d.install("/opt/bin/keeper hook report"); err == nil || !strings.Contains(err.Error(), "must be named sesskeep") {
		t.Errorf("got %v", err)
	}
	d.file = filepath.Join(filepath.Dir(d.file), "none", "settings.json")
	if _, err := d.install(command); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

// What was done in a home that is not meant stays.
func TestUndoElsewhere(t *testing.T) {
	d, other := newDesk(t, `{"a":1}`), newDesk(t, `{"b":2}`)
	d.do(d.install(command))
	other.Shelf = d.Shelf
	other.do(other.install(command))
	if p, err := d.undo(0); err != nil || p.Plan.Undoes != 1 {
		t.Errorf("the last one here: got %d, %v", p.Plan.Undoes, err)
	}
	var elsewhere *shelf.ElsewhereError
	if _, err := d.undo(2); !errors.As(err, &elsewhere) || elsewhere.Home != filepath.Dir(other.file) {
		t.Errorf("got %v", err)
	}
	d.do(d.undo(1))
	if _, err := d.undo(0); !errors.Is(err, sesskeep.ErrNotFound) {
		t.Errorf("got %v", err)
	}
	d.do(other.undo(0))
	other.want(`{"b":2}`)
}

// A file that its owner may not write stays as it is, for root too.
func TestReadOnly(t *testing.T) {
	d := newDesk(t, `{"a":1}`)
	d.do(d.install(command))
	d.check(os.Chmod(d.file, 0o440))
	for name, plan := range map[string]func() (acts.Change, error){
		"install":   func() (acts.Change, error) { return d.install("/new/sesskeep hook report") },
		"uninstall": func() (acts.Change, error) { return d.uninstall() },
		"undo":      func() (acts.Change, error) { return d.undo(1) },
	} {
		if _, err := plan(); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "read-only") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if _, err := d.install(command); err != nil {
		t.Errorf("nothing to do: got %v", err)
	}
	d.check(os.Chmod(d.file, 0o640)) // else some systems cannot remove it
}

// What keeps our hooks out is told before anybody tries.
func TestStatusProblem(t *testing.T) {
	d := newDesk(t, `{"hooks":"x"}`)
	st, err := d.hooks(command).Status(t.Context(), filepath.Dir(d.file))
	d.check(err)
	if want := `"hooks" is not an object, at 1:10; fix it first`; st.Problem != want || st.Installed != "no" {
		t.Errorf("got %+v, want %q", st, want)
	}
}
