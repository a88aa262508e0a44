package storetest

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"time"
)

// session is the chain of a main transcript.
type session struct {
	*talk
	p    *sessionPlan
	last bool // of its shard: takes what needles are left

	said   string // the last prompt
	sent   string // its row
	turns  []turnMark
	agents []*agentPlan
}

// turnMark remembers where a turn began, for rewinds.
type turnMark struct {
	before string // the row its prompt hangs under
	used   bool
}

// checkpoint is a place where a turn had ended, for forks and replays.
type checkpoint struct {
	truth File
	tip   string
	at    time.Time
}

// write makes the transcript of p and everything that belongs to it.
func (s *shard) write(p *sessionPlan, last bool) {
	f := s.create(p.name(), kindSession, p.start)
	f.bare = p.bare
	k := &session{p: p, last: last, agents: p.agents, talk: &talk{
		file: f, c: p.client, sid: p.id, cwd: p.project.cwd, git: s.one(branches),
		slug: p.slug, typed: p.typed, at: p.start,
	}}
	if p.client.era <= era20 && !p.typed {
		k.git = ""
	}
	switch {
	case p.empty:
	case p.summaryOnly:
		k.summaries()
	default:
		k.converse()
	}
	for range p.warmUps {
		k.warmUp()
	}
	p.project.leaves = append(p.project.leaves, k.tip)
	f.done()
	k.aside()
}

func (k *session) converse() {
	k.head()
	if k.p.forkOf != nil {
		k.copyFrom(k.p.forkOf)
	}
	for k.more() {
		k.oneTurn()
	}
	k.closing()
}

// more reports whether another turn is to come.
func (k *session) more() bool {
	return len(k.turns) == 0 || k.truth.Bytes < k.p.budget || len(k.agents) > 0 ||
		k.p.rewinds > 0 || k.p.compactions > 0 || k.p.command || k.p.queued || len(k.p.workflow) > 0 ||
		k.last && k.s.needles.count > 0
}

// head writes the metadata a file starts with.
func (k *session) head() {
	switch {
	case k.c.era <= era207:
		k.summaries()
	case k.c.era == eraNow:
		k.state1("mode", "mode", "normal")
		if k.typed {
			k.state1("permission-mode", "permissionMode", "default")
		}
	}
}

// summaries writes titles of other sessions of the project, as old clients did.
func (k *session) summaries() {
	leaves := k.p.project.leaves
	n := min(1+k.s.rng.IntN(3), len(leaves))
	if k.p.summaryOnly {
		n = 1
	}
	for i := range n {
		leaf := k.s.uuid() // of a session that is gone
		if i < len(leaves) && leaves[i] != "" {
			leaf = leaves[i]
		}
		k.raw(`{"type":"summary","summary":`)
		k.text(inSummary, 40, k.s.prose)
		k.kv("leafUuid", leaf)
		k.raw(`}`)
		k.end(other)
	}
}

// oneTurn writes a prompt and all that follows until the model stops.
func (k *session) oneTurn() {
	k.later(pause)
	k.turn++
	again := k.turnStart()
	k.turns = append(k.turns, turnMark{before: k.tip, used: again})
	switch {
	case k.p.command && k.turn > 1:
		k.p.command = false
		k.slash()
	default:
		k.ask()
	}
	if k.turn == 1 && k.c.era == eraNow {
		k.attachments(false)
	}
	rounds := 1 + k.s.size(3, 0.7)
	for i := 0; i < rounds && (i == 0 || k.truth.Bytes < k.p.budget); i++ {
		k.step(i)
	}
	if k.s.rng.IntN(60) == 0 && k.c.era >= era21 {
		k.failed()
	}
	k.finish(inAnswer)
	k.turnEnd()
	k.p.checks = append(k.p.checks, checkpoint{truth: k.truth, tip: k.tip, at: k.at})
}

// turnStart rewinds or compacts first, if that is planned. It reports whether
// the next prompt is an alternative to an earlier one.
func (k *session) turnStart() bool {
	switch {
	case k.p.rewinds > 0 && len(k.turns) > 1:
		return k.rewind()
	case k.p.compactions > 0 && k.turn > 1:
		k.p.compactions--
		k.compact()
	case k.p.bad && k.turn > 1:
		k.p.bad = false
		k.torn()
	}
	return false
}

// step writes one round of the turn, with what is planned for the session.
func (k *session) step(i int) {
	switch {
	case len(k.p.workflow) > 0:
		c := &call{tool: "Workflow", id: k.s.id("toolu_01", 22), workflow: k.p.workflow}
		k.p.workflow = nil
		k.roundOf([]*call{c})
	case len(k.agents) > 0 && i%2 == 0:
		n := min(1+k.s.rng.IntN(2), len(k.agents))
		var now []*agentPlan
		now, k.agents = k.agents[:n], k.agents[n:]
		k.round(now)
	default:
		k.round(nil)
	}
	if k.p.queued {
		k.p.queued = false
		k.interject()
	}
}

