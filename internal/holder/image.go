package holder

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"sesskeep/internal/launch"
	"sesskeep/internal/regular"
	"sesskeep/internal/stamp"
)

// The limits of pictures that are stored with a run: bytes of one, and how many.
const (
	MaxImage  = 5 << 20
	maxImages = 50
)

// The reasons why a picture is refused.
var (
	ErrNoImage    = errors.New("there is no such image")
	ErrImageType  = errors.New("not a PNG, JPEG, GIF or WebP image")
	ErrImageLarge = fmt.Errorf("an image can have %d bytes", MaxImage)
	ErrManyImages = fmt.Errorf("a run can have %d images", maxImages)
)

// imageTypes are the types of pictures that models read, by how their bytes start.
var imageTypes = []struct {
	is   func(data []byte) bool
	kind string
}{
	{func(d []byte) bool { return bytes.HasPrefix(d, []byte("\x89PNG\r\n\x1a\n")) }, "image/png"},
	{func(d []byte) bool { return bytes.HasPrefix(d, []byte("\xff\xd8\xff")) }, "image/jpeg"},
	{func(d []byte) bool { return bytes.HasPrefix(d, []byte("GIF8")) }, "image/gif"},
	{func(d []byte) bool { return len(d) > 12 && string(d[:4]) == "RIFF" && string(d[8:12]) == "WEBP" }, "image/webp"},
}

// CheckImage returns a picture whose type its bytes say, whatever its sender says.
func CheckImage(data []byte) (launch.Image, error) {
	if len(data) > MaxImage {
		return launch.Image{}, ErrImageLarge
	}
	for _, t := range imageTypes {
		if t.is(data) {
			return launch.Image{Type: t.kind, Data: data}, nil
		}
	}
	return launch.Image{}, ErrImageType
}

// StoredImage is a picture that is stored with a run.
type StoredImage struct {
	ID        string     `json:"id" doc:"ID of the image, by which messages name it"`
	MimeType  string     `json:"mimeType" doc:"Type of the image, by its bytes"`
	Size      int        `json:"size" doc:"Size in bytes"`
	CreatedAt stamp.Time `json:"createdAt" doc:"When the image was uploaded"`
}

// imageName matches the names of stored pictures.
var imageName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^img_[0-9a-f]{24}$`) })

// AddImage stores a picture with a run. It is deleted with the run.
func AddImage(s Store, id string, data []byte) (StoredImage, error) {
	if _, err := s.run(id); err != nil {
		return StoredImage{}, err
	}
	image, err := CheckImage(data)
	if err != nil {
		return StoredImage{}, err
	}
	have, err := Images(s, id)
	if err != nil {
		return StoredImage{}, err
	}
	if len(have) >= maxImages {
		return StoredImage{}, ErrManyImages
	}
	if err := regular.MkdirAll(s.path(id, "images"), 0o700); err != nil {
		return StoredImage{}, err
	}
	var b [12]byte
	_, _ = rand.Read(b[:]) // it never fails
	name := "img_" + hex.EncodeToString(b[:])
	if err := regular.WriteFile(s.path(id, "images", name), data, 0o600); err != nil {
		return StoredImage{}, err
	}
	return StoredImage{ID: name, MimeType: image.Type, Size: len(data), CreatedAt: stamp.Time{Time: s.now()}}, nil
}

// Images lists the pictures that are stored with a run, oldest first.
func Images(s Store, id string) (list []StoredImage, err error) {
	if _, err := s.run(id); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(s.path(id, "images"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !imageName().MatchString(e.Name()) {
			continue
		}
		image, err := Image(s, id, e.Name())
		if err != nil {
			return nil, err
		}
		info, err := e.Info()
		if err != nil {
			return nil, err
		}
		list = append(list, StoredImage{ID: e.Name(), MimeType: image.Type, Size: len(image.Data), CreatedAt: stamp.Time{Time: info.ModTime()}})
	}
	slices.SortStableFunc(list, func(a, b StoredImage) int { return a.CreatedAt.Compare(b.CreatedAt.Time) })
	return list, nil
}

// Image returns a picture that is stored with a run.
func Image(s Store, id, image string) (launch.Image, error) {
	if runNumber(id) == 0 || !imageName().MatchString(strings.ToLower(image)) {
		return launch.Image{}, fmt.Errorf("image %.40q: %w", image, ErrNoImage)
	}
	data, err := regular.ReadFile(filepath.Join(s.path(id, "images"), strings.ToLower(image)), MaxImage)
	if errors.Is(err, fs.ErrNotExist) {
		err = ErrNoImage
	}
	if err != nil {
		return launch.Image{}, fmt.Errorf("image %s: %w", image, err)
	}
	return CheckImage(data)
}
