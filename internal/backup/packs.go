package backup

import (
	"errors"
	"fmt"
	"io"
	"path"
	"sync"
)

// packs knows the packs of a repository and where the chunks are.
type packs struct {
	mu     sync.Mutex
	names  []string
	chunks map[ID]location
	loaded bool
	failed map[string]error // packs whose list of chunks could not be read

	open   map[string]openPack
	recent []string // names of open packs, in the order in which they were opened
}

// location says where a chunk is. A negative pack is the one that is being filled.
type location struct {
	pack             int32
	at, packed, size uint32
}

// openPack is a pack that is open for reading.
type openPack struct {
	io.ReaderAt
	size int64
	file stored
}

// maxOpen bounds how many packs are open at a time.
const maxOpen = 16

// load reads the entries of all packs.
func (r *Repository) load() error {
	p := &r.packs
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.loaded {
		return nil
	}
	names, err := r.store.list(packsDir)
	if err != nil {
		return err
	}
	p.chunks, p.failed, p.names = map[ID]location{}, map[string]error{}, nil
	for _, name := range names {
		entries, err := r.entries(name)
		if err != nil {
			p.failed[name] = err
		}
		p.add(name, entries)
	}
	p.loaded = true
	return nil
}

// add adds the chunks of a pack that is stored.
func (p *packs) add(name string, entries []entry) {
	n := int32(len(p.names))
	p.names = append(p.names, name)
	for _, e := range entries {
		if old, ok := p.chunks[e.id]; !ok || old.pack < 0 {
			p.chunks[e.id] = location{n, e.at, e.packed, e.size}
		}
	}
}

// entries returns the entries of a pack. If the pack is damaged it returns those of intact
// chunks with an error.
func (r *Repository) entries(name string) ([]entry, error) {
	f, err := r.openPack(name)
	if err != nil {
		return nil, err
	}
	defer f.file.Close()
	entries, err := readEntries(f, f.size)
	if err != nil {
		return salvage(f, f.size), err
	}
	return entries, nil
}

func (r *Repository) openPack(name string) (openPack, error) {
	f, err := r.store.open(path.Join(packsDir, name))
	if err != nil {
		return openPack{}, err
	}
	at, size, err := r.crypt.reader(f, f.size)
	if err != nil {
		return openPack{}, errors.Join(err, f.Close())
	}
	return openPack{at, size, f}, nil
}

// chunk reads a chunk.
func (r *Repository) chunk(id ID) ([]byte, error) {
	p := &r.packs
	p.mu.Lock()
	at, ok := p.chunks[id]
	p.mu.Unlock()
	if !ok || at.pack < 0 {
		return nil, fmt.Errorf("%w: chunk %v is missing", ErrDamaged, id)
	}
	packed := make([]byte, at.packed)
	if err := r.readPack(p.names[at.pack], packed, int64(at.at)); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrDamaged, path.Join(packsDir, p.names[at.pack]), err)
	}
	data, err := inflate(packed, id, int(at.size))
	if err != nil {
		err = fmt.Errorf("%w in %s", err, path.Join(packsDir, p.names[at.pack]))
	}
	return data, err
}

// readPack reads from a pack, and leaves it open for the next chunk.
func (r *Repository) readPack(name string, data []byte, at int64) error {
	p := &r.packs
	p.mu.Lock()
	defer p.mu.Unlock()
	f, ok := p.open[name]
	if !ok {
		var err error
		if f, err = r.openPack(name); err != nil {
			return err
		}
		p.remember(name, f)
	}
	_, err := f.ReadAt(data, at)
	if errors.Is(err, io.EOF) {
		err = nil // the hash of the chunk shows whether it is whole
	}
	return err
}

// remember keeps a pack open, and closes the one that was opened first if too many are open.
func (p *packs) remember(name string, f openPack) {
	if p.open == nil {
		p.open = map[string]openPack{}
	}
	if len(p.recent) == maxOpen {
		_ = p.open[p.recent[0]].file.Close() // it was only read
		delete(p.open, p.recent[0])
		p.recent = p.recent[1:]
	}
	p.open[name] = f
	p.recent = append(p.recent, name)
}

func (p *packs) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, f := range p.open {
		_ = f.file.Close() // it was only read
	}
	p.open, p.recent = nil, nil
}
