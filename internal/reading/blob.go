package reading

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"mime"
	"strings"

	"sesskeep"
	"sesskeep/internal/view"
)

// Blob is one whole object of a session: an image, an output, a text.
type Blob struct {
	io.Reader
	Name  string // file name to save it under
	Type  string // media type, judging by its first bytes
	Size  int64
	Shown bool // a browser may show it; otherwise it can only be saved

	close func() error
}

// Close closes the blob.
func (b *Blob) Close() error {
	if b.close == nil {
		return nil
	}
	return b.close()
}

// savedBlob is the prefix of the name of an output in a file of its own.
const savedBlob = "saved."

// SavedBlob returns the name for Blob of an output in a file of its own.
func SavedBlob(name string) string { return savedBlob + name }

// IsSaved reports whether a name is one that SavedBlob makes.
func IsSaved(ref string) bool { return strings.HasPrefix(ref, savedBlob) }

// Blob opens what is at a position, or a saved output. The caller must close it. The
// error for an unknown name is sesskeep.ErrNotFound.
func (s *Session) Blob(ctx context.Context, ref string) (*Blob, error) {
	if name, ok := strings.CutPrefix(ref, savedBlob); ok {
		return s.savedBlob(name)
	}
	at, ok := view.ParsePosition(ref)
	if !ok {
		return nil, noBlob(ref)
	}
	e, err := s.lineAt(ctx, at)
	if err != nil {
		return nil, err
	}
	if at.Block == 0 {
		return textBlob(ref, e.Raw), nil
	}
	blocks := e.Blocks()
	if at.Block > len(blocks) {
		return nil, noBlob(ref)
	}
	b := blocks[at.Block-1]
	if at.Item > len(b.Content) {
		return nil, noBlob(ref)
	}
	if at.Item > 0 {
		b = b.Content[at.Item-1]
	}
	return blockBlob(ref, b)
}

func noBlob(ref string) error {
	return &sesskeep.Error{Op: "find blob", Name: ref, Err: sesskeep.ErrNotFound}
}

// lineAt reads the line of a position.
func (s *Session) lineAt(ctx context.Context, at view.Position) (sesskeep.Entry, error) {
	for i := range s.Transcript.Digest.Chain {
		l := &s.Transcript.Digest.Chain[i]
		if at.UUID != "" && l.UUID == at.UUID || at.UUID == "" && l.UUID == "" && l.Line == at.Line {
			return s.Entry(ctx, i)
		}
	}
	return sesskeep.Entry{}, noBlob(at.String())
}

func (s *Session) savedBlob(name string) (*Blob, error) {
	saved, err := OpenSaved(s.store, s.Ref, name)
	if err != nil {
		return nil, err
	}
	return &Blob{
		Reader: io.NewSectionReader(saved.file, 0, saved.Size), Name: name, Type: plainText, Size: saved.Size, Shown: true, close: saved.Close,
	}, nil
}

const plainText = "text/plain; charset=utf-8"

// textBlob returns a text, marked as JSON if it is.
func textBlob(ref string, text []byte) *Blob {
	b := &Blob{Name: ref + ".txt", Type: plainText, Shown: true}
	if begins := bytes.TrimSpace(text); len(begins) > 0 && (begins[0] == '{' || begins[0] == '[') && json.Valid(text) {
		b.Name, b.Type = ref+".json", "application/json"
	} else {
		text = bytes.ToValidUTF8(text, []byte("\uFFFD"))
	}
	b.Reader, b.Size = bytes.NewReader(text), int64(len(text))
	return b
}

// blockBlob returns the content of a block.
func blockBlob(ref string, b sesskeep.Block) (*Blob, error) {
	switch {
	case b.Kind == sesskeep.BlockText || b.Kind == sesskeep.BlockThinking:
		return textBlob(ref, []byte(b.Text)), nil
	case len(b.Input) > 0:
		return textBlob(ref, b.Input), nil
	case b.Kind == sesskeep.BlockToolResult || b.ServerTool():
		return textBlob(ref, []byte(view.Output(b))), nil
	case b.Source.Type == "base64":
		return mediaBlob(ref, b)
	case b.Source.Type == "text":
		return textBlob(ref, b.Data()), nil
	}
	return textBlob(ref, b.Raw), nil
}

// mediaBlob returns an image or a document. Only a real image that is not too large
// may be shown; the declared type of anything else is not trusted.
func mediaBlob(ref string, b sesskeep.Block) (*Blob, error) {
	data := b.Data()
	out := make([]byte, base64.StdEncoding.DecodedLen(len(data)))
	n, err := base64.StdEncoding.Decode(out, data)
	if err != nil {
		return nil, &sesskeep.Error{Op: "read blob", Name: ref, Err: err}
	}
	out = out[:n]
	blob := &Blob{Reader: bytes.NewReader(out), Name: ref + ".bin", Type: "application/octet-stream", Size: int64(n)}
	if image, ok := view.ReadImage(bytes.NewReader(out)); ok {
		blob.Name, blob.Type, blob.Shown = ref+"."+image.Type, "image/"+image.Type, image.Shown()
	} else if kind, _, err := mime.ParseMediaType(b.Source.MediaType); err == nil && kind == "application/pdf" {
		blob.Name, blob.Type = ref+".pdf", kind
	}
	return blob, nil
}
