package vault

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"regexp"
	"sync"

	"sesskeep"
)

// A fork starts with the lines of the session it was made from, most often under
// the same uuids. Its frames are compressed against the piece of that session that
// holds them, which leaves about a hundredth of them. A base is always in the same
// folder, and its own frames have none.

var (
	forkedFrom = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`"forkedFrom":\{"sessionId":"([0-9a-f-]{36})","messageUuid":"([0-9a-f-]{36})"`)
	})
	lineUUID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"uuid":"([^"]{1,64})"`) })
)

// maxBase bounds a base.
const maxBase = 2 * frameSize

// forks knows which sessions of a home others were made from.
type forks struct {
	boxes *boxes

	mu    sync.Mutex
	roots map[sesskeep.ProjectKey]map[string]sesskeep.SessionID // by folder and first line
}

func newForks(boxes *boxes) *forks {
	return &forks{boxes: boxes, roots: map[sesskeep.ProjectKey]map[string]sesskeep.SessionID{}}
}

// rootOwner returns the session of a folder that was the first to start with a line. It
// is the session of the key if there was none.
func (s *forks) rootOwner(key boxKey, line string) sesskeep.SessionID {
	s.mu.Lock()
	roots, ok := s.roots[key.dir]
	s.mu.Unlock()
	if !ok {
		roots = s.readRoots(key.dir)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.roots[key.dir] = roots
	if roots[line] == "" {
		roots[line] = key.session
	}
	return roots[line]
}

// readRoots reads the lines that the sessions of a folder start with.
func (s *forks) readRoots(dir sesskeep.ProjectKey) map[string]sesskeep.SessionID {
	roots := map[string]sesskeep.SessionID{}
	keys, _ := s.boxes.layout.keysIn(dir) // without them forks are only larger
	for _, key := range keys {
		b, err := s.boxes.load(key)
		if err != nil {
			continue
		}
		if v := b.newest(mainName(key)); v != nil && len(v.frames) > 0 && v.frames[0].Base == nil && v.frames[0].Line != "" {
			roots[v.frames[0].Line] = key.session
		}
	}
	return roots
}

// baseFinder finds what the pieces of one transcript can be compressed against.
type baseFinder struct {
	forks    *forks
	reader   *reader
	key      boxKey             // of the box of the transcript
	searched map[*version]int64 // how far other transcripts were searched
}

func newBaseFinder(forks *forks, reader *reader, key boxKey) *baseFinder {
	return &baseFinder{forks, reader, key, map[*version]int64{}}
}

// find finds what a piece of a version, from an offset on, can be compressed against: its
// name and its bytes. They are nil if there is none.
func (s *baseFinder) find(v *version, from int64, piece []byte) (*base, []byte) {
	found := lineUUID().FindSubmatch(piece)
	if found == nil || v.name != mainName(s.key) {
		return nil, nil
	}
	line := string(found[1])
	key := boxKey{dir: s.key.dir}
	switch named := forkedFrom().FindSubmatch(piece); {
	case named != nil:
		key.session, line = sesskeep.SessionID(named[1]), string(named[2])
	case len(v.frames) > 0 && v.frames[0].Base != nil:
		key.session = v.frames[0].Base.Session
	case from == 0:
		key.session = s.forks.rootOwner(s.key, line)
	}
	for range 2 { // a fork of a fork has the lines of the first one
		if key.session == "" || key.session == s.key.session {
			break
		}
		next, b, data, err := s.baseIn(key, line, int64(len(piece)))
		if err != nil || b != nil {
			return b, data // without a base it is only larger
		}
		key.session = next
	}
	return nil, nil
}

// baseIn finds the piece of a session that holds the lines of another one. If that piece
// has a base itself, it returns the session of that base.
func (s *baseFinder) baseIn(key boxKey, line string, size int64) (next sesskeep.SessionID, _ *base, _ []byte, err error) {
	b, err := s.forks.boxes.load(key)
	if err != nil {
		return "", nil, nil, err
	}
	v := b.newest(mainName(key))
	if v == nil {
		return "", nil, nil, nil
	}
	f, err := s.reader.open(b, v)
	if err != nil {
		return "", nil, nil, err
	}
	defer f.Close()
	from, to, err := s.locate(f, v, line, size)
	if err != nil || to <= from {
		return "", nil, nil, err
	}
	for _, fr := range v.frames {
		if fr.Base != nil && fr.From < to && from < fr.From+fr.Size {
			return fr.Base.Session, nil, nil, nil
		}
	}
	data := make([]byte, to-from)
	if _, err := io.ReadFull(io.NewSectionReader(f, from, to-from), data); err != nil {
		return "", nil, nil, err
	}
	return "", &base{Dir: key.dir, Session: key.session, Version: v.number, From: from, Size: to - from, SHA256: sha256.Sum256(data)}, data, nil
}

// locate finds the range of a version that holds the lines of a piece of a size:
// from the one with a uuid on.
func (s *baseFinder) locate(f io.ReaderAt, v *version, line string, size int64) (from, to int64, err error) {
	at, err := indexOf(f, s.searched[v], v.size(), []byte(`"uuid":"`+line+`"`))
	if err != nil || at < 0 {
		s.searched[v] = v.size() // nor will what follows be there
		return 0, 0, err
	}
	s.searched[v] = at // the next piece comes later
	// The line starts a little earlier, and a fork's lines are longer.
	from = max(0, at-frameSize/16)
	return from, min(v.size(), at+size+frameSize/16, from+maxBase), nil
}

// indexOf finds a text in a file, from an offset on; -1 if it is not there.
func indexOf(f io.ReaderAt, from, size int64, text []byte) (int64, error) {
	window := make([]byte, frameSize/4)
	for at := from; at < size; at += int64(len(window) - len(text)) {
		n, err := f.ReadAt(window, at)
		if err != nil && !errors.Is(err, io.EOF) {
			return -1, err
		}
		if i := bytes.Index(window[:n], text); i >= 0 {
			return at + int64(i), nil
		}
		if n < len(window) {
			break
		}
	}
	return -1, nil
}

// base reads what a frame was compressed against.
func (r *reader) base(b *base) ([]byte, error) {
	if b == nil {
		return nil, nil
	}
	if b.Size > maxBase {
		return nil, ErrDamaged
	}
	parent, err := r.boxes.load(boxKey{b.Dir, b.Session})
	if err != nil {
		return nil, err
	}
	v, err := parent.version(b.Version)
	if err != nil {
		return nil, ErrDamaged
	}
	f, err := r.open(parent, v)
	if err != nil {
		return nil, damaged(err)
	}
	defer f.Close()
	data := make([]byte, b.Size)
	if _, err := io.ReadFull(io.NewSectionReader(f, b.From, b.Size), data); err != nil {
		return nil, damaged(err)
	}
	if digest(sha256.Sum256(data)) != b.SHA256 {
		return nil, ErrDamaged
	}
	return data, nil
}

// bases lists the versions that forks in a folder are compressed against, with the
// boxes of those forks.
func (s *forks) bases(dir sesskeep.ProjectKey) (map[base][]boxKey, error) {
	keys, err := s.boxes.layout.keysIn(dir)
	bases := map[base][]boxKey{}
	for _, key := range keys {
		b, err := s.boxes.load(key)
		if err != nil {
			return nil, err
		}
		seen := map[base]bool{}
		for _, f := range b.written {
			if f.Base == nil {
				continue
			}
			if of := (base{Dir: f.Base.Dir, Session: f.Base.Session, Version: f.Base.Version}); !seen[of] {
				seen[of] = true
				bases[of] = append(bases[of], key)
			}
		}
	}
	return bases, err
}

// basesOf returns the numbers of the versions of a box that forks are compressed against.
func (s *forks) basesOf(b *box) (map[int]bool, error) {
	if b.key == (boxKey{}) {
		return nil, nil
	}
	all, err := s.bases(b.key.dir)
	numbers := map[int]bool{}
	for of := range all {
		if of.Session == b.key.session {
			numbers[of.Version] = true
		}
	}
	return numbers, err
}
