package demo

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// fork is claude --resume --fork-session: a new file with the rows so far. It
// also takes over what was spent so far.
func (s *session) fork(name string, start time.Duration) *session {
	f := s.offspring(name, start)
	account := *s.meter
	account.models = maps.Clone(account.models)
	f.meter = &account
	for _, r := range s.active() {
		f.rows = append(f.rows, row{r.uuid, r.body.with("sessionId", f.id)})
	}
	return f
}

// active lists the rows of the conversation that ends at the tip: those above
// it, and all calls and results of the answers among them.
func (s *session) active() []row {
	above := map[string]bool{}
	for id := s.tip; id != ""; {
		above[id] = true
		at := slices.IndexFunc(s.rows, func(r row) bool { return r.uuid == id })
		id = s.rows[at].body.text("parentUuid")
	}
	messages := map[string]bool{}
	for _, r := range s.rows {
		if above[r.uuid] {
			messages[r.messageID()] = true
		}
	}
	var rows []row
	for _, r := range s.rows {
		id := r.messageID()
		if above[r.uuid] || id != "" && messages[id] || above[r.body.text("sourceToolAssistantUUID")] {
			above[r.uuid] = r.uuid != "" // its results follow
			rows = append(rows, r)
		}
	}
	return rows
}

func (r row) messageID() string {
	if i := r.body.index("message"); i >= 0 {
		return r.body[i].(fields).text("id")
	}
	return ""
}

// branchOff is /branch: the same, but every row says where it comes from, and
// the copy has a name.
func (s *session) branchOff(name, title string, start time.Duration) *session {
	f := s.offspring(name, start)
	f.rows = nil
	for _, r := range s.active() {
		body := r.body.with("sessionId", f.id).with("forkedFrom", fields{"sessionId", s.id, "messageUuid", r.uuid})
		f.rows = append(f.rows, row{r.uuid, body})
	}
	f.title(title)
	f.local("branch", title, "Branched conversation: "+title)
	return f
}

func (s *session) offspring(name string, start time.Duration) *session {
	p := s.plot
	p.name, p.start = name, start
	f := s.h.session(p)
	f.tip, f.prompts, f.tools = s.tip, s.prompts, s.tools
	f.context, f.pending = systemTokens, s.context+s.pending-systemTokens
	f.files = maps.Clone(s.files)
	return f
}

// compact is /compact: the model continues from a summary.
func (s *session) compact(slug, summary string) {
	s.history("/compact", nil)
	before := s.context + s.pending
	s.helper("acompact", 12, "Summarise the conversation so far for whoever continues it.", summary)
	s.pass(38 * time.Second)
	s.slug, s.logical, s.tip = slug, s.tip, ""
	s.promptID = s.ids.uuid()
	s.context, s.pending = systemTokens, tokens(summary)+2_300
	after := s.context + s.pending
	s.link(fields{"type", "system", "subtype", "compact_boundary", "content", "Conversation compacted", "level", "info",
		"compactMetadata", fields{"trigger", "manual", "preTokens", before, "postTokens", after,
			"cumulativeDroppedTokens", before - after, "durationMs", 38_000},
		"uuid", nil, "timestamp", nil})
	id := s.user("This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion of the conversation.\n\nSummary:\n"+summary,
		"isVisibleInTranscriptOnly", true, "isCompactSummary", true)
	s.promptAt = id
	s.user(caveat, "isMeta", true)
	s.user("<command-name>/compact</command-name>\n            <command-message>compact</command-message>\n            <command-args></command-args>")
	s.user("<local-command-stdout>\x1b[2mCompacted (ctrl+o to see full summary)\x1b[22m</local-command-stdout>")
}

// worktree notes that the session works in a worktree of another directory.
func (s *session) worktree(original, branch, commit string) {
	name := s.cwd[strings.LastIndexByte(s.cwd, '/')+1:]
	s.note("worktree-state", "worktreeSession", fields{"originalCwd", original, "preEnterOriginalCwd", original,
		"worktreePath", s.cwd, "worktreeName", name, "worktreeBranch", s.branch,
		"originalBranch", branch, "originalHeadCommit", commit, "sessionId", s.id})
}

// warmup is an agent that 2.0.31 started twice for every process, to no end.
func (s *session) warmup(n int) {
	for i := range n {
		e := s.start("warmup", "Warmup "+string(rune('a'+i)), "Warmup", call{})
		e.answer(text([]string{
			"Ready. What would you like to look at?",
			"I'm ready to help you explore this codebase.",
		}[i%2]))
		e.save()
	}
}

// summary is the title of a conversation that may lie in another file. Clients
// before 2.1 wrote it at the head of whatever they opened next.
func (s *session) summary(title, leaf string) {
	s.rows = append([]row{bare("summary", "summary", title, "leafUuid", leaf)}, s.rows...)
}
