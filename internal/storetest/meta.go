package storetest

import "strconv"

// state starts a metadata line of the given type; the caller adds members and
// calls stateEnd.
func (k *talk) state(kind string) {
	k.raw(`{"type":"`)
	k.raw(kind)
	k.raw(`"`)
}

func (k *talk) stateEnd() {
	k.kv("sessionId", k.sid)
	k.raw(`}`)
	k.end(other)
}

// state1 writes a metadata line with one string.
func (k *talk) state1(kind, key, value string) {
	k.state(kind)
	k.kv(key, value)
	k.stateEnd()
}

// queue writes a queue-operation; content may be nil.
func (k *talk) queue(operation string, content []byte) {
	k.state("queue-operation")
	k.kv("operation", operation)
	k.raw(`,"timestamp":`)
	k.time(k.at)
	if content != nil {
		k.raw(`,"content":`)
		k.bytes(content)
	}
	k.stateEnd()
}

// lastPrompt notes where the session stands.
func (k *talk) lastPrompt(said string) {
	k.state("last-prompt")
	k.kv("lastPrompt", clip(said, 200))
	k.kv("leafUuid", k.tip)
	k.stateEnd()
}

// snapshot notes the files as they were before the prompt with this id.
func (k *talk) snapshot(id string) {
	s := k.s
	k.raw(`{"type":"file-history-snapshot","messageId":"` + id + `","snapshot":{"messageId":"` + id + `","trackedFileBackups":{`)
	for i := range s.rng.IntN(12) {
		if i > 0 {
			k.raw(",")
		}
		k.bytes(s.path(s.small[:0]))
		k.raw(`:{"backupFileName":"` + s.id("", 16) + `@v1","version":1,"backupTime":`)
		k.time(k.at)
		k.raw(`}`)
	}
	k.raw(`},"timestamp":`)
	k.time(k.at)
	k.raw(`},"isSnapshotUpdate":false}`)
	k.end(other)
}

// request notes what was sent to the service, as the newest client does.
func (k *talk) request(ref string) {
	s := k.s
	k.raw(`{"type":"api-request","sessionId":"` + k.sid + `","id":"` + ref + `","timestamp":`)
	k.time(k.at)
	k.kv("version", k.c.version)
	k.raw(`,"querySource":"sdk","shapeHash":"` + s.id("", 64) + `","params":{"model":"` + k.c.model + `","max_tokens":128000,"thinking":{"type":"adaptive"}},"keep":0,"tail":[`)
	for i := range 1 + s.rng.IntN(4) {
		if i > 0 {
			k.raw(",")
		}
		k.raw(`"` + s.id("", 64) + `"`)
	}
	k.raw(`],"requestDigest":"` + s.id("", 64) + `"}`)
	k.end(other)
}

// delta notes one more file of the snapshot of a prompt.
func (k *talk) delta(id string) {
	s := k.s
	k.raw(`{"type":"file-history-delta","messageId":"` + k.tip + `","snapshotMessageId":"` + id + `","trackingPath":`)
	k.bytes(k.plant(s.path(s.small[:0]), inDelta))
	k.raw(`,"backup":{"backupFileName":"` + s.id("", 16) + `@v2","version":2,"backupTime":`)
	k.time(k.at)
	k.kv("realParentDir", k.cwd)
	k.raw(`},"timestamp":`)
	k.time(k.at)
	k.raw(`}`)
	k.end(other)
}

