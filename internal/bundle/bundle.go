// Package bundle packs a session with everything that belongs to it into one
// file, and unpacks such a file.
//
// A bundle is a gzipped tar archive that any tool can open: first manifest.json,
// which names every file with its size and hash, then the files in that order. It
// holds the very bytes of the files, so whatever secret was said or read in the
// session is in it.
//
// What is unpacked comes from a stranger. A name that leads out of the home, that
// is no part of a session, or that is on the deny-list is refused, and so is
// anything that is no plain file. The number of files, their sizes and the ratio to what was
// read are bounded, and every byte is checked against its hash. Nothing is
// unpacked under a name of the bundle: the files get numbers, and the caller that
// puts them in their places decides where that is.
package bundle

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"sesskeep"
	"sesskeep/homefs"
)

// format is the first word of a manifest.
const format = "sesskeep-bundle/1"

const (
	manifestName = "manifest.json"
	filesDir     = "files/"
)

// Manifest says what is in a bundle.
type Manifest struct {
	Format  string              `json:"format"`
	Session sesskeep.SessionID  `json:"sessionId"`
	Dir     sesskeep.ProjectKey `json:"dirName"`               // the project's directory
	Project string              `json:"projectPath,omitempty"` // its working directory, where that is known
	Title   string              `json:"title,omitempty"`
	Created time.Time           `json:"createdAt"`
	Files   []File              `json:"files"`
}

// File is one file of the session.
type File struct {
	Name     string    `json:"name"` // inside the home
	Size     int64     `json:"fileSize"`
	SHA256   string    `json:"sha256"`
	Modified time.Time `json:"modifiedAt"`
}

// Size adds up the files.
func (m *Manifest) Size() int64 {
	var n int64
	for _, f := range m.Files {
		n += f.Size
	}
	return n
}

// Limits bound what is unpacked. A limit of zero means the default beside it.
type Limits struct {
	Files int   // 100,000
	Bytes int64 // 20 GiB
	Ratio int64 // 200 bytes out for each that is read
	Depth int   // 16 names in a path
}

func (l Limits) orUsual() Limits {
	if l.Files == 0 {
		l.Files = 100_000
	}
	if l.Bytes == 0 {
		l.Bytes = 20 << 30
	}
	if l.Ratio == 0 {
		l.Ratio = 200
	}
	if l.Depth == 0 {
		l.Depth = 16
	}
	return l
}

// ErrInvalid says that a file is no bundle, or a damaged or a hostile one.
var ErrInvalid = errors.New("not a bundle that can be trusted")

func invalid(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrInvalid, fmt.Sprintf(format, args...))
}

// check refuses a manifest that no session could have.
func (m *Manifest) check(l Limits) error {
	switch {
	case m.Format != format:
		return invalid("its format is %q", m.Format)
	case !sesskeep.IsUUID(string(m.Session)):
		return invalid("%q is no id of a session", m.Session)
	case !plainName(string(m.Dir)):
		return invalid("%q is no directory of a project", m.Dir)
	case len(m.Files) > l.Files:
		return invalid("more than %d files", l.Files)
	}
	var total int64
	seen := map[string]bool{}
	for _, f := range m.Files {
		if total += max(0, f.Size); f.Size < 0 || f.Size > l.Bytes || total > l.Bytes {
			return invalid("more than %d bytes", l.Bytes)
		}
		if err := m.checkName(f.Name, l); err != nil {
			return err
		}
		folded := strings.ToLower(f.Name) // some file systems ignore case
		if seen[folded] {
			return invalid("two files are called %q", f.Name)
		}
		seen[folded] = true
	}
	if !seen[strings.ToLower(m.main())] {
		return invalid("the transcript is not in it")
	}
	return nil
}

func (m *Manifest) main() string {
	return path.Join("projects", string(m.Dir), string(m.Session)+".jsonl")
}

// checkName refuses what is no file of the session.
func (m *Manifest) checkName(name string, l Limits) error {
	parts := strings.Split(name, "/")
	switch {
	case len(name) > 1024 || len(parts) > l.Depth:
		return invalid("%.80q is too long or too deep", name)
	case !filepath.IsLocal(filepath.FromSlash(name)) || path.Clean(name) != name:
		return invalid("%q leads somewhere else", name)
	case homefs.Denied(name):
		return invalid("%q is a secret", name)
	}
	for _, part := range parts {
		if !plainName(part) {
			return invalid("%q has a name that is not allowed", name)
		}
	}
	if !m.owns(parts) {
		return invalid("%q is no part of session %s", name, m.Session)
	}
	return nil
}

// owns reports whether a path is one that a session of that id can have.
func (m *Manifest) owns(parts []string) bool {
	id := string(m.Session)
	last := parts[len(parts)-1]
	switch parts[0] {
	case "projects":
		switch {
		case len(parts) < 3 || parts[1] != string(m.Dir):
			return false
		case len(parts) == 3:
			return last == id+".jsonl" || strings.HasPrefix(last, "agent-") && strings.HasSuffix(last, ".jsonl")
		}
		return parts[2] == id
	case "tasks", "file-history", "image-cache", "uploads":
		return len(parts) > 2 && parts[1] == id
	case "todos":
		return len(parts) == 2 && strings.HasPrefix(last, id+"-agent-") && strings.HasSuffix(last, ".json")
	case "debug":
		return len(parts) == 2 && last == id+".txt"
	case "plans":
		return len(parts) == 2 && strings.HasSuffix(last, ".md") && last != ".md"
	}
	return false
}

// plainName reports whether a name can stand for one file or directory, on every
// system.
func plainName(name string) bool {
	if name == "" || name == "." || name == ".." || len(name) > 255 || !utf8.ValidString(name) {
		return false
	}
	return strings.IndexFunc(name, func(r rune) bool {
		return r == '/' || r == '\\' || r == ':' || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
	}) < 0
}
