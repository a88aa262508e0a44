package vault

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func (w *world) flaws() []Flaw {
	w.t.Helper()
	r, err := w.home().Checker.Verify(context.Background(), nil)
	w.check(err)
	return r.Flaws
}

// A box that was removed and the last changes of a manifest that were cut off are
// found, and stay found until there are copies again.
func TestLostCopies(t *testing.T) {
	box := "h/projects/-w/" + idA + ".box"
	for name, lose := range map[string]func(w *world){
		"a box":                 func(w *world) { w.check(os.RemoveAll(filepath.Join(w.dir, box))) },
		"a box and its markers": func(w *world) { w.check(os.RemoveAll(filepath.Join(w.dir, "h/projects/-w"))) },
		"the last change": func(w *world) {
			manifest := filepath.Join(w.dir, box, manifestName)
			data, err := os.ReadFile(manifest)
			w.check(err)
			cut := bytes.LastIndexByte(data[:len(data)-1], '\n') + 1
			w.check(os.WriteFile(manifest, data[:cut], 0o600))
		},
		"a manifest": func(w *world) { w.check(os.Remove(filepath.Join(w.dir, box, manifestName))) },
	} {
		for _, gone := range []bool{false, true} {
			w := newWorld(t)
			w.sweep()
			w.append(mainA, "{}\n")
			w.sweep()
			if w.compare(w.files()); gone {
				w.check(os.Remove(w.path(mainA)))
				w.sweep()
			}
			lose(w)
			if len(w.flaws()) == 0 {
				t.Errorf("%s: nothing was found", name)
			}
			if w.trySweep(); gone && name != "the last change" { // which only said that it is gone
				if len(w.flaws()) == 0 {
					t.Errorf("%s: it was forgotten", name)
				}
				continue
			}
			w.compare(w.files())
		}
	}
}

// What is dropped on purpose is not missed.
func TestDroppedIsForgotten(t *testing.T) {
	w := newWorld(t)
	w.sweep()
	w.check(w.home().Remover.Drop(context.Background(), idA, "calm-sea"))
	if flaws := w.flaws(); len(flaws) > 0 {
		t.Errorf("%+v", flaws)
	}
}

// A file whose copy is lost with a damaged line of its manifest is damaged, and not
// missing, even if it is the first thing that is opened.
func TestOpenedFirst(t *testing.T) {
	w := newWorld(t)
	w.sweep()
	manifest := filepath.Join(w.dir, "h/projects/-w", idA+".box", manifestName)
	data, err := os.ReadFile(manifest)
	w.check(err)
	data[12] ^= 1
	w.check(os.WriteFile(manifest, data, 0o600))
	if _, err := w.home().FS().Open(mainA); !errors.Is(err, ErrDamaged) {
		t.Errorf("%v", err)
	}
}
