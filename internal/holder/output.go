package holder

import (
	"os"

	"sesskeep/internal/launch"
	"sesskeep/internal/regular"
)

// output is what the client wrote: whole lines in a file, pieces of messages in
// memory. Callers hold the holder's lock.
type output struct {
	file   *os.File
	size   int64
	pieces []piece
	bytes  int   // of the pieces
	last   int64 // number of the newest piece
}

// piece is a part of a message that is being written. At is the log offset of the
// next whole line: everything before it was written earlier.
type piece struct {
	number int64
	at     int64
	line   []byte
}

// maxPieces bounds the bytes of pieces in memory.
const maxPieces = 4 << 20

func newOutput(path string) (*output, error) {
	f, err := regular.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	return &output{file: f}, nil
}

// add appends a line to the log. A line that cannot be written whole is removed
// again, so that the next one starts at the right offset.
func (o *output) add(l launch.Line) error {
	if l.Kind == launch.Partial {
		o.addPiece(l.Raw)
		return nil
	}
	line := append(l.Raw[:len(l.Raw):len(l.Raw)], '\n')
	if _, err := o.file.Write(line); err != nil {
		_ = o.file.Truncate(o.size) // a cut line at the end is no line
		return err
	}
	o.size += int64(len(line))
	return nil
}

func (o *output) addPiece(line []byte) {
	o.last++
	o.pieces = append(o.pieces, piece{o.last, o.size, line})
	o.bytes += len(line)
	drop := 0
	for o.bytes > maxPieces && drop < len(o.pieces) {
		o.bytes -= len(o.pieces[drop].line)
		o.pieces[drop].line = nil
		drop++
	}
	o.pieces = o.pieces[drop:]
}

// after returns the pieces with a greater number that belong at or before a log
// offset.
func (o *output) after(number, at int64) []piece {
	for i, p := range o.pieces {
		if p.number > number {
			end := i
			for end < len(o.pieces) && o.pieces[end].at <= at {
				end++
			}
			return append([]piece(nil), o.pieces[i:end]...)
		}
	}
	return nil
}
