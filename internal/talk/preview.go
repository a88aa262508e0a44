package talk

import (
	"context"
	"fmt"
	"io"
	"slices"

	"sesskeep/internal/catalog"
	"sesskeep/internal/export"
	"sesskeep/internal/redact"
)

// Hidden says what marks stand for in a document: how many secrets of each family, and
// where. It never has a secret.
type Hidden struct {
	Title   string         `json:"title,omitempty"`      // title of the document
	Secrets []redact.Count `json:"secrets"`              // secrets, by family
	Marked  []MarkedPart   `json:"marked"`               // where the marks stand, in the order of the document; the first 500
	More    int            `json:"moreMarked,omitempty"` // number of further places
	Size    int64          `json:"fileSize"`             // size of the document in bytes
}

// MarkedPart is a place in a document that has marks.
type MarkedPart struct {
	Address string   `json:"address"` // address of the message, or of the session for the top of the document
	In      string   `json:"in"`      // what the marks stand in: head, prompt, text, thinking or another kind, or the name of a tool
	Marks   []string `json:"marks"`   // the marks, each once, such as github-token:1
}

// maxMarked bounds the places that are listed.
const maxMarked = 500

// Preview is Export that says what the document hides. A nil writer writes nothing: it shows
// what would go.
func (tk *Talk) Preview(ctx context.Context, w io.Writer, t catalog.Target, o ExportOptions) (Hidden, error) {
	if w == nil {
		w = io.Discard
	}
	h := Hidden{Secrets: []redact.Count{}, Marked: []MarkedPart{}}
	o.OnTitle = func(title string) { h.Title = title }
	o.OnMarked = h.add
	o.OnHidden = func(secrets []redact.Count) { h.Secrets = append(h.Secrets, secrets...) }
	err := tk.Export(ctx, &counted{w, &h.Size}, t, o)
	return h, err
}

func (h *Hidden) add(p export.Marked) {
	if len(h.Marked) == maxMarked {
		h.More++
		return
	}
	var marks []string
	for _, m := range p.Marks {
		if mark := fmt.Sprintf("%s:%d", m.Family, m.Number); !slices.Contains(marks, mark) {
			marks = append(marks, mark)
		}
	}
	h.Marked = append(h.Marked, MarkedPart{p.Address, p.In, marks})
}

// counted counts the bytes that are written.
type counted struct {
	io.Writer
	size *int64
}

func (c *counted) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	*c.size += int64(n)
	return n, err
}
