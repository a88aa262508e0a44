package view_test

import (
	"bytes"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"testing"

	"sesskeep/internal/view"
)

// images are small ones of every type that is shown, of 9 × 4 pixels. Nothing here
// writes WebP: those are the first bytes of its three forms.
func images(t testing.TB) map[string][]byte {
	t.Helper()
	picture := image.NewGray(image.Rect(0, 0, 9, 4))
	var p, j, g bytes.Buffer
	for _, err := range []error{png.Encode(&p, picture), jpeg.Encode(&j, picture, nil), gif.Encode(&g, picture, nil)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return map[string][]byte{
		"png": p.Bytes(), "jpeg": j.Bytes(), "gif": g.Bytes(),
		"webp":          []byte("RIFF\x1a\x00\x00\x00WEBPVP8 \x0e\x00\x00\x00\x30\x01\x00\x9d\x01\x2a\x09\x00\x04\x00\x00\x00"),
		"webp lossless": []byte("RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x08\xc0\x00\x00\x00\x00\x00\x00\x00\x00"),
		"webp extended": []byte("RIFF\x1a\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00\x08\x00\x00\x03\x00\x00"),
	}
}

func TestReadImage(t *testing.T) {
	for name, data := range images(t) {
		got, ok := view.ReadImage(bytes.NewReader(data))
		if want := name[:min(4, len(name))]; !ok || got.Type != want || got.Width != 9 || got.Height != 4 || !got.Shown() {
			t.Errorf("%s of %d bytes is %+v", name, len(data), got)
		}
	}
	for _, text := range []string{"", "RIFF", "<svg/>", "%PDF-1.7", "GIF8", "\x89PNG\r\n\x1a\n", "BM", "II*\x00"} {
		if got, ok := view.ReadImage(bytes.NewReader([]byte(text))); ok {
			t.Errorf("%q is %+v", text, got)
		}
	}
	for _, large := range []view.Image{{Type: "png", Width: 1 << 30, Height: 1 << 30}, {Type: "gif", Width: 50_001, Height: 1000}} {
		if large.Shown() {
			t.Errorf("%+v is shown", large)
		}
	}
}

// What an image says of its size is what it is, and what says too much is never
// decoded.
func FuzzImageHeader(f *testing.F) {
	for _, data := range images(f) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, ok := view.ReadImage(bytes.NewReader(data))
		if !ok {
			return
		}
		if got.Width <= 0 || got.Height <= 0 || len(data) < 8 {
			t.Fatalf("%d bytes are %+v", len(data), got)
		}
		if got.Type == "webp" || got.Width*got.Height > 1<<20 {
			return
		}
		picture, kind, err := image.Decode(bytes.NewReader(data))
		if err == nil && (kind != got.Type || picture.Bounds().Dx() != got.Width || picture.Bounds().Dy() != got.Height) {
			t.Fatalf("a %s of %v is read as %+v", kind, picture.Bounds(), got)
		}
	})
}
