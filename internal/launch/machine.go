package launch

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

// State is the state of a run, in the words used for sessions.
type State string

// The states.
const (
	Queued   State = "queued"    // waiting for a slot
	Starting State = "starting"  // the client has not reported anything yet
	Working  State = "working"   //
	NeedsYou State = "needs you" // a prompt is open
	YourTurn State = "your turn" // waiting for a message
	Ended    State = "ended"     //
	Unclean  State = "unclean"   // it has neither holder nor end; a Machine is never in this state
)

// States lists all states.
var States = []State{Queued, Starting, Working, NeedsYou, YourTurn, Ended, Unclean}

// Limits are the limits of a run. Zero means no limit, except for Answer and Grace.
type Limits struct {
	Answer time.Duration `json:"answer,omitempty"` // for an answer to a prompt; 0: 15 minutes
	Total  time.Duration `json:"total,omitempty"`  // for the whole run
	Quiet  time.Duration `json:"quiet,omitempty"`  // without output while it works; after that it is noted, after twice that interrupted
	Idle   time.Duration `json:"idle,omitempty"`   // for the next message
	Grace  time.Duration `json:"grace,omitempty"`  // for a client to end after its input was closed; 0: 10 seconds
	Budget Dollar        `json:"budget,omitempty"`
	Once   bool          `json:"once,omitempty"` // end after the first turn
	// Retries is how often to retry a turn after an overloaded API. AfterReset
	// continues the run when the limit of the plan is reset.
	Retries    int  `json:"retries,omitempty"`
	AfterReset bool `json:"afterReset,omitempty"`
}

// answerTime is how long a prompt stays open by default.
const answerTime = 15 * time.Minute

// How long a client that has to end gets at each step.
const (
	graceTime = 10 * time.Second // after its input was closed
	termTime  = 5 * time.Second  // after SIGTERM
)

// Message is a prompt for the model.
type Message struct {
	ID     string  `json:"id"` // UUID; a message with a known id is a duplicate
	Text   string  `json:"text"`
	Images []Image `json:"images,omitempty"`
	// Wait keeps the message back while another one is unanswered, and until then it can
	// be withdrawn. Other messages go to the client at once, which queues them itself.
	Wait bool `json:"wait,omitempty"`
}

// Image is a picture in a message.
type Image struct {
	Type string `json:"mediaType"` // such as image/png
	Data []byte `json:"data"`
}

// The limits of a message: bytes of its text, and bytes of all its pictures together.
const (
	MaxMessage = 1 << 20
	MaxImages  = 20 << 20
)

// EffectKind says what an effect does.
type EffectKind int

// The kinds of effects. No Write follows CloseInput.
const (
	Write      EffectKind = iota // write Effect.Data to the client
	CloseInput                   // close the client's standard input
	Terminate                    // ask its process group to end
	Kill                         // kill its process group
	Note                         // write Effect.Event to the lifecycle log
)

// Effect is something that a Machine wants its caller to do. Order matters.
type Effect struct {
	Kind  EffectKind
	Data  []byte
	Event Event
}

// Machine is the state of one run. It is not safe for concurrent use.
type Machine struct {
	limits  Limits
	bypass  bool // the user allowed Bypass
	effects []Effect

	launched, ready, inTurn, closed, ended bool
	began, quietSince, since               time.Time
	state                                  State
	why                                    string

	backlog  []Message                  // messages from before the client was started
	waiting  []Message                  // messages that wait for the end of the turn
	sent     map[string]CommandState    // unanswered messages; "": the client has not reported a state
	known    map[string]bool            // ids of all messages so far
	open     []*Prompt                  // oldest first
	answered map[string]*AnsweredError  // by prompt
	asked    map[string]func(Line) bool // our requests, and the handlers of their replies

	warned     bool      // about the budget
	dayWarned  bool      // about the budget of the day
	silence    int       // how many steps were taken against a client that writes nothing
	stopping   reason    // why the run is being stopped; without words: it is not
	aborting   reason    // why the turn was last interrupted
	term, kill time.Time // when to send the signal
	reset      time.Time // when the limit of the plan is reset; zero: it is not reached
	retry      time.Time // when to retry the last turn; zero: never
	retryText  string
	retryWhy   string
	tries      int // consecutive retries
	requests   int

	over      []string   // messages whose turn is over, unless it is retried
	responses []Response // latest last
	latest    int        // how many of them are of the last turn

	facts Facts
}