// cost writes the client's own total, as it does when it ends.
func (k *talk) cost() {
	u := k.truth.Usage
	k.state("cost-state")
	k.raw(`,"totalCostUSD":`)
	k.b = strconv.AppendFloat(k.b, float64(u.Output)*2e-5+float64(u.CacheRead)*2e-7, 'f', 6, 64)
	k.kn("totalAPIDuration", u.Output*20)
	k.kn("totalAPIDurationWithoutRetries", u.Output*19)
	k.raw(`,"totalToolDuration":1234,"totalLinesAdded":40,"totalLinesRemoved":12`)
	k.kn("totalDuration", k.at.Sub(k.truth.FirstTime).Milliseconds())
	k.kn("startTime", k.truth.FirstTime.UnixMilli())
	k.raw(`,"modelUsage":{"` + k.c.model + `":{"inputTokens":`)
	k.num(u.Input)
	k.kn("outputTokens", u.Output)
	k.kn("cacheReadInputTokens", u.CacheRead)
	k.kn("cacheCreationInputTokens", u.CacheCreation)
	k.raw(`,"webSearchRequests":0}},"hasUnknownModelCost":false`)
	k.stateEnd()
}

// future writes a line of a type no reader knows, with text deep inside.
func (k *talk) future() {
	k.raw(`{"type":"from-the-future","payload":{"steps":[{"note":{"lines":["x",`)
	k.text(inUnknown, 40, k.s.prose)
	k.raw(`]}}],"count":3}`)
	k.stateEnd()
}

// attachments writes what newer clients put between the first prompt and its
// answer; few of them if few is set, as for agents.
func (k *talk) attachments(few bool) {
	s := k.s
	scale := s.mix.factor(other)
	n := func(m float64) int { return s.size(m*scale, 0.4) }
	k.attach("environment", func() {
		k.raw(`,"snapshot":{"isWorktree":false,"isGitRepo":true,"platform":"linux","shell":"bash"`)
		k.kv("workingDirectory", k.cwd)
		k.raw(`}`)
	}, n(120))
	k.attach("model", func() {
		k.raw(`,"identity":{"modelId":"` + k.c.model + `"}`)
	}, n(60))
	k.attach("date", func() { k.kv("date", k.at.Format("2006-01-02")) }, 0)
	if few {
		return
	}
	k.attach("agent_listing_delta", func() {
		k.raw(`,"addedTypes":["claude","Explore","general-purpose","Plan"],"removedTypes":[],"isInitial":true`)
	}, n(200))
	k.attach("skill_listing", func() {
		k.raw(`,"content":`)
		k.text(inAttachment, n(300), s.prose)
		k.raw(`,"skillCount":3,"isInitial":true,"names":["review","simplify","run"]`)
	}, n(100))
	k.attach("session_context", func() { k.raw(`,"context":{}`) }, 0)
	k.attach("prompt_snapshot", func() {
		k.raw(`,"systemPrompt":[`)
		k.text("", n(1500), s.prose)
		k.raw(`,`)
		k.text(inAttachment, n(400), s.prose)
		k.raw(`],"reminderFold":false,"contextRendering":"announced"`)
	}, 0)
	k.state("atis-latch")
	k.raw(`,"atis":""`)
	k.stateEnd()
}

// progressOf writes what 2.1.20 to 2.1.90 kept of a running tool.
func (k *talk) progressOf(c *call) {
	s := k.s
	n := s.rng.IntN(2)
	if c.tool == "Bash" && s.mix.lacks(progress) {
		n = 1 + s.rng.IntN(3)
	}
	for i := range n {
		if c.tool != "Bash" {
			k.progressRow(c.id, c.id, func() {
				k.raw(`"type":"hook_progress","hookEvent":"PostToolUse","hookName":"PostToolUse:` + c.tool + `","command":`)
				k.text("", 30, s.shell)
			})
			continue
		}
		k.progressRow("bash-progress-"+strconv.Itoa(i), c.id, func() {
			k.raw(`"type":"bash_progress","output":`)
			k.text(inProgress, int(float64(s.size(1500, 1))*s.mix.factor(progress)), s.output)
			k.raw(`,"fullOutput":`)
			k.text("", int(float64(s.size(4000, 1))*s.mix.factor(progress)), s.output)
			k.kn("elapsedTimeSeconds", int64(2+i))
			k.raw(`,"totalLines":0,"timeoutMs":120000`)
		})
	}
}
