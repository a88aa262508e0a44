package demo

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/big"
	"slices"
	"time"

	"sesskeep/internal/clientline"
)

// fields is a JSON object that keeps its order: a name, its value, and so on.
type fields []any

// MarshalJSON writes the object as the client's JSON.stringify would.
func (f fields) MarshalJSON() ([]byte, error) {
	return clientline.Object(f).MarshalJSON()
}

// index is where the value of name stands, or -1.
func (f fields) index(name string) int {
	for i := 0; i+1 < len(f); i += 2 {
		if f[i] == name {
			return i + 1
		}
	}
	return -1
}

// with is a copy in which name has another value. A new name goes to the end.
func (f fields) with(name string, value any) fields {
	f = slices.Clone(f)
	if i := f.index(name); i >= 0 {
		f[i] = value
		return f
	}
	return append(f, name, value)
}

// text is the value of name if it is a string.
func (f fields) text(name string) string {
	if i := f.index(name); i >= 0 {
		s, _ := f[i].(string)
		return s
	}
	return ""
}

// stamp is a time as the client writes it.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// ids makes identifiers that look random and are the same every time.
type ids struct {
	seed string
	n    int
}

func (g *ids) sum() [32]byte {
	g.n++
	return sha256.Sum256(fmt.Appendf(nil, "%s/%d", g.seed, g.n))
}

// uuid is a version 4 UUID.
func (g *ids) uuid() string {
	b := g.sum()
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[0:4], b[4:6], b[6:8], b[8:10], b[10:16])
}

func (g *ids) hex(n int) string {
	b := g.sum()
	return hex.EncodeToString(b[:])[:n]
}

// token is an identifier of the API: a prefix and 22 letters and digits.
func (g *ids) token(prefix string) string {
	b := g.sum()
	return prefix + new(big.Int).SetBytes(b[:]).Text(62)[:22]
}

// between is a number from low to high.
func (g *ids) between(low, high int) int {
	b := g.sum()
	return low + (int(b[0])<<8|int(b[1]))%(high-low+1)
}

// signature is what the API puts beside a thinking block.
func (g *ids) signature(size int) string {
	var b []byte
	for len(b) < size {
		sum := g.sum()
		b = append(b, sum[:]...)
	}
	return base64.StdEncoding.EncodeToString(b[:size])
}