// New returns the Machine of a run that has not been started.
func New(l Limits, now time.Time) *Machine {
	if l.Answer <= 0 {
		l.Answer = answerTime
	}
	if l.Grace <= 0 {
		l.Grace = graceTime
	}
	m := &Machine{
		limits: l, state: Queued, since: now, sent: map[string]CommandState{}, known: map[string]bool{},
		answered: map[string]*AnsweredError{}, asked: map[string]func(Line) bool{},
	}
	m.note(now, Event{Event: EventQueued})
	return m
}

// AllowBypass permits Bypass, because the user allowed it.
func (m *Machine) AllowBypass() { m.bypass = true }

// Effects returns the effects since the last call.
func (m *Machine) Effects() []Effect {
	list := m.effects
	m.effects = nil
	return list
}

func (m *Machine) write(data []byte) {
	if !m.closed && !m.ended {
		m.effects = append(m.effects, Effect{Kind: Write, Data: data})
	}
}

func (m *Machine) do(d EffectKind) { m.effects = append(m.effects, Effect{Kind: d}) }

func (m *Machine) note(now time.Time, e Event) {
	e.Time.Time = now
	m.effects = append(m.effects, Effect{Kind: Note, Event: e})
}

// request sends a control request and registers the handler of its reply.
func (m *Machine) request(what fields, done func(Line) bool) {
	m.requests++
	id := fmt.Sprintf("sesskeep-%d", m.requests)
	m.asked[id] = done
	m.write(encodeRequest(id, what))
}

// Launched records that the client runs.
func (m *Machine) Launched(now time.Time) {
	if m.ended {
		return
	}
	m.launched, m.began, m.quietSince = true, now, now
	m.note(now, Event{Event: EventStarted})
	m.request(fields{"subtype": "initialize", "hooks": nil}, func(Line) bool {
		m.ready = true
		return true
	})
	for _, message := range m.backlog {
		m.deliver(message)
	}
	m.backlog = nil
	m.updateState(now)
}

// The reasons why a run rejects a message.
var (
	ErrOver  = errors.New("the run is over")
	ErrLong  = fmt.Errorf("a message can have %d bytes, and %d bytes of pictures", MaxMessage, MaxImages)
	ErrEmpty = errors.New("the message is empty")
	ErrFull  = fmt.Errorf("%d messages wait already", maxWaiting)
)

// Send sends a message to the client. It ignores a message that was sent before;
// that is not an error.
func (m *Machine) Send(now time.Time, message Message) error {
	if !message.Wait {
		m.cancelRetry()
		m.tries = 0
	}
	return m.send(now, message)
}

func (m *Machine) send(now time.Time, message Message) error {
	switch {
	case m.done():
		return ErrOver
	case len(message.Text) > MaxMessage || message.pictures() > MaxImages:
		return ErrLong
	case message.Text == "" && len(message.Images) == 0:
		return ErrEmpty
	case m.known[message.ID]:
		return nil
	case message.Wait && len(m.waiting) >= maxWaiting:
		return ErrFull
	}
	m.known[message.ID] = true
	m.note(now, Event{Event: EventMessage, Message: message.ID, Bytes: len(message.Text) + message.pictures()})
	switch {
	case message.Wait && (m.unanswered() || !m.retry.IsZero()):
		m.waiting = append(m.waiting, message)
	case m.launched:
		m.deliver(message)
		m.quietSince = now // it has something to do from now on
	default:
		m.backlog = append(m.backlog, message)
	}
	m.updateState(now)
	return nil
}

func (m *Machine) deliver(message Message) {
	m.sent[message.ID] = ""
	m.write(encodePrompt(message))
}

func (m *Machine) done() bool { return m.ended || m.closed || m.stopping.words != "" }

// Interrupt interrupts the client's turn; the run continues.
func (m *Machine) Interrupt(now time.Time, by string) error {
	return m.interrupt(now, by, reason{Interrupted, "interrupted"})
}

