package export

import (
	"errors"
	"fmt"
	"strings"

	"sesskeep"
	"sesskeep/internal/view"
)

// maxSaved is how much of one saved output is written: as much as the longest line of a
// transcript that is read.
const maxSaved = 64 << 20

// whole replaces the preview of a saved output by the output itself. If the file is gone,
// the preview stays, which names the file.
func (d *document) whole(ref sesskeep.Ref, p *view.Part) error {
	if d.o.Saved == nil || d.o.NoTools || p.Call == nil || p.Call.Persisted == "" {
		return nil
	}
	saved, err := d.o.Saved(ref, p.Call.Persisted)
	if errors.Is(err, sesskeep.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	defer saved.Close()
	text, next, err := saved.Window(0, maxSaved)
	if err != nil {
		return err
	}
	if next < saved.Size {
		text += fmt.Sprintf("\n… %d bytes more in tool-results/%s\n", saved.Size-next, p.Call.Persisted)
	}
	p.Call.Output = strings.ToValidUTF8(text, "\uFFFD")
	return nil
}
