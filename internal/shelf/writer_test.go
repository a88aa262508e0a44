package shelf

import (
	"context"
	"errors"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"sesskeep"
)

// A program that writes a file while we replace it. What it wrote is in the file
// afterwards. Where the system does not tell who has a file open, it is in the
// backup if it came after everything was over.

const (
	mine   = "{\"a\":1}"
	ours   = "{\"a\":2}"
	theirs = "{\"a\":1,\"theirs\":true}"
)

// replacing is a world in which settings.json is replaced while others write.
func replacing(t *testing.T, meanwhile map[string]func(w *world)) (*world, Act, error) {
	t.Helper()
	w := worlds()["replace"].build(t)
	return w.replacing(t, w.shelf(), meanwhile)
}

func (w *world) replacing(t *testing.T, s *Shelf, meanwhile map[string]func(w *world)) (*world, Act, error) {
	t.Helper()
	s.data.at = func(point string) error {
		if f := meanwhile[point]; f != nil {
			delete(meanwhile, point)
			f(w)
		}
		return nil
	}
	p, err := w.plan(w)
	check(t, err)
	a, err := s.Do(context.Background(), p)
	return w, a, err
}

func inPlace(t *testing.T, text string) func(w *world) {
	return func(w *world) { check(t, os.WriteFile(w.path("settings.json"), []byte(text), 0o600)) }
}

func byRename(t *testing.T, text string) func(w *world) {
	return func(w *world) {
		check(t, os.WriteFile(w.path("new"), []byte(text), 0o600))
		check(t, os.Rename(w.path("new"), w.path("settings.json")))
	}
}

// opens is a program that opens the file to write it later.
func opens(t *testing.T, f **os.File) func(w *world) {
	return func(w *world) {
		var err error
		*f, err = os.OpenFile(w.path("settings.json"), os.O_WRONLY, 0)
		check(t, err)
	}
}

// An edit between our check and the exchange is noticed, and stays.
func TestEditBeforeExchange(t *testing.T) {
	for name, edit := range map[string]func(w *world){"in place": inPlace(t, theirs), "by rename": byRename(t, theirs)} {
		t.Run(name, func(t *testing.T) {
			w, a, err := replacing(t, map[string]func(w *world){"exchange": edit})
			if !errors.Is(err, ErrChanged) || a.State != Dropped {
				t.Errorf("got %v, %s", err, a.State)
			}
			w.want(t, w.old.with(tree{"settings.json": theirs}))
			if _, err := w.shelf().Journal.Find(context.Background(), 0, []string{w.home()}); !errors.Is(err, sesskeep.ErrNotFound) {
				t.Errorf("there is something to undo: %v", err)
			}
		})
	}
}

// A program that opened the file before the exchange writes it after.
func TestWriteAfterExchange(t *testing.T) {
	for name, flags := range map[string]int{"emptied before": os.O_TRUNC, "emptied after": 0} {
		t.Run(name, func(t *testing.T) {
			var f *os.File
			w, a, err := replacing(t, map[string]func(w *world){
				"exchange": func(w *world) {
					var err error
					f, err = os.OpenFile(w.path("settings.json"), os.O_WRONLY|flags, 0)
					check(t, err)
				},
				"exchanged": func(*world) {
					check(t, f.Truncate(0))
					_, err := f.WriteString(theirs[:5])
					check(t, err)
				},
			})
			if !errors.Is(err, ErrChanged) || a.State != Dropped {
				t.Errorf("got %v, %s", err, a.State)
			}
			_, err = f.WriteString(theirs[5:]) // in its own time
			check(t, errors.Join(err, f.Close()))
			w.want(t, w.old.with(tree{"settings.json": theirs}))
		})
	}
}

// A program that writes after the first look is noticed by the second.
func TestWriteAfterLook(t *testing.T) {
	var f *os.File
	w, a, err := replacing(t, map[string]func(w *world){
		"exchange": opens(t, &f),
		"look again": func(*world) {
			_, err := f.WriteString(theirs)
			check(t, errors.Join(err, f.Close()))
		},
	})
	if !errors.Is(err, ErrChanged) || a.State != Dropped {
		t.Errorf("got %v, %s", err, a.State)
	}
	w.want(t, w.old.with(tree{"settings.json": theirs}))
}

// A program that has the file open, and goes on having it, keeps its file: it may
// write whenever it likes.
func TestStaysOpen(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the system does not tell who has a file open")
	}
	var f *os.File
	w, a, err := replacing(t, map[string]func(w *world){
		"exchange": opens(t, &f),
	})
	if !errors.Is(err, ErrChanged) || a.State != Dropped {
		t.Errorf("got %v, %s", err, a.State)
	}
	w.want(t, w.old)
	_, err = f.WriteString(theirs)
	check(t, errors.Join(err, f.Close()))
	w.want(t, w.old.with(tree{"settings.json": theirs}))
}

