package usage

import (
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
)

func unpack(raw []byte) ([]sesskeep.UsageRow, error) {
	var p Unpacker
	var m ask.Message
	var list []sesskeep.UsageRow
	err := p.Messages(raw, &m, func() {
		list = append(list, sesskeep.UsageRow{Model: m.Model, Time: time.UnixMilli(m.At), Sidechain: m.Sidechain, Usage: m.Usage})
	})
	return list, err
}

// What is packed comes out again; what is cut or changed is an error or other
// messages, and never worse.
func TestPackedUsage(t *testing.T) {
	rows := []sesskeep.UsageRow{
		{Model: "claude-opus-5-5", Time: time.UnixMilli(1763200000123), Usage: sesskeep.Usage{Input: 1, Output: 2, CacheRead: 3, CacheWrite5m: 4, CacheWrite1h: 5, WebSearches: 6}},
		{Model: "", Time: time.UnixMilli(ask.NoTime), Sidechain: true, Usage: sesskeep.Usage{Output: maxTokens, Fast: true, Batch: true, USOnly: true}},
		{Model: "claude-opus-5-5", Time: time.UnixMilli(-5)},
	}
	raw := Pack(rows)
	got, err := unpack(raw)
	if err != nil || !reflect.DeepEqual(got, rows) {
		t.Errorf("unpacked %+v (%v), want %+v", got, err, rows)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		bad := append([]byte{}, raw[:rng.IntN(len(raw)+1)]...)
		for range rng.IntN(3) {
			if len(bad) > 0 {
				bad[rng.IntN(len(bad))] = byte(rng.Uint32())
			}
		}
		_, _ = unpack(bad)

	}
}

// Counters of a damaged file do not make a sum overflow.
func TestBounded(t *testing.T) {
	u := Bounded(sesskeep.Usage{Input: -1, Output: 1 << 62, CacheRead: 7})
	if want := (sesskeep.Usage{Output: maxTokens, CacheRead: 7}); u != want {
		t.Errorf("bounded = %+v, want %+v", u, want)
	}
}

// What is packed comes out again, and damage is an error or another sum.
func TestPackedSums(t *testing.T) {
	rows := []sesskeep.UsageRow{
		{Model: "a", Time: time.UnixMilli(1763200000123), Usage: sesskeep.Usage{Input: 250_000, Output: 2, Fast: true}},
		{Model: "a", Time: time.UnixMilli(1763200000124), Usage: sesskeep.Usage{Input: 250_001, Output: 3, Fast: true}},
		{Model: "", Time: time.UnixMilli(ask.NoTime), Sidechain: true, Usage: sesskeep.Usage{Output: maxTokens, Batch: true, USOnly: true}},
		{Model: "b", Time: time.UnixMilli(-5), Usage: sesskeep.Usage{CacheRead: 3, WebSearches: 1}},
	}
	raw := PackSums(SumUp(rows))
	var got []ask.Sum
	var s ask.Sum
	if err := new(Unpacker).sums(raw, &s, func() { got = append(got, s) }); err != nil || len(got) != 3 {
		t.Fatalf("%+v, %v", got, err)
	}
	for i, want := range SumUp(rows) {
		if got[i] != want {
			t.Errorf("%+v, want %+v", got[i], want)
		}
	}
	if first := got[0]; first.Messages != 2 || first.Band != 2 || first.Context != 250_001 || first.Usage.Output != 5 || got[1].Day != ask.Undated || got[2].Day != -1 {
		t.Errorf("%+v", got)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		bad := append([]byte{}, raw[:rng.IntN(len(raw)+1)]...)
		for range rng.IntN(3) {
			if len(bad) > 0 {
				bad[rng.IntN(len(bad))] = byte(rng.Uint32())
			}
		}
		_ = new(Unpacker).sums(bad, &s, func() {})
	}
}
