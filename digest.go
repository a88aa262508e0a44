package sesskeep

import (
	"slices"
	"strings"
	"time"
)

// Digest is what lists need to know of one transcript: its facts, folded line
// by line, and its Chain. Folding a file in any pieces gives the same value as
// folding it whole, so a Digest can be saved and continued later.
//
// What depends on other files is not in it: a summary that names a leaf
// elsewhere, the parent of a fork, a copied prefix.
type Digest struct {
	Entries  int       `json:"entries"`
	Lost     int       `json:"lost,omitempty"`     // pieces that are not records
	Damage   int       `json:"damage,omitempty"`   // all problems
	Problems []Problem `json:"problems,omitempty"` // the first of them

	Session      SessionID `json:"session,omitempty"` // as written in the lines: an agent's parent
	Agent        AgentID   `json:"agent,omitempty"`
	ForkedFrom   SessionID `json:"forkedFrom,omitempty"`
	ContinuedIn  SessionID `json:"continuedIn,omitempty"` // as the client wrote last
	Created      time.Time `json:"created,omitzero"`
	LastActive   time.Time `json:"lastActive,omitzero"`
	Cwds         []string  `json:"cwds,omitempty"` // in the order they came up
	GitBranch    string    `json:"gitBranch,omitempty"`
	Version      string    `json:"version,omitempty"` // of the client that wrote last
	FirstVersion string    `json:"firstVersion,omitempty"`
	Entrypoint   string    `json:"entrypoint,omitempty"`
	SessionKind  string    `json:"sessionKind,omitempty"`
	Slug         string    `json:"slug,omitempty"`
	Models       []string  `json:"models,omitempty"`
	Typed        bool      `json:"typed,omitempty"` // a person typed a prompt

	CustomTitle string       `json:"customTitle,omitempty"`
	AITitle     string       `json:"aiTitle,omitempty"`
	Summaries   []LeafTitle  `json:"summaries,omitempty"`
	Tag         string       `json:"tag,omitempty"`
	LastPrompt  string       `json:"lastPrompt,omitempty"`
	LastAnswer  string       `json:"lastAnswer,omitempty"` // its start, with its white space
	Hint        Hint         `json:"hint,omitzero"`
	Usage       []UsageRow   `json:"usage,omitempty"`
	Unknown     []Unfamiliar `json:"unknown,omitempty"`

	// Commits are the hashes of commits that git said it made or pushed, as it printed them.
	Commits []string `json:"commits,omitempty"`
	// PullRequests are the addresses of pull requests, or REPOSITORY#NUMBER without one.
	PullRequests []string `json:"pullRequests,omitempty"`
	// GitCalls are the calls of git and gh that have no result yet.
	GitCalls []gitCall `json:"gitCalls,omitempty"`

	Standing Standing  `json:"standing,omitzero"`
	Queue    []Waiting `json:"queue,omitempty"`
	Command  string    `json:"command,omitempty"` // uuid of the last custom command

	Chain []Link `json:"chain,omitempty"`

	rows    map[string]int // message → index in Usage
	shown   int            // rows of Usage that a frozen copy has too
	outline outline        // of the last line, for its memory
	grown   *grower        // the tree that was asked for last
	frozen  bool           // several read it: nothing is kept in it
}

// LeafTitle is a summary and the leaf it names, which is often in another file.
type LeafTitle struct {
	Leaf string `json:"leaf"`
	Text string `json:"text"`
}

// UsageRow is what one message of one file consumed.
type UsageRow struct {
	Message   string    `json:"message"`        // message.id, or the uuid of a line without one; for a call beside the answer, followed by its number
	Call      string    `json:"call,omitempty"` // the kind of a call beside the answer, as the file spells it, or "attempt"; empty: the answer itself
	Model     string    `json:"model,omitempty"`
	Branch    string    `json:"branch,omitempty"` // git branch on the line of the message
	Time      time.Time `json:"time,omitzero"`
	Sidechain bool      `json:"sidechain,omitempty"`
	Usage     Usage     `json:"usage"`
}

// Unfamiliar counts something in the format that this version does not know.
type Unfamiliar struct {
	Version string `json:"version,omitempty"` // version of the client that wrote it
	What    string `json:"what"`              // what is unknown: "type", "block", "field", "attachment" (its type), "subtype" (of a system entry) or "iteration" (a kind of call)
	Name    string `json:"name"`              // name as the file spells it
	Count   int    `json:"count"`             // number of occurrences
}

