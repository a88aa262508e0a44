package vault

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// frameSize is how much of a file goes into one frame. Smaller ones compress
// worse: 1.8 at 2 KiB, 3.2 at 1 MiB. A reader decompresses a whole one.
const frameSize = 1 << 20

// transactionFrames is how many frames of one file a transaction copies, so that other
// processes do not wait long for the lock.
const transactionFrames = 32

// encoder compresses at the fastest level: the next one takes 1.8 times as long and makes
// copies that are 6 % smaller.
var encoder = sync.OnceValues(func() (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithWindowSize(frameSize), zstd.WithEncoderCRC(false), zstd.WithLowerEncoderMem(true),
		zstd.WithEncoderLevel(zstd.SpeedFastest))
})

var decoder = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderMaxMemory(4*frameSize), zstd.WithDecoderMaxWindow(4*frameSize))
})

// compress appends a frame to out that holds data, which is compressed against
// base if that is not empty.
func compress(out, data, base []byte) ([]byte, error) {
	if len(base) == 0 {
		e, err := encoder()
		if err != nil {
			return nil, err
		}
		return e.EncodeAll(data, out), nil
	}
	e, err := zstd.NewWriter(nil, zstd.WithWindowSize(4*frameSize), zstd.WithEncoderCRC(false),
		zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderDictRaw(baseID, base))
	if err != nil {
		return nil, err
	}
	defer e.Close()
	return e.EncodeAll(data, out), nil
}

// baseID is the id of every base: the decoder refuses a frame without its base.
const baseID = 1

// decompress returns what is in a frame.
func decompress(data, base []byte, size int64) ([]byte, error) {
	d, err := decoder()
	if len(base) > 0 {
		d, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderDictRaw(baseID, base),
			zstd.WithDecoderMaxMemory(4*frameSize), zstd.WithDecoderMaxWindow(8*frameSize))
		if err == nil {
			defer d.Close()
		}
	}
	if err != nil {
		return nil, err
	}
	out, err := d.DecodeAll(data, make([]byte, 0, size))
	if err == nil && int64(len(out)) != size {
		err = fmt.Errorf("holds %d bytes and should hold %d", len(out), size)
	}
	return out, err
}

// lineEnd is where the last line of a piece ends. A line that fills the whole
// piece is cut.
func lineEnd(piece []byte) int {
	if i := bytes.LastIndexByte(piece, '\n'); i >= 0 {
		return i + 1
	}
	return len(piece)
}
