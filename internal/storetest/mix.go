package storetest

import "math"

// part says what bytes of a line are for.
type part int

const (
	envelope part = iota // all that has no part of its own
	useResult
	toolResult
	progress
	signature
	usage
	toolInput
	answer
	thinking
	prompt
	other // metadata lines, bodies of attachments
	nparts
)

// share is the part of all bytes each part has in real transcripts, in percent.
var share = [nparts]float64{
	envelope: 18.5, useResult: 35, toolResult: 13, progress: 13, signature: 6.6,
	usage: 4.5, toolInput: 3.6, answer: 1.4, thinking: 0.8, prompt: 0.4, other: 3.2,
}

// mix steers what is written towards the shares. Envelopes follow from the
// format alone, so every other part is measured against them.
type mix struct {
	have [nparts]float64
}

func (m *mix) count(parts *[nparts]int) {
	for p, n := range parts {
		m.have[p] += float64(n)
	}
}

// want is how many bytes of p there should be by now.
func (m *mix) want(p part) float64 {
	return m.have[envelope] * share[p] / share[envelope]
}

// lacks reports whether p is behind its share.
func (m *mix) lacks(p part) bool { return m.have[p] < m.want(p) }

// factor is what a size drawn for p is multiplied with: above one when p is
// behind. It is damped, so that sizes keep their spread.
func (m *mix) factor(ps ...part) float64 {
	const calm = 200 << 10
	have, want := float64(calm), float64(calm)
	for _, p := range ps {
		have += m.have[p]
		want += m.want(p)
	}
	f := want / have
	return math.Min(3, math.Max(0.25, f*f*f))
}