// What a hostile file can make grow is bounded.
const (
	maxProblems = 100
	maxDistinct = 100
)

// Add folds the next entry in.
func (d *Digest) Add(e *Entry) {
	d.Entries++
	d.outline.uses = d.outline.uses[:0]
	setIf(&d.Version, e.Version)
	if d.FirstVersion == "" {
		d.FirstVersion = e.Version
	}
	d.unfamiliar(e)
	switch {
	case e.Chain() || e.Spoken():
		d.chain(e)
	case e.Kind == KindCustomTitle && e.Text != "":
		d.CustomTitle = e.Text
	case e.Kind == KindAITitle && e.Text != "":
		d.AITitle = e.Text
	case e.Kind == kindTag:
		d.Tag = e.Text
	case e.Kind == KindSummary && len(d.Summaries) < maxDistinct:
		d.Summaries = append(d.Summaries, LeafTitle{e.Leaf, oneLine(e.Text, labelSize)})
	case e.Kind == KindQueueOp:
		d.queue(e)
	case e.Kind == kindCostState:
		d.Standing.Closed = true
	case e.Kind == kindContinuedIn && IsUUID(e.Text):
		d.ContinuedIn = SessionID(e.Text)
	case e.Kind == kindPRLink:
		d.linkLine(e)
	case e.Kind == kindLastPrompt:
		d.Hint = Hint{Leaf: e.Leaf, At: len(d.Chain)}
	}
}

// ToolUses returns the calls that the entry added last makes or answers. They are valid
// until the next entry is added.
func (d *Digest) ToolUses() []ToolUse { return d.outline.uses }

// Report adds a problem.
func (d *Digest) Report(p Problem) {
	d.Damage++
	if p.Lost {
		d.Lost++
	}
	if len(d.Problems) < maxProblems {
		d.Problems = append(d.Problems, p)
	}
}

func (d *Digest) chain(e *Entry) {
	if e.Session != "" && d.Session == "" {
		d.Session = e.Session
	}
	if e.Agent != "" && d.Agent == "" {
		d.Agent = e.Agent
	}
	if e.ForkedFrom != "" && d.ForkedFrom == "" {
		d.ForkedFrom = e.ForkedFrom
	}
	if e.Cwd != "" && len(d.Cwds) < maxDistinct && !slices.Contains(d.Cwds, e.Cwd) {
		d.Cwds = append(d.Cwds, e.Cwd)
	}
	if e.GitBranch != "" {
		d.GitBranch = e.branch()
	}
	setIf(&d.SessionKind, e.SessionKind)
	setIf(&d.Slug, e.Slug)
	if d.Entrypoint == "" {
		d.Entrypoint = e.Entrypoint
	}
	d.times(e)
	d.outline.read(e)
	o := d.outline
	d.links(e, o.uses)
	for _, name := range o.strange {
		d.meet("block", name)
	}
	link := e.link(o)
	if link.Role == RolePrompt && e.expands(d.Command) {
		link.Role, link.Text, link.Expands = RoleInjected, "", true
	}
	if o.command() {
		d.Command = e.UUID
	}
	if link.Role == RoleAnswer && !e.Sidechain && len(d.Queue) > 0 {
		d.absorb()
	}
	d.Chain = append(d.Chain, link)
	d.Standing.add(e, o, link.Role)
	if link.Sent() {
		d.sent(e, link.Text)
	}
	if link.Role == RoleAnswer {
		d.answer(e, o)
	}
}

func (d *Digest) sent(e *Entry, text string) {
	d.Typed = d.Typed || e.PromptSource == "typed" || e.Human
	if d.main(e) {
		d.LastPrompt = text
	}
	d.repeated(text)
}

// main reports whether the entry is of the transcript's own talk, and not of an
// agent that a client of 1.0 wrote into the main file.
func (d *Digest) main(e *Entry) bool { return !e.Sidechain || d.Agent != "" }

func setIf(field *string, value string) {
	if value != "" {
		*field = value
	}
}

// times keeps the span of the chain. The file's own times are worth less: a
// resume touches the file without a word being said.
func (d *Digest) times(e *Entry) {
	if e.Time.IsZero() {
		return
	}
	if d.Created.IsZero() || e.Time.Before(d.Created) {
		d.Created = e.Time
	}
	if e.Time.After(d.LastActive) {
		d.LastActive = e.Time
	}
}

