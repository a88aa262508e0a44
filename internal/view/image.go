package view

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"image"
	_ "image/gif" // for image.DecodeConfig
	_ "image/jpeg"
	_ "image/png"
	"io"
)

// Image is what the first bytes of an image say about it. The image is not decoded.
type Image struct {
	Type          string // png, jpeg, gif or webp
	Width, Height int
}

// MaxPixels bounds the images that are shown: a small file can require any amount of
// memory.
const MaxPixels = 50_000_000

// Shown reports whether a browser may draw the image.
func (i Image) Shown() bool {
	return i.Width > 0 && i.Height > 0 && int64(i.Width)*int64(i.Height) <= MaxPixels
}

// maxHeader is how many bytes are read to find the size of an image.
const maxHeader = 512 << 10

// ReadImage recognises the formats that are shown, whatever the file is called.
func ReadImage(r io.Reader) (Image, bool) {
	head := make([]byte, 30)
	n, _ := io.ReadFull(r, head) // a shorter file is fine
	head = head[:n]
	if len(head) == 30 && string(head[:4]) == "RIFF" && string(head[8:12]) == "WEBP" {
		return readWebP(head)
	}
	config, kind, err := image.DecodeConfig(io.LimitReader(io.MultiReader(bytes.NewReader(head), r), maxHeader))
	if err != nil || config.Width <= 0 || config.Height <= 0 {
		return Image{}, false
	}
	return Image{kind, config.Width, config.Height}, true
}

// readWebP reads the size out of the first chunk: lossy, lossless or extended.
func readWebP(head []byte) (Image, bool) {
	i := Image{Type: "webp"}
	switch body := head[20:]; string(head[12:16]) {
	case "VP8 ":
		if !bytes.Equal(body[3:6], []byte{0x9d, 0x01, 0x2a}) {
			return Image{}, false
		}
		i.Width, i.Height = int(binary.LittleEndian.Uint16(body[6:])&0x3fff), int(binary.LittleEndian.Uint16(body[8:])&0x3fff)
	case "VP8L":
		if body[0] != 0x2f {
			return Image{}, false
		}
		bits := binary.LittleEndian.Uint32(body[1:])
		i.Width, i.Height = int(bits&0x3fff)+1, int(bits>>14&0x3fff)+1
	case "VP8X":
		three := func(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }
		i.Width, i.Height = three(body[4:])+1, three(body[7:])+1
	default:
		return Image{}, false
	}
	return i, i.Width > 0 && i.Height > 0
}

// readBase64 is ReadImage for base64 in a transcript.
func readBase64(data []byte) (Image, bool) {
	return ReadImage(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(data)))
}
