package identity

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"sesskeep"
)

// How long ids are: they distinguish machines among all that ever meet, and homes
// among those of one user.
const (
	machineLen = 8
	homeLen    = 6
)

var alphabet = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

func drawMachine() sesskeep.MachineID {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return sesskeep.MachineID(alphabet.EncodeToString(b[:])[:machineLen])
}

// derive makes an id that is always the same for the same text.
func derive(kind, text string, length int) string {
	sum := sha256.Sum256([]byte(kind + "\x00" + text))
	return alphabet.EncodeToString(sum[:])[:length]
}

// freeID is the id of a new home. It follows the path it is first seen at, so
// that it is the same where nothing can be kept.
func (r *registry) freeID(path string) sesskeep.HomeID {
	text := path
	for n := 2; ; n++ {
		id := derive("home", text, homeLen)
		if !r.uses(id) {
			return sesskeep.HomeID(id)
		}
		text = path + "\x00" + strconv.Itoa(n)
	}
}

// freeName names a home after its directory: claude for ~/.claude. If that is in use,
// it adds the directory above, or else a number.
func (r *registry) freeName(path string) string {
	name := cleanName(filepath.Base(path))
	if name == "" {
		name = "home"
	}
	if !r.uses(name) {
		return name
	}
	if above := cleanName(filepath.Base(filepath.Dir(path)) + "-" + name); above != "" && !r.uses(above) {
		return above
	}
	for n := 2; ; n++ {
		suffix := "-" + strconv.Itoa(n)
		if next := name[:min(len(name), maxName-len(suffix))] + suffix; !r.uses(next) {
			return next
		}
	}
}

// uses reports whether a home has the word for its name or its id: an address
// may say either.
func (r *registry) uses(word string) bool {
	return slices.ContainsFunc(r.Homes, func(h home) bool { return h.Name == word || string(h.ID) == word })
}

// maxName is the longest name that sesskeep.ValidName takes.
const maxName = 32

// cleanName makes a valid name of a directory's or a host's, or returns "". Of a
// host only what stands before the domain counts.
func cleanName(text string) string {
	text = strings.TrimLeft(strings.ToLower(text), ".")
	text, _, _ = strings.Cut(text, ".")
	var b strings.Builder
	for _, c := range text {
		if 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '_' || c == '-' {
			b.WriteRune(c)
		} else {
			b.WriteByte('-')
		}
	}
	name := strings.TrimLeft(b.String(), "-_")
	name = strings.TrimRight(name[:min(len(name), maxName)], "-_")
	if !sesskeep.ValidName(name) {
		return ""
	}
	return name
}