func (d *Digest) answer(e *Entry, o outline) {
	m := e.Message
	if m == nil {
		return
	}
	if m.Model != SyntheticModel {
		if m.Model != "" && len(d.Models) < maxDistinct && !slices.Contains(d.Models, m.Model) {
			d.Models = append(d.Models, m.Model)
		}
		d.count(e)
	}
	if len(o.last) > 0 && d.main(e) {
		d.LastAnswer = cut(string(o.last), lastSize)
	}
}

// count keeps one usage row a message, and one for each call beside it: its lines repeat
// the figures, and in some clients they grow.
func (d *Digest) count(e *Entry) {
	if d.rows == nil {
		d.rows = make(map[string]int, len(d.Usage))
		for i, row := range d.Usage {
			d.rows[row.Message] = i
		}
	}
	for row := range e.UsageRows() {
		if i, ok := d.rows[row.Message]; ok {
			d.raise(i, row.Usage)
			continue
		}
		d.rows[row.Message] = len(d.Usage)
		d.Usage = append(d.Usage, row)
	}
}

// raise lifts the figures of a row, on a copy if others see it.
func (d *Digest) raise(i int, u Usage) {
	u = d.Usage[i].Usage.largest(u)
	if u == d.Usage[i].Usage {
		return
	}
	if i < d.shown {
		d.Usage, d.shown = slices.Clone(d.Usage), 0
	}
	d.Usage[i].Usage = u
}

func (d *Digest) unfamiliar(e *Entry) {
	if !e.Kind.Known() {
		d.meet("type", string(e.Kind))
		return // its fields are its own business
	}
	for _, name := range e.Unknown {
		d.meet("field", name)
	}
	switch {
	case e.Subtype == "": // system lines of 1.x have none
	case e.Kind == KindAttachment && !knownAttachments[e.Subtype]:
		d.meet("attachment", e.Subtype)
	case e.Kind == KindSystem && !knownSubtypes[e.Subtype]:
		d.meet("subtype", e.Subtype)
	}
	if e.Message != nil {
		for _, name := range e.Message.strange {
			d.meet("iteration", name)
		}
	}
}

func (d *Digest) meet(what, name string) {
	name = cut(strings.ToValidUTF8(name, "\uFFFD"), labelSize)
	for i := range d.Unknown {
		if u := &d.Unknown[i]; u.What == what && u.Name == name && u.Version == d.Version {
			u.Count++
			return
		}
	}
	if len(d.Unknown) < maxDistinct {
		d.Unknown = append(d.Unknown, Unfamiliar{d.Version, what, name, 1})
	}
}

// Clone returns a copy. Adding to the copy does not change the original.
func (d *Digest) Clone() *Digest {
	c := *d
	c.Problems, c.Cwds, c.Models = slices.Clone(d.Problems), slices.Clone(d.Cwds), slices.Clone(d.Models)
	c.Summaries, c.Usage, c.Unknown = slices.Clone(d.Summaries), slices.Clone(d.Usage), slices.Clone(d.Unknown)
	c.Commits, c.PullRequests, c.GitCalls = slices.Clone(d.Commits), slices.Clone(d.PullRequests), slices.Clone(d.GitCalls)
	c.Chain, c.rows, c.outline, c.grown, c.frozen = slices.Clone(d.Chain), nil, outline{}, nil, false
	return &c
}

// Tree returns the tree of the chain. If entries were added since the last call, Tree
// extends the tree that it returned then, which does not change.
func (d *Digest) Tree() *Tree {
	if d.frozen {
		return grow(d.Chain, d.Hint).tree.describe(d.Chain, d.Summaries)
	}
	if d.grown == nil {
		d.grown = grow(d.Chain, d.Hint)
	} else {
		d.grown = d.grown.more(d.Chain, d.Hint)
	}
	return d.grown.tree.describe(d.Chain, d.Summaries)
}

// Total returns the usage of the file, counting every message once.
func (d *Digest) Total() Usage {
	var sum Usage
	for _, row := range d.Usage {
		sum = sum.Add(row.Usage)
	}
	return sum
}

// FromAgent reports whether the lines are those of an agent: all say so, or the prompt is
// the one with which clients before 2.1 warmed up an agent at every start.
func (d *Digest) FromAgent() bool { return d.allSidechain() || warmup(d.FirstPrompt()) }

// allSidechain reports whether every line of the chain was written by an agent.
func (d *Digest) allSidechain() bool {
	return len(d.Chain) > 0 && !slices.ContainsFunc(d.Chain, func(l Link) bool { return !l.Sidechain })
}
