package talk

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"

	"sesskeep/internal/catalog"
)

// The limits of RawLines.
const (
	maxRawLine  = 1 << 20 // bytes shown of one line
	maxRawLines = 8 << 20 // and of all lines
)

// RawLines reads at most limit lines of a transcript without their line ends, from a
// line number that counts from 1. It cuts very long lines. Next is the line to
// continue with, 0 at the end of the file. If the file is gone, the error is
// [errcode.NoHome].
func RawLines(ctx context.Context, t catalog.Target, from, limit int) (lines [][]byte, next int, err error) {
	f, err := t.Store.Files().Open(t.Ref.File)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	r := bufio.NewReaderSize(io.NewSectionReader(f, 0, info.Size()), 256<<10)
	size := 0
	for n := 1; ; n++ {
		if ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		most := 0
		if n >= from {
			most = maxRawLine
		}
		line, err := rawLine(r, most)
		if errors.Is(err, io.EOF) && len(line) == 0 {
			return lines, 0, nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, 0, err
		}
		if n < from {
			continue
		}
		if len(lines) == limit || size > maxRawLines {
			return lines, n, nil
		}
		lines = append(lines, line)
		size += len(line)
	}
}

// rawLine reads a line and returns its first bytes.
func rawLine(r *bufio.Reader, most int) (line []byte, err error) {
	for {
		piece, err := r.ReadSlice('\n')
		if room := most - len(line); room > 0 {
			line = append(line, piece[:min(len(piece), room)]...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimSuffix(line, []byte("\n")), err
		}
	}
}
