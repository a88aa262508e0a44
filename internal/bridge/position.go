package bridge

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"

	"sesskeep"
	"sesskeep/internal/holder"
)

// position is where a streamed message stands in the log of its run: the offset of its
// line, and which message of that line it is. A message that is in no line, such as a
// state, stands before the line at its offset; serial tells several of them apart.
//
// The id of a message is its position, written as a UUID of version 8 (RFC 9562): so
// every server finds what follows a message, and keeps no list of what it sent.
//
//	48 bits  the run: a hash of its id and of when it was made
//	12 bits  index, or a part of serial
//	 1 bit   1: before the line
//	45 bits  offset
//	16 bits  a checksum, so that a foreign UUID is not taken for a position
type position struct {
	offset int64
	index  int // of the message in its line
	before bool
}

// maxIndex is the last index that an id can have. A line with more messages has the last
// ones under one id, and a client that missed any of them gets all of them again.
const maxIndex = 1<<12 - 1

// offsetBits is how many bits an offset has.
const offsetBits = 45

// runHash identifies a run in ids.
func runHash(r *holder.Run) [6]byte {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", r.ID, r.CreatedAt.UnixMilli()))
	return [6]byte(sum[:6])
}

// id returns the id of the message at a position.
func (p position) id(run [6]byte) string {
	var b [16]byte
	copy(b[:6], run[:])
	binary.BigEndian.PutUint16(b[6:], 0x8000|uint16(min(p.index, maxIndex)))
	rest := uint64(p.offset) << 16
	if p.before {
		rest |= 1 << 61
	}
	binary.BigEndian.PutUint64(b[8:], 2<<62|rest)
	sum := sha256.Sum256(b[:])
	copy(b[14:], sum[:2])
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// parsePosition returns the position that an id names in a run, and whether it names one.
func parsePosition(id string, run [6]byte) (p position, ok bool) {
	if !sesskeep.IsUUID(id) {
		return p, false
	}
	b, err := hex.DecodeString(strings.ReplaceAll(id, "-", ""))
	if err != nil || len(b) != 16 || [6]byte(b[:6]) != run {
		return p, false
	}
	rest := binary.BigEndian.Uint64(b[8:])
	p = position{
		offset: int64(rest >> 16 & (1<<offsetBits - 1)),
		index:  int(binary.BigEndian.Uint16(b[6:]) & maxIndex),
		before: rest>>61&1 == 1,
	}
	return p, strings.EqualFold(p.id(run), id)
}