// One that closes it in time without having written anything is in nobody's way.
func TestClosedInTime(t *testing.T) {
	w := worlds()["replace"].build(t)
	s := w.shelf()
	s.writerPatience = time.Minute
	var f *os.File
	w, a, err := w.replacing(t, s, map[string]func(w *world){
		"exchange":   opens(t, &f),
		"look again": func(*world) { time.AfterFunc(20*time.Millisecond, func() { f.Close() }) },
	})
	if err != nil || a.State != Done {
		t.Errorf("got %v, %s", err, a.State)
	}
	w.want(t, w.done)
}

// Where nobody tells that it is open, what comes when all is over is in the
// backup, which is the file itself.
func TestWriteMuchLater(t *testing.T) {
	w := worlds()["replace"].build(t)
	s := w.shelf()
	s.openFilesUnknown = true
	var f *os.File
	w, a, err := w.replacing(t, s, map[string]func(w *world){
		"exchange": opens(t, &f),
	})
	check(t, err)
	_, err = f.WriteString(theirs)
	check(t, errors.Join(err, f.Close()))
	kept, err := os.ReadFile(w.shelf().Backup(a))
	if err != nil || string(kept) != theirs {
		t.Errorf("kept is %q, %v", kept, err)
	}
	// It is not what the act replaced, so undo does not take it for that.
	if _, err := w.shelf().Undo(context.Background(), a, Actor{}); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("got %v", err)
	}
}

// Two programs write: one the file that was replaced, one the new one. Nothing is
// lost, and it is said where the other one is.
func TestWriteBoth(t *testing.T) {
	w, a, err := replacing(t, map[string]func(w *world){
		"exchange":  inPlace(t, theirs),
		"exchanged": inPlace(t, "{\"b\":1}"),
	})
	if !errors.Is(err, ErrChanged) || a.State != Unclear {
		t.Errorf("got %v, %s", err, a.State)
	}
	w.want(t, w.old.with(tree{"settings.json": "{\"b\":1}"}))
	kept := w.shelf().Backup(a)
	if text, err := os.ReadFile(kept); err != nil || string(text) != theirs || !strings.Contains(a.Problem, kept) {
		t.Errorf("kept is %q, %v: %s", text, err, a.Problem)
	}
}

// A hard link keeps its content and its mode under its other name.
func TestOtherName(t *testing.T) {
	w := worlds()["replace"].build(t)
	check(t, os.Link(w.path("settings.json"), w.path("other name")))
	p, err := w.plan(w)
	check(t, err)
	a := do(t, w.shelf(), p)
	w.want(t, w.done.with(tree{"other name": mine}))
	info, err := os.Stat(w.path("other name"))
	check(t, err)
	if info.Mode().Perm() != 0o640 {
		t.Errorf("its mode is %v", info.Mode())
	}
	check(t, os.WriteFile(w.path("other name"), []byte("x"), 0o600))
	if kept, err := os.ReadFile(w.shelf().Backup(a)); err != nil || string(kept) != mine {
		t.Errorf("kept is %q, %v", kept, err)
	}
}

// A file that is empty because somebody is writing it is waited for, then
// refused. One that was made empty, or has been for a while, is empty.
func TestReadEmpty(t *testing.T) {
	ctx := context.Background()
	w := worlds()["replace"].build(t)
	s := w.shelf()
	file := w.path("settings.json")
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_TRUNC, 0)
	check(t, err)
	s.writerPatience = time.Second
	check(t, os.Chtimes(file, time.Time{}, time.Now().Add(s.writerPatience/2))) // for a machine that is slow
	if _, err := s.Read(ctx, w.home(), file); !errors.Is(err, ErrChanged) {
		t.Errorf("emptied: got %v", err)
	}
	s.writerPatience = time.Minute
	written := make(chan error, 1)
	go func() {
		time.Sleep(20 * time.Millisecond)
		_, err := f.WriteString(theirs)
		written <- errors.Join(err, f.Close())
	}()
	if got, err := s.Read(ctx, w.home(), file); err != nil || string(got.Data) != theirs {
		t.Errorf("written meanwhile: %q, %v", got.Data, err)
	}
	check(t, <-written)

	s.writerPatience = 50 * time.Millisecond
	check(t, os.Truncate(file, 0))
	check(t, os.Chtimes(file, time.Time{}, time.Now().Add(-time.Minute)))
	if got, err := s.Read(ctx, w.home(), file); err != nil || got.Data == nil || len(got.Data) > 0 {
		t.Errorf("empty for a minute: %q, %v", got.Data, err)
	}
	check(t, os.WriteFile(w.path("made"), nil, 0o600))
	if born(w.path("made")).IsZero() {
		t.Log("this system does not tell when a file was made")
	} else if got, err := s.Read(ctx, w.home(), w.path("made")); err != nil || got.Data == nil {
		t.Errorf("made empty: %q, %v", got.Data, err)
	}
}
