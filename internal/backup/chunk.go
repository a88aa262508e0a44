package backup

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// chunkSize is the largest size of a chunk. Smaller chunks compress worse; of larger ones more
// has to be written again for a few new lines.
const chunkSize = 1 << 20

// smallChunk: when a file grew whose last chunk is smaller than this, that chunk is written
// again together with the new bytes. Otherwise a file that grows by lines would get a chunk
// for each backup.
const smallChunk = 128 << 10

// ID is the name of a chunk: the SHA-256 of its bytes.
type ID [sha256.Size]byte

func (id ID) String() string { return hex.EncodeToString(id[:8]) }

// IDs are the chunks of a file, in order.
type IDs []ID

// MarshalText writes all ids as one text.
func (ids IDs) MarshalText() ([]byte, error) {
	raw := make([]byte, 0, len(ids)*sha256.Size)
	for _, id := range ids {
		raw = append(raw, id[:]...)
	}
	return base64.RawStdEncoding.AppendEncode(nil, raw), nil
}

// UnmarshalText reads what MarshalText wrote.
func (ids *IDs) UnmarshalText(text []byte) error {
	raw, err := base64.RawStdEncoding.AppendDecode(nil, text)
	if err != nil {
		return err
	}
	if len(raw)%sha256.Size != 0 {
		return errors.New("a chunk has a short name")
	}
	*ids = make(IDs, len(raw)/sha256.Size)
	for i := range *ids {
		copy((*ids)[i][:], raw[i*sha256.Size:])
	}
	return nil
}

var encoder = sync.OnceValues(func() (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithWindowSize(chunkSize), zstd.WithEncoderCRC(false), zstd.WithLowerEncoderMem(true))
})

var decoder = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxList), zstd.WithDecoderMaxWindow(4*chunkSize))
})

// inflate decompresses a chunk and checks its bytes against its id.
func inflate(packed []byte, id ID, size int) ([]byte, error) {
	d, err := decoder()
	if err != nil {
		return nil, err
	}
	data, err := d.DecodeAll(packed, make([]byte, 0, size))
	if err != nil || sha256.Sum256(data) != id {
		return nil, fmt.Errorf("%w: chunk %v", ErrDamaged, id)
	}
	return data, nil
}
