package storetest

import (
	"math"
	"time"
)

// message is one answer of the model. Every block of it is a row of its own.
type message struct {
	id, req, ref, model string
	stop                string
	use                 Usage
	think               int64 // thinking tokens
	index, blocks       int
}

// newMessage starts an answer of so many blocks and counts its usage.
func (k *talk) newMessage(blocks int, stop string) *message {
	s := k.s
	m := &message{
		id: s.id("msg_01", 22), req: s.id("req_011", 21), ref: s.uuid(), model: k.c.model,
		stop: stop, blocks: blocks,
	}
	m.use = Usage{
		Input:     int64(1 + s.rng.IntN(40)),
		Output:    int64(40 + s.size(300, 1)),
		CacheRead: int64(8000 + s.rng.IntN(120000)),
	}
	m.use.CacheCreation = int64(s.size(900, 1))
	if k.c.era >= era21 && s.rng.IntN(3) == 0 {
		m.use.Cache1h = m.use.CacheCreation
	} else {
		m.use.Cache5m = m.use.CacheCreation
	}
	if k.c.era <= era20 {
		m.use.Cache5m, m.use.Cache1h = 0, 0 // these clients do not split it
	}
	k.counted(m.model, m.use)
	k.lastID = m.id
	return m
}

// counted adds a message that no other file has had before.
func (k *talk) counted(model string, u Usage) {
	k.truth.Usage.add(u)
	if !k.inline() {
		k.truth.AssistantMessages++
	}
	if k.truth.FirstModel == "" && !k.inline() {
		k.truth.FirstModel = model
	}
	sum := k.s.models[model]
	sum.add(u)
	k.s.models[model] = sum
	k.s.messages++
}

// block writes one row of m; body writes the content block. It returns the
// row's id.
func (k *talk) block(m *message, body func()) string {
	k.open(k.tip)
	k.member("")
	k.raw(`,"message":{"id":"`)
	k.raw(m.id)
	k.raw(`","type":"message","role":"assistant","model":"`)
	k.raw(m.model)
	k.raw(`","content":[`)
	body()
	k.raw(`],"stop_reason":`)
	last := m.index == m.blocks-1
	if last || k.c.final() {
		k.str(m.stop)
	} else {
		k.raw("null")
	}
	k.raw(`,"stop_sequence":null,"usage":`)
	from := len(k.b)
	k.usage(m, last)
	k.is(usage, from)
	if k.c.era == eraNow {
		k.raw(`,"stop_details":null`)
	}
	k.raw(`}`)
	id := k.closeBlock(m)
	m.index++
	return id
}

func (k *talk) closeBlock(m *message) string {
	now := k.c.era == eraNow
	if now {
		k.kn("apiBlockIndex", int64(m.index))
	}
	k.kv("requestId", m.req)
	if now {
		k.kv("requestRef", m.ref)
		k.kv("requestedModel", m.model)
		k.raw(`,"promptCacheRequested":"5m"`)
	}
	k.raw(`,"type":"assistant"`)
	id := k.stamp()
	if now {
		k.raw(`,"effort":"medium","perTurnEffort":"medium","madeBy":"model"`)
	}
	k.shut(id, envelope)
	if !k.inline() {
		k.truth.AssistantLines++
	}
	return id
}

// usage writes the usage of m. Before the last block older clients write what
// they know so far: fewer output tokens.
func (k *talk) usage(m *message, last bool) {
	u := m.use
	if !last && !k.c.final() {
		u.Output = max(1, u.Output*int64(m.index+1)/int64(4*m.blocks))
	}
	k.raw(`{"input_tokens":`)
	k.num(u.Input)
	k.kn("cache_creation_input_tokens", u.CacheCreation)
	k.kn("cache_read_input_tokens", u.CacheRead)
	if k.c.era == era207 || k.c.era == era21 {
		k.split(u)
	}
	k.kn("output_tokens", u.Output)
	if k.c.era == eraNow {
		k.raw(`,"output_tokens_details":{"thinking_tokens":`)
		k.num(m.think)
		k.raw(`},"server_tool_use":{"web_search_requests":0,"web_fetch_requests":0}`)
	}
	k.raw(`,"service_tier":"standard"`)
	switch k.c.era {
	case era21:
		k.raw(`,"inference_geo":"not_available"`)
	case eraNow:
		k.split(u)
		k.raw(`,"inference_geo":"","iterations":[],"speed":"standard","fallback_credit":null`)
	}
	k.raw(`}`)
}

func (k *talk) split(u Usage) {
	k.raw(`,"cache_creation":{"ephemeral_5m_input_tokens":`)
	k.num(u.Cache5m)
	k.kn("ephemeral_1h_input_tokens", u.Cache1h)
	k.raw(`}`)
}

// think writes a thinking block. Newer clients keep only its signature.
func (k *talk) think(m *message) {
	s := k.s
	k.block(m, func() {
		k.raw(`{"type":"thinking","thinking":`)
		n := 0
		if !k.c.hidden() || s.rng.IntN(12) == 0 {
			n = int(float64(s.size(350, 0.9)) * s.mix.factor(thinking))
		}
		if n > 0 {
			k.say(thinking, inThinking, n, s.prose)
		} else {
			k.raw(`""`)
		}
		k.raw(`,"signature":"`)
		from := len(k.b)
		k.b = s.base64(k.b, int(float64(s.size(1000, 0.7))*s.mix.factor(signature))&^3)
		k.is(signature, from)
		k.raw(`"}`)
	})
}

// write writes a text block.
func (k *talk) write(m *message, spot string) {
	n := int(float64(k.s.size(220, 0.9)) * k.s.mix.factor(answer))
	k.block(m, func() {
		k.raw(`{"type":"text","text":`)
		k.say(answer, spot, n, k.s.prose)
		k.raw(`}`)
	})
}

// failed writes what the client makes up when the service does not answer.
func (k *talk) failed() {
	k.system("api_error", "", `,"error":{"status":529,"type":"overloaded_error"},"retryInMs":612.4,"retryAttempt":1,"maxRetries":10`)
	m := &message{id: k.s.uuid(), req: k.s.id("req_011", 21), ref: k.s.uuid(), model: "<synthetic>", stop: "stop_sequence", blocks: 1}
	k.counted(m.model, m.use)
	k.block(m, func() { k.raw(`{"type":"text","text":"API Error: 529 overloaded"}`) })
}

// size draws a length with the given median and spread.
func (s *shard) size(median, sigma float64) int {
	n := median * math.Exp(sigma*s.rng.NormFloat64())
	return int(math.Min(math.Max(n, 8), float64(s.longest)))
}

// pause is the time a person takes between turns.
const pause = 10 * time.Minute
