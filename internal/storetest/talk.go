package storetest

import "time"

// talk is a chain of rows being written to a file: that of a session, of an
// agent, or of a sidechain inside a session of 1.0.
type talk struct {
	*file
	c     *client
	sid   string
	cwd   string
	git   string
	slug  string
	agent string // id of the agent, "" in a session
	side  bool   // isSidechain
	typed bool   // interactive, not -p

	workflow bool // an agent of a workflow

	tip      string // the row the next one hangs under
	at       time.Time
	promptID string
	lastID   string // message.id of the last answer
	turn     int
}

// inline reports whether the rows are a sidechain inside a session file.
func (k *talk) inline() bool { return k.side && k.truth.Kind == kindSession }

// later moves the clock by up to d.
func (k *talk) later(d time.Duration) {
	if k.at.After(Until.Add(-time.Hour)) {
		d = min(d, 4*time.Millisecond)
	}
	k.at = k.at.Add(time.Millisecond + time.Duration(k.s.rng.Int64N(int64(d)))).Truncate(time.Millisecond)
}

// open starts a line of the transcript whose parent is given.
func (k *talk) open(parent string) {
	k.later(8 * time.Second)
	k.raw(`{"parentUuid":`)
	k.nullable(parent)
	if k.side {
		k.raw(`,"isSidechain":true`)
	} else {
		k.raw(`,"isSidechain":false`)
	}
	if k.c.era == eraNow {
		return
	}
	k.common()
	if k.agent != "" {
		k.kv("agentId", k.agent)
	}
	k.named()
}

// member writes what the newest client puts before the type.
func (k *talk) member(promptID string) {
	if k.c.era != eraNow {
		return
	}
	if promptID != "" {
		k.kv("promptId", promptID)
	}
	if k.agent != "" {
		k.kv("agentId", k.agent)
	}
}

// common writes the fields every row repeats.
func (k *talk) common() {
	k.raw(`,"userType":"external"`)
	if k.c.era == eraNow {
		if k.typed {
			k.raw(`,"entrypoint":"cli"`)
		} else {
			k.raw(`,"entrypoint":"sdk-cli"`)
		}
	}
	k.kv("cwd", k.cwd)
	k.kv("sessionId", k.sid)
	k.kv("version", k.c.version)
	git := append(k.s.small[:0], k.git...)
	if !k.side {
		git = k.plant(git, inBranch)
	}
	k.raw(`,"gitBranch":`)
	k.bytes(git)
}

func (k *talk) named() {
	if k.slug != "" && (k.c.era == era207 || k.c.era == era21 || k.turn > 3) {
		k.kv("slug", k.slug)
	}
}

// stamp writes the row's own id and time and returns the id.
func (k *talk) stamp() string {
	id := k.s.uuid()
	k.kv("uuid", id)
	k.raw(`,"timestamp":`)
	k.time(k.at)
	if k.truth.FirstTime.IsZero() {
		k.truth.FirstTime = k.at
	}
	if k.at.After(k.truth.LastTime) {
		k.truth.LastTime = k.at
	}
	return id
}

// shut ends a row and makes it the tip.
func (k *talk) shut(id string, rest part) {
	if k.c.era == eraNow {
		k.common()
		k.named()
	}
	k.raw("}")
	k.end(rest)
	k.tip = id
}

// userRow counts a row of type user.
func (k *talk) userRow() {
	if !k.inline() {
		k.truth.UserLines++
	}
}

// user writes a user row whose content is a string, with further members.
func (k *talk) user(p part, content []byte, promptID, more string) {
	k.open(k.tip)
	k.member(promptID)
	k.raw(`,"type":"user","message":{"role":"user","content":`)
	from := len(k.b)
	k.bytes(content)
	k.is(p, from)
	k.raw(`}`)
	id := k.stamp()
	k.raw(more)
	k.shut(id, envelope)
	k.userRow()
}

// system writes a row of type system.
func (k *talk) system(subtype, content, more string) {
	k.open(k.tip)
	k.raw(`,"type":"system","subtype":"`)
	k.raw(subtype)
	k.raw(`"`)
	if content != "" {
		from := len(k.b)
		k.raw(`,"content":`)
		k.bytes(k.plant(append(k.s.small[:0], content...), inSystem))
		k.is(other, from)
	}
	from := len(k.b)
	k.raw(more)
	k.is(other, from)
	k.raw(`,"level":"info","isMeta":false`)
	k.shut(k.stamp(), envelope)
}

// attach writes a row of type attachment, body being the members after type.
func (k *talk) attach(kind string, body func(), rendered int) {
	k.open(k.tip)
	k.member("")
	k.raw(`,"attachment":`)
	from := len(k.b)
	k.raw(`{"type":"`)
	k.raw(kind)
	k.raw(`"`)
	body()
	k.raw(`}`)
	k.is(other, from)
	k.raw(`,"type":"attachment"`)
	id := k.stamp()
	if rendered > 0 {
		k.raw(`,"rendered":[{"content":`)
		k.say(other, "", rendered, k.s.prose)
		k.raw(`}],"renderedRole":"system"`)
	}
	k.shut(id, envelope)
}

// progressRow writes a row of type progress; data are the members of its data.
func (k *talk) progressRow(toolUse, parentTool string, data func()) {
	k.open(k.tip)
	k.raw(`,"type":"progress","data":{`)
	data()
	k.raw(`}`)
	k.kv("toolUseID", toolUse)
	k.kv("parentToolUseID", parentTool)
	k.shut(k.stamp(), progress)
}
