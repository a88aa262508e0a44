package storetest

import (
	"bytes"
	"os"
	"path/filepath"
)

// chain returns the rows of the first n lines of a transcript already written.
func (s *shard) chain(name string, n int) [][]byte {
	data, err := os.ReadFile(filepath.Join(s.dir, filepath.FromSlash(name)))
	s.fail(err)
	var rows [][]byte
	for line := range bytes.Lines(data) {
		if n--; n < 0 {
			break
		}
		if bytes.HasPrefix(line, []byte(`{"parentUuid":`)) && bytes.HasSuffix(line, []byte("}\n")) {
			rows = append(rows, line)
		}
	}
	return rows
}

// repeat writes a row of another file.
func (f *file) repeat(row []byte) {
	f.b = append(f.b[:0], row...)
	f.flush()
	f.truth.Entries++
}

// inherit takes over the counts of the rows up to a checkpoint.
func (f *file) inherit(c checkpoint) {
	t := c.truth
	f.truth.Prompts += t.Prompts
	f.truth.CustomCommands += t.CustomCommands
	f.truth.QueuedPrompts += t.QueuedPrompts
	f.truth.UserLines += t.UserLines
	f.truth.AssistantLines += t.AssistantLines
	f.truth.AssistantMessages += t.AssistantMessages
	f.truth.InlineAgents += t.InlineAgents
	f.truth.Usage.add(t.Usage)
	f.truth.FirstModel = t.FirstModel
	f.truth.FirstTime = t.FirstTime
	if t.LastTime.After(f.truth.LastTime) {
		f.truth.LastTime = t.LastTime
	}
}

// copyFrom makes the session a fork: the rows of the other one up to the end
// of a turn, with its own session id and the same row and message ids.
func (k *session) copyFrom(p *sessionPlan) {
	c := p.checks[k.s.rng.IntN(len(p.checks))]
	from, to := []byte(`"sessionId":"`+p.id+`"`), []byte(`"sessionId":"`+k.sid+`"`)
	for _, row := range k.s.chain(p.name(), c.truth.Lines) {
		row = bytes.ReplaceAll(row, from, to)
		if k.p.forkedFrom {
			row = markFork(row, p.id)
		}
		k.repeat(row)
	}
	k.inherit(c)
	k.truth.ForkOf = p.name()
	k.tip = c.tip
	if c.at.After(k.at) {
		k.at = c.at
	}
	k.turn = 1 // the attachments of the start are among the copies
}

// markFork adds the member that /branch gives every copied row.
func markFork(row []byte, sid string) []byte {
	const key = `"uuid":"`
	i := bytes.LastIndex(row, []byte(key)) + len(key)
	id := string(row[i : i+36])
	row = row[:len(row)-2]
	return append(row, `,"forkedFrom":{"sessionId":"`+sid+`","messageUuid":"`+id+`"}}`+"\n"...)
}

// help writes a helper agent: the rows of the session's first turn once more,
// with the same message ids, then a question of the client's own.
func (k *session) help(prefix string, a *agentPlan) {
	s := k.s
	id := s.id(prefix, 12)
	h := k.sideTalk(k.agentFile(id), id)
	if len(k.p.checks) > 0 && !s.needleWithin(k.p.name(), k.p.checks[0].truth.Lines) {
		c := k.p.checks[0]
		for _, row := range s.chain(k.p.name(), c.truth.Lines) {
			h.repeat(bytes.Replace(row, []byte(`"isSidechain":false`), []byte(`"isSidechain":true,"agentId":"`+id+`"`), 1))
		}
		h.inherit(c)
		h.tip, h.at = c.tip, c.at
	}
	h.user(prompt, s.prose(nil, 80), k.promptID, "")
	h.truth.Prompts++
	h.work(a)
	h.finish(inAgent)
	h.done()
}

// needleWithin reports whether one of the first n lines of a file has a needle.
func (s *shard) needleWithin(name string, n int) bool {
	for _, d := range s.needles.planted {
		if d.File == name && d.Line <= n {
			return true
		}
	}
	return false
}