func (m *Machine) interrupt(now time.Time, by string, why reason) error {
	if m.done() || !m.launched {
		return ErrOver
	}
	if m.unanswered() {
		m.aborting = why
	}
	m.denyAll(now, "The user interrupted.", by)
	m.note(now, Event{Event: EventInterrupted, By: by})
	m.cancelRetry()
	m.request(fields{"subtype": "interrupt"}, nil)
	m.deliverNext(now) // no turn ends if none runs
	m.updateState(now)
	return nil
}

// SetModel sets the model of later turns.
func (m *Machine) SetModel(now time.Time, model string) error {
	if err := CheckModel(model); err != nil {
		return err
	}
	if m.done() || !m.launched {
		return ErrOver
	}
	m.request(fields{"subtype": "set_model", "model": model}, func(l Line) bool {
		if l.Fault == "" {
			m.facts.Model = model
		}
		return true
	})
	m.note(now, Event{Event: EventChanged, Model: model})
	return nil
}

// SetMode sets how the client asks for permission.
func (m *Machine) SetMode(now time.Time, mode Mode) error {
	switch {
	case !slices.Contains(Modes(), mode):
		return fmt.Errorf("there is no permission mode %q", mode)
	case mode == Bypass && !m.bypass:
		return ErrBypass
	case m.done() || !m.launched:
		return ErrOver
	}
	m.request(fields{"subtype": "set_permission_mode", "mode": mode}, func(l Line) bool {
		if l.Fault == "" {
			m.facts.Mode = mode
		}
		return true
	})
	m.note(now, Event{Event: EventChanged, Mode: mode})
	return nil
}

// Stop stops the run for a reason. The reason becomes the error of the run if a
// message is unanswered, and also of the last response if a budget is spent or the
// disk is full.
func (m *Machine) Stop(now time.Time, outcome Outcome, why string) {
	if m.ended || m.stopping.words != "" {
		return
	}
	m.denyAll(now, "The run is being stopped.", why)
	m.stopping = reason{outcome, why}
	switch {
	case m.unanswered():
		m.facts.Outcome, m.facts.Error = outcome, why
	case outcome == NoSpace, outcome == Spent && m.facts.Error == "":
		m.overrideOutcome(m.stopping)
	}
	m.cancelRetry()
	m.note(now, Event{Event: EventStopping, Why: why})
	if !m.launched {
		m.Exited(now, Exit{})
		return
	}
	if m.inTurn || len(m.sent) > 0 {
		m.request(fields{"subtype": "interrupt"}, nil)
	}
	m.closeInput()
	if m.kill.IsZero() {
		m.term = now.Add(m.limits.Grace)
	}
	m.updateState(now)
}

func (m *Machine) closeInput() {
	if !m.closed {
		m.do(CloseInput)
		m.closed = true
	}
}

// Exited records that the client has ended, for whatever reason.
func (m *Machine) Exited(now time.Time, e Exit) {
	if m.ended {
		return
	}
	m.ended, m.closed, m.term, m.kill = true, true, time.Time{}, time.Time{}
	for _, p := range m.open {
		m.answered[p.ID] = &AnsweredError{Deny, "the end of the run", now}
	}
	m.open = nil
	m.facts.Exit = e
	m.resolveEnd(e)
	m.updateState(now)
	m.note(now, Event{Event: EventEnded, Why: m.why, Error: m.facts.Error})
}

// resolveEnd sets the outcome of unanswered messages, and of a run that went well
// so far, from how the client ended.
func (m *Machine) resolveEnd(e Exit) {
	fault := e.fault()
	switch {
	case m.unanswered() && m.stopping.words != "":
		m.facts.Outcome, m.facts.Error = m.stopping.outcome, m.stopping.words
	case m.unanswered():
		m.facts.Outcome, m.facts.Error = fault.outcome, cmp.Or(fault.words, "claude ended before it answered")
	case m.stopping.words == "" && m.facts.Error == "" && fault.words != "":
		m.facts.Outcome, m.facts.Error = fault.outcome, fault.words
	}
	m.cancelRetry()
	for _, b := range m.backlog {
		m.over = append(m.over, b.ID)
	}
	m.over = slices.AppendSeq(m.over, maps.Keys(m.sent))
	clear(m.sent)
	for _, w := range m.waiting {
		m.over = append(m.over, w.ID)
	}
	m.backlog, m.waiting, m.inTurn = nil, nil, false
	m.respond("")
}
