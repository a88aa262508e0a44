package export

import (
	"errors"
	"fmt"
	"strings"

	"sesskeep"
	"sesskeep/internal/view"
)

// maxSaved is how much of one output is written. No line of a transcript that is
// read is longer.
const maxSaved = 64 << 20

// whole puts an output that was saved in the place of its preview. The preview
// stays if the file is gone, and says where it was.
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
