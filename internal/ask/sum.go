package ask

import (
	"time"

	"sesskeep"
)

// Sum is the messages of one transcript that are alike in everything that decides
// their price.
type Sum struct {
	Location  *Location // without the fields that come from its project and its row
	Model     string
	Day       int64          // UTC days since 1970; Undated: the messages have no time
	Band      int            // how many of SumBounds the prompts are longer than
	Sidechain bool           // as in Message
	Call      bool           // as in Message
	Usage     sesskeep.Usage // of all of them
	Messages  int
	Last      int64 // when the last one was written, in milliseconds since 1970
	Context   int64 // tokens that the model had before it then; of calls beside answers none
}

// SumBounds are the lengths of prompts, in tokens, at which a price can change.
// For prices that change elsewhere, read the messages instead.
var SumBounds = []int64{100_000, 200_000}

// Undated is the Day of messages without a time.
const Undated = -1 << 40

// ByAgent is as that of a Message.
func (s *Sum) ByAgent() bool { return s.Sidechain || s.Location.ID != s.Location.Session }

// BandOf is the band of a prompt of so many tokens.
func BandOf(tokens int64) (band int) {
	for band < len(SumBounds) && tokens > SumBounds[band] {
		band++
	}
	return band
}

// DayOf is the day of a moment in milliseconds since 1970.
func DayOf(ms int64) int64 {
	if ms <= NoTime {
		return Undated
	}
	const day = 24 * int64(time.Hour/time.Millisecond)
	if ms < 0 {
		return (ms - day + 1) / day
	}
	return ms / day
}

// SumOf is one message as a sum.
func SumOf(m *Message) Sum {
	context := m.Usage.Context()
	s := Sum{
		Location: m.Location, Model: m.Model, Day: DayOf(m.At), Band: BandOf(context), Sidechain: m.Sidechain, Call: m.Call, Usage: m.Usage,
		Messages: 1, Last: m.At, Context: context,
	}
	if m.Call { // these belong to the answer that the call was made for
		s.Last, s.Context = 0, 0
	}
	return s
}

// Add adds the messages of t.
func (s *Sum) Add(t *Sum) {
	s.Usage, s.Messages = s.Usage.Add(t.Usage), s.Messages+t.Messages
	if t.Last >= s.Last {
		s.Last, s.Context = t.Last, t.Context
	}
}
