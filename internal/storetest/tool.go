package storetest

import "time"

// call is one use of a tool, kept from the tool_use row to its result.
type call struct {
	tool     string
	id       string
	row      string // the tool_use row
	path     string
	old, new []byte // of an edit; new also of a write
	agent    *agentPlan
	agentID  string
	task     []byte // prompt of an agent
	report   []byte // of an agent in the background, not written yet
	workflow []*agentPlan
}

// pick chooses a tool. Edits and writes fill toolUseResult but hardly the
// tool_result, the others both: that is what steers between the two.
func (k *talk) pick() *call {
	s := k.s
	c := &call{id: s.id("toolu_01", 22), path: k.cwd + "/" + string(s.path(nil))}
	oneSided := 0.2
	if s.mix.have[toolResult]*share[useResult] > s.mix.have[useResult]*share[toolResult] {
		oneSided = 0.6
	}
	if s.rng.Float64() < oneSided {
		c.tool = s.one([]string{"Edit", "Edit", "Edit", "Write"})
		return c
	}
	c.tool = s.one([]string{"Bash", "Bash", "Bash", "Bash", "Read", "Read", "Read", "Grep", "TodoWrite", "mcp__tracker__search"})
	if c.tool == "TodoWrite" && (k.c.era >= era21 || k.agent != "") {
		c.tool = "Bash"
	}
	return c
}

// use writes the tool_use block of c.
func (k *talk) use(m *message, c *call) {
	c.row = k.block(m, func() {
		k.raw(`{"type":"tool_use","id":"`)
		k.raw(c.id)
		k.raw(`","name":"`)
		k.raw(c.tool)
		k.raw(`","input":`)
		from := len(k.b)
		k.input(c)
		k.is(toolInput, from)
		k.raw(`}`)
	})
}

// text writes a composed string that belongs to the part around it.
func (k *talk) text(spot string, n int, gen func([]byte, int) []byte) {
	k.bytes(k.compose(&k.s.buf, spot, n, gen))
}

func (k *talk) input(c *call) {
	s := k.s
	scale := s.mix.factor(toolInput)
	switch c.tool {
	case "Bash":
		k.raw(`{"command":`)
		k.text(inInput, s.size(70, 0.8), s.shell)
		k.raw(`,"description":`)
		k.text("", 24, s.prose)
	case "Read":
		k.raw(`{"file_path":`)
		k.str(c.path)
	case "Grep":
		k.raw(`{"pattern":`)
		k.bytes(s.ident(s.small[:0]))
		k.raw(`,"output_mode":"content","-n":true`)
	case "Edit":
		c.old = s.code(nil, s.size(250*scale, 0.9))
		k.raw(`{"replace_all":false,"file_path":`)
		k.str(c.path)
		k.raw(`,"old_string":`)
		k.bytes(c.old)
		c.new = s.code(nil, s.size(300*scale, 0.9))
		k.raw(`,"new_string":`)
		k.bytes(c.new)
	case "Write":
		c.new = s.code(nil, s.size(1500*scale, 1))
		k.raw(`{"file_path":`)
		k.str(c.path)
		k.raw(`,"content":`)
		k.bytes(c.new)
	case "TodoWrite":
		k.raw(`{"todos":`)
		k.todos(inInputDeep)
	case "Task", "Agent":
		k.agentInput(c)
	case "Workflow":
		k.raw(`{"script":`)
		k.text("", 200, s.code)
	default:
		k.raw(`{"query":{"filter":{"any":[`)
		k.text(inInputDeep, 30, s.prose)
		k.raw(`]}},"limit":20`)
	}
	k.raw(`}`)
}

func (k *talk) agentInput(c *call) {
	k.raw(`{"description":`)
	k.str(c.agent.description)
	k.raw(`,"prompt":`)
	k.bytes(c.task)
	k.kv("subagent_type", c.agent.kind)
	if k.c.era == eraNow {
		k.raw(`,"run_in_background":false`)
	}
}

// todos writes a list of three tasks.
func (k *talk) todos(spot string) {
	for i, status := range []string{"completed", "in_progress", "pending"} {
		k.raw([]string{`[{"content":`, `,{"content":`, `,{"content":`}[i])
		k.text(spot, 40, k.s.prose)
		k.kv("status", status)
		k.raw(`,"activeForm":`)
		k.text("", 30, k.s.prose)
		k.raw(`}`)
	}
	k.raw(`]`)
}

// shell writes a command line.
func (t *texts) shell(dst []byte, n int) []byte {
	dst = append(dst, t.one([]string{"go test ./", "rg -n \"", "cat ", "git diff -- ", "sed -n '1,40p' ", "ls -la "})...)
	for end := len(dst) + n - 12; len(dst) < end; {
		dst = t.path(dst)
		dst = append(dst, ' ')
	}
	return append(dst, " 2>&1; "...)
}

// round writes one answer that starts these agents, or calls other tools, and
// the rows that come of it.
func (k *talk) round(agents []*agentPlan) {
	var calls []*call
	for _, a := range agents {
		calls = append(calls, k.agentCall(a))
	}
	k.roundOf(calls)
}

func (k *talk) roundOf(calls []*call) {
	s := k.s
	if len(calls) == 0 {
		calls = append(calls, k.pick())
		for s.rng.IntN(7) == 0 && len(calls) < 4 {
			calls = append(calls, k.pick())
		}
	}
	think, write := k.shape(len(calls))
	m := k.newMessage(len(calls)+think+write, "tool_use")
	k.note(m)
	if think > 0 {
		k.think(m)
	}
	if write > 0 {
		k.write(m, k.answerSpot())
	}
	for _, c := range calls {
		k.use(m, c)
	}
	if !k.c.linear() {
		s.rng.Shuffle(len(calls), func(i, j int) { calls[i], calls[j] = calls[j], calls[i] })
	}
	for _, c := range calls {
		k.result(c)
	}
	for _, c := range calls {
		if c.report != nil {
			k.notified(c)
		}
	}
}

// note writes the metadata that goes with an answer, while there is too little
// of it.
func (k *talk) note(m *message) {
	switch {
	case !k.s.mix.lacks(other):
	case k.c.era == eraNow:
		k.request(m.ref)
	case k.c.era >= era20 && k.agent == "" && k.typed && k.tip != "":
		k.snapshot(k.tip)
	}
}

// shape says which blocks go before n calls, so that about two of three
// messages are more than one row.
func (k *talk) shape(n int) (think, write int) {
	r := k.s.rng.IntN(100)
	switch {
	case n > 1 && r < 40:
		return 0, 0
	case r < 36:
		return 0, 0
	case r < 62:
		return 1, 0
	case r < 84:
		return 0, 1
	}
	return 1, 1
}

// finish writes the answer that ends a turn.
func (k *talk) finish(spot string) {
	think := 0
	if k.s.rng.IntN(100) < 55 {
		think = 1
	}
	m := k.newMessage(1+think, "end_turn")
	if think > 0 {
		k.think(m)
	}
	k.write(m, spot)
	k.later(2 * time.Second)
}

// answerSpot is where a needle in a text block of this talk would be.
func (k *talk) answerSpot() string {
	switch {
	case k.inline():
		return inInline
	case k.agent == "":
		return inAnswer
	case k.workflow:
		return inWorkflow
	}
	return inAgent
}