// rewind goes back to where an earlier prompt was asked.
func (k *session) rewind() bool {
	at := 1 + k.s.rng.IntN(len(k.turns)-1)
	k.p.rewinds--
	if k.turns[at].used {
		return false
	}
	k.turns[at].used = true
	k.tip = k.turns[at].before
	k.truth.Conversations = max(1, k.truth.Conversations) + 1
	if k.c.era == eraNow {
		k.state("last-prompt")
		k.raw(`,"leafUuid":"00000000-0000-0000-0000-000000000000","explicit":true`)
		k.stateEnd()
	}
	return true
}

// compact writes a boundary and the summary that replaces what was before.
func (k *session) compact() {
	tip := k.tip
	k.open("")
	k.kv("logicalParentUuid", tip)
	k.raw(`,"type":"system","subtype":"compact_boundary","content":"Conversation compacted","isMeta":false`)
	id := k.stamp()
	k.raw(`,"level":"info","compactMetadata":{"trigger":"` + k.s.one([]string{"auto", "manual"}) + `","preTokens":155000,"postTokens":9000}`)
	k.shut(id, envelope)
	body := append(k.s.extra[:0], "This session goes on from an earlier conversation that grew too long.\nSummary:\n"...)
	k.s.extra = k.s.prose(body, 400)
	k.s.extra = k.plant(k.s.extra, inCompact)
	k.s.extra = k.s.prose(k.s.extra, 400)
	k.user(other, k.s.extra, k.promptID, `,"isVisibleInTranscriptOnly":true,"isCompactSummary":true`)
	k.turns = nil // no session here rewinds past a boundary
	k.turn = max(k.turn, 4)
}

// torn leaves half a record on a line of its own, as a killed client does.
func (k *session) torn() {
	k.raw(`{"parentUuid":"` + k.s.uuid() + `","isSidechain":false,"type":"assist` + "\n")
	k.flush()
	k.truth.BadLines++
}

// turnEnd writes what the client notes when the model has stopped.
func (k *session) turnEnd() {
	r := k.s.rng.IntN(40)
	if k.c.era >= era21 && k.typed {
		k.system("turn_duration", "", `,"durationMs":`+strconv.Itoa(900+100*r))
	}
	if r == 0 && k.c.era >= era207 {
		k.system("stop_hook_summary", "", `,"hookCount":1,"hookInfos":[{"command":"make check"}],"hookErrors":[],"preventedContinuation":false,"stopReason":"","hasOutput":true`)
	}
	if r < 4 && k.c.era >= era21 {
		k.system("informational", "Remote control is "+k.s.word()+".", "")
	}
	if r == 5 {
		k.future()
	}
	if k.c.era != eraNow {
		return
	}
	k.lastPrompt(k.said)
	if r%4 == 0 {
		k.state("tools-used")
		k.raw(`,"tools":["Bash","Read"]`)
		k.stateEnd()
	}
}

var branches = []string{"main", "main", "main", "HEAD", "feature/search-by-meaning", "fix/offset-after-rewrite", "dev"}

// closing writes what is appended when the client ends.
func (k *session) closing() {
	if k.p.titled {
		k.title("custom-title", "customTitle", inTitle)
	} else if k.p.aiTitled {
		k.title("ai-title", "aiTitle", inAITitle)
	}
	if k.c.era != eraNow {
		return
	}
	k.lastPrompt(k.said)
	k.state1("mode", "mode", "normal")
	k.cost()
}

func (k *session) title(kind, key, spot string) {
	name := k.plant(k.s.sentence(nil, 36), spot)
	k.truth.Title = string(name)
	k.state1(kind, key, string(name))
}

// aside writes the files beside a finished session.
func (k *session) aside() {
	s, p := k.s, k.p
	dir := path.Dir(p.name())
	if p.titled && k.c.era == eraNow && !slices.ContainsFunc(s.needles.planted, func(n Needle) bool {
		return n.File == p.name() && n.Spot == inTitle
	}) {
		s.side(path.Join(dir, p.id, "custom-title.json"), fmt.Appendf(nil, `{"customTitle":%s}`, appendJSON(nil, k.truth.Title)), k.at)
	}
	if k.c.era <= era207 {
		s.side("todos/"+p.id+"-agent-"+p.id+".json", []byte("[]"), k.at)
	}
	if p.lostAgent {
		s.side(path.Join(dir, p.id, "subagents", "agent-"+s.id("a", 16)+".meta.json"), []byte(`{"agentType":"Explore","description":"killed early","spawnDepth":1}`), k.at)
	}
	for i, a := range p.helpers {
		k.help(helpers[i%len(helpers)], a)
	}
}
