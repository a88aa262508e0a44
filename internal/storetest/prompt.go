package storetest

import (
	"fmt"
	"strconv"
)

// ask writes an ordinary prompt with what the client notes around it.
func (k *session) ask() {
	s := k.s
	spot := inPrompt
	blocks := s.rng.IntN(10) == 0
	if blocks {
		spot = inPromptBlock
	}
	n := int(float64(s.size(140, 0.9)) * s.mix.factor(prompt))
	if s.needles.due(spot, s.progress()) {
		n = max(n, 700) // beyond what last-prompt repeats
	}
	text := k.compose(&s.body, spot, n, s.prose)
	k.said, k.promptID = string(text), s.uuid()
	secret := len(k.here) > 0
	if !secret && !k.typed {
		k.announce(text)
	}
	k.open(k.tip)
	k.member(k.promptID)
	k.raw(`,"type":"user","message":{"role":"user","content":`)
	from := len(k.b)
	if blocks {
		k.raw(`[{"type":"text","text":`)
		k.bytes(text)
		k.raw(`}]`)
	} else {
		k.bytes(text)
	}
	k.is(prompt, from)
	k.raw(`}`)
	k.sent = k.stamp()
	k.raw(k.promptMembers())
	k.shut(k.sent, envelope)
	k.userRow()
	k.truth.Prompts++
	k.afterPrompt(secret)
}

// announce writes the queue lines of a prompt that came from a host.
func (k *session) announce(text []byte) {
	switch k.c.era {
	case era20, eraNow:
		k.queue("enqueue", text)
		k.queue("dequeue", nil)
	case era207:
		k.queue("dequeue", nil)
	}
}

func (k *session) promptMembers() string {
	switch {
	case k.c.era == era21:
		return `,"thinkingMetadata":{"maxThinkingTokens":31999},"todos":[],"permissionMode":"default"`
	case k.c.era != eraNow:
		return ""
	case k.typed:
		return `,"permissionMode":"default","origin":{"kind":"human"},"promptSource":"typed","turnOrigin":"human","turnPosition":{"promptIndex":0,"turnIndex":` + strconv.Itoa(k.turn) + `}`
	}
	return `,"permissionMode":"bypassPermissions","promptSource":"sdk","turnOrigin":"sdk","turnPosition":{"promptIndex":0,"turnIndex":` + strconv.Itoa(k.turn) + `}`
}

// afterPrompt writes the snapshot of a typed prompt, the history line, and
// sometimes a prompt that was taken back.
func (k *session) afterPrompt(secret bool) {
	s := k.s
	if !k.typed {
		return
	}
	if !secret {
		s.history = append(s.history, historyLine{at: k.at, sid: k.sid, cwd: k.cwd, text: k.said})
	}
	if k.c.era >= era207 && s.mix.lacks(other) {
		k.snapshot(k.sent)
	}
	if k.c.era == eraNow && s.rng.IntN(6) == 0 {
		k.delta(k.sent)
	}
	if k.c.era >= era20 && s.rng.IntN(8) == 0 {
		k.queue("popAll", k.compose(&s.body, inQueue, 60, s.prose))
	}
	if k.c.era >= era21 && s.rng.IntN(20) == 0 {
		k.system("local_command", "<command-name>/status</command-name>\n<local-command-stdout>ok</local-command-stdout>", "")
	}
}

// slash writes a custom command: what was typed, then the body it stands for.
func (k *session) slash() {
	s := k.s
	k.promptID = s.uuid()
	name := s.one(commandNames)
	text := fmt.Appendf(s.body[:0], "<command-message>%s</command-message>\n<command-name>/%s</command-name>\n<command-args>", name, name)
	text = s.sentence(text, 30)
	text = k.plant(text, inCommand)
	text = append(text, "</command-args>"...)
	k.said = "/" + name
	k.user(prompt, text, k.promptID, `,"turnOrigin":"human","turnPosition":{"promptIndex":0,"turnIndex":`+strconv.Itoa(k.turn)+`}`)
	k.truth.CustomCommands++
	k.sent = k.tip
	k.open(k.tip)
	k.member(k.promptID)
	k.raw(`,"type":"user","message":{"role":"user","content":[{"type":"text","text":`)
	k.say(other, "", 200, s.prose)
	k.raw(`}]},"isMeta":true`)
	k.shut(k.stamp(), envelope)
	k.userRow()
}

// interject writes a prompt that was typed while the model worked. It stands
// in an attachment and in two queue lines, and is one prompt.
func (k *session) interject() {
	s := k.s
	text := k.compose(&s.body, inQueued, 50, s.prose)
	if len(k.here) == 0 {
		k.queue("enqueue", text)
	}
	k.attach("queued_command", func() {
		k.raw(`,"prompt":`)
		k.bytes(text)
		k.kv("source_uuid", s.uuid())
		k.raw(`,"commandMode":"prompt","origin":{"kind":"human"},"humanTurn":true`)
	}, 0)
	k.queue("remove", nil)
	k.truth.QueuedPrompts++
}
