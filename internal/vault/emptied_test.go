package vault

import (
	"os"
	"testing"

	"sesskeep"
)

// An empty directory at the path of a home is a disk that is not mounted: nothing is noted as
// gone there, and all is as before once the home is back.
func TestEmptyHomeDeletesNothing(t *testing.T) {
	w := newWorld(t)
	w.sweep()
	w.check(os.Rename(w.root, w.root+".away"))
	w.check(os.Mkdir(w.root, 0o755))
	home := w.store
	var err error
	w.store, err = sesskeep.Open(w.root) // as another process opens it
	w.check(err)
	k, err := w.home().Keeper.Sweep(t.Context(), w.store, SweepOptions{})
	if err != nil || k.Gone != 0 || len(k.Problems) != 1 {
		t.Errorf("%d files were noted as gone, problems %v, %v", k.Gone, k.Problems, err)
	}
	if s, err := w.home().Survey(w.store, nil); err != nil || s.CopyOnly != 0 || len(s.Unread) != 1 {
		t.Errorf("the survey is %+v, %v", s, err)
	}
	w.check(os.Remove(w.root))
	w.check(os.Rename(w.root+".away", w.root))
	w.store = home
	w.check(os.Remove(w.path(mainA)))
	if k := w.sweep(); k.Gone != 1 {
		t.Errorf("%d files were noted as gone, want the one that is", k.Gone)
	}
}
