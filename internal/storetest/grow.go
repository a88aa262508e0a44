package storetest

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// Append adds lines to a file the way the client does: one write of whole
// lines to a file opened for appending. The file is created if missing.
func Append(tb testing.TB, path string, lines ...string) {
	tb.Helper()
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(line)
		b.WriteByte('\n')
	}
	AppendBytes(tb, path, []byte(b.String()))
}

// AppendBytes adds data as it is, so that a line can arrive in pieces.
func AppendBytes(tb testing.TB, path string, data []byte) {
	tb.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		tb.Fatal(err)
	}
	if _, err := f.Write(data); err != nil {
		f.Close()
		tb.Fatal(err)
	}
	if err := f.Close(); err != nil {
		tb.Fatal(err)
	}
}

// Pieces cuts data at random places, inside lines and inside runes too. No
// piece is empty or longer than maxPiece, and joined they are data again.
func Pieces(rng *rand.Rand, data []byte, maxPiece int) [][]byte {
	if maxPiece < 1 {
		maxPiece = 1
	}
	var pieces [][]byte
	for len(data) > 0 {
		n := min(1+rng.IntN(maxPiece), len(data))
		pieces = append(pieces, data[:n:n])
		data = data[n:]
	}
	return pieces
}
