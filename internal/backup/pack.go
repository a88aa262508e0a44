package backup

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
)

// A pack begins with its kind. Every chunk follows an entry that describes it. All entries are
// repeated at the end, where a reader finds them at once; those before the chunks are used when
// the end is damaged.
const (
	packKind  = "sesskeep-pack/1\n"
	entrySize = 4 + sha256.Size + 4 + 4
	endSize   = 8 // number of entries, and endMark
)

var (
	entryMark = [4]byte{0xc3, 's', 'k', 0x96}
	endMark   = [4]byte{0xc3, 's', 'k', 0x97}
)

// packSize is the size at which a pack is full.
const packSize = 16 << 20

// entry says where in its pack a chunk is.
type entry struct {
	id     ID
	at     uint32 // offset of the compressed chunk in the pack
	packed uint32 // compressed size
	size   uint32 // size of the chunk
}

func (e entry) append(out []byte) []byte {
	out = append(out, entryMark[:]...)
	out = append(out, e.id[:]...)
	out = binary.BigEndian.AppendUint32(out, e.size)
	return binary.BigEndian.AppendUint32(out, e.packed)
}

// parseEntry reads an entry, and reports false if there is none.
func parseEntry(data []byte) (e entry, ok bool) {
	if len(data) < entrySize || !bytes.HasPrefix(data, entryMark[:]) {
		return e, false
	}
	copy(e.id[:], data[4:])
	e.size, e.packed = binary.BigEndian.Uint32(data[36:]), binary.BigEndian.Uint32(data[40:])
	return e, e.size <= chunkSize
}

// pack is a pack that is being filled.
type pack struct {
	data    []byte
	entries []entry
}

func newPack() *pack { return &pack{data: append(make([]byte, 0, packSize+chunkSize), packKind...)} }

func (p *pack) add(id ID, packed []byte, size int) {
	e := entry{id: id, packed: uint32(len(packed)), size: uint32(size)}
	p.data = e.append(p.data)
	e.at = uint32(len(p.data))
	p.data = append(p.data, packed...)
	p.entries = append(p.entries, e)
}

// bytes returns the whole pack.
func (p *pack) bytes() []byte {
	for _, e := range p.entries {
		p.data = e.append(p.data)
	}
	p.data = binary.BigEndian.AppendUint32(p.data, uint32(len(p.entries)))
	return append(p.data, endMark[:]...)
}

// nameOf returns the name under which bytes are stored.
func nameOf(stored []byte) string {
	sum := sha256.Sum256(stored)
	return hex.EncodeToString(sum[:16])
}

// readEntries returns the entries at the end of a pack.
func readEntries(r io.ReaderAt, size int64) ([]entry, error) {
	end := make([]byte, endSize)
	if size < int64(len(packKind))+endSize {
		return nil, fmt.Errorf("%w: it is too short", ErrDamaged)
	}
	if _, err := r.ReadAt(end, size-endSize); err != nil && err != io.EOF {
		return nil, err
	}
	n := int64(binary.BigEndian.Uint32(end))
	from := size - endSize - n*entrySize
	if !bytes.Equal(end[4:], endMark[:]) || from < int64(len(packKind)) {
		return nil, fmt.Errorf("%w: its end is missing", ErrDamaged)
	}
	data := make([]byte, n*entrySize)
	if _, err := r.ReadAt(data, from); err != nil && err != io.EOF {
		return nil, err
	}
	list := make([]entry, 0, n)
	at := int64(len(packKind))
	for ; len(data) > 0; data = data[entrySize:] {
		e, ok := parseEntry(data)
		at += entrySize
		e.at = uint32(at)
		at += int64(e.packed)
		if !ok || at > from {
			return nil, fmt.Errorf("%w: its list of chunks", ErrDamaged)
		}
		list = append(list, e)
	}
	return list, nil
}

// salvage finds chunks of a damaged pack by the entries before them.
func salvage(r io.ReaderAt, size int64) (list []entry) {
	data := make([]byte, size)
	for at := int64(0); at < size; at += salvageStep { // parts that cannot be read stay zero
		_, _ = r.ReadAt(data[at:min(at+salvageStep, size)], at)
	}
	for at := 0; ; {
		next := bytes.Index(data[at:], entryMark[:])
		if next < 0 {
			return list
		}
		at += next
		e, ok := parseEntry(data[at:])
		e.at = uint32(at + entrySize)
		if !ok || int64(e.at)+int64(e.packed) > size {
			at += len(entryMark)
			continue
		}
		if _, err := inflate(data[e.at:e.at+e.packed], e.id, int(e.size)); err == nil {
			list = append(list, e)
			at = int(e.at + e.packed)
			continue
		}
		at += len(entryMark)
	}
}

// salvageStep is how much age encrypts as one piece, which can only be read as a whole.
const salvageStep = 64 << 10
