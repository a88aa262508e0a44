package launch

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

// State says where a run is, in the words that sessions have.
type State string

// The states.
const (
	Queued   State = "queued"    // it waits for others to end
	Starting State = "starting"  // the client has said nothing yet
	Working  State = "working"   //
	NeedsYou State = "needs you" // a prompt is open
	YourTurn State = "your turn" // it waits for a message
	Ended    State = "ended"     //
	Unclean  State = "unclean"   // nobody holds it and it has no end; no Machine is in it
)

// Limits are the bounds of a run. A zero is no bound, except for Answer and Grace.
type Limits struct {
	Answer time.Duration `json:"answer,omitempty"` // for an answer to a prompt; 0: 15 minutes
	Total  time.Duration `json:"total,omitempty"`  // for all of it
	Quiet  time.Duration `json:"quiet,omitempty"`  // without output while it works: noted, and after twice the time interrupted
	Idle   time.Duration `json:"idle,omitempty"`   // for the next message
	Grace  time.Duration `json:"grace,omitempty"`  // for a client whose input was closed to end; 0: 10 seconds
	Budget Dollar        `json:"budget,omitempty"`
	Once   bool          `json:"once,omitempty"` // it ends with its first turn
	// Retries is how often a turn is tried again that met an overloaded API, and
	// AfterReset that the run goes on when the limit of the plan is reset.
	Retries    int  `json:"retries,omitempty"`
	AfterReset bool `json:"afterReset,omitempty"`
}

// answerTime is how long a prompt waits where nobody said otherwise.
const answerTime = 15 * time.Minute

// The steps in which a client that has to end is made to.
const (
	graceTime = 10 * time.Second // by itself, when its input was closed
	termTime  = 5 * time.Second  // when it was told to
)

// Message is a prompt for the model.
type Message struct {
	ID   string `json:"id"` // UUID; the same one again is the same message
	Text string `json:"text"`
}

// MaxMessage is how long a message can be, in bytes.
const MaxMessage = 1 << 20

// Deed is something to do for a run.
type Deed int

// The deeds. Nothing is to be written after CloseInput.
const (
	Write      Deed = iota // Effect.Data to the client
	CloseInput             // its standard input
	Terminate              // ask its process group to end
	Kill                   // end its process group
	Note                   // Effect.Event in the lifecycle log
)

// Effect is what a Machine wants done, in this order.
type Effect struct {
	Deed  Deed
	Data  []byte
	Event Event
}

// Machine is the course of one run. It is not safe for several goroutines.
type Machine struct {
	limits  Limits
	bypass  bool // the user allowed it
	effects []Effect

	launched, ready, inTurn, closed, ended bool
	began, quietSince, since               time.Time
	word                                   State
	why                                    string

	backlog  []Message                  // before the client runs
	sent     map[string]CommandState    // messages that are not answered; "": nothing was heard of one
	known    map[string]bool            // every message there was
	open     []*Prompt                  // the oldest first
	answered map[string]*AnsweredError  // by prompt
	asked    map[string]func(Line) bool // requests of ours, and what their reply means

	warned     bool      // of the budget
	dayWarned  bool      // of that of the day
	silence    int       // what was done about a client that says nothing
	stopping   reason    // its words are empty while it goes on
	aborting   reason    // why the turn was interrupted last
	term, kill time.Time // when that is due
	reset      time.Time // when the limit of the plan is; zero: it is not reached
	retry      time.Time // when the last turn is tried again; zero: it is not
	retryText  string
	retryWhy   string
	tries      int // in a row
	requests   int

	over      []string   // messages whose turn is over, and may be tried again
	responses []Response // the latest last
	latest    int        // how many of them the last turn made

	facts Facts
}

// New makes the course of a run that waits to be started.
func New(l Limits, now time.Time) *Machine {
	if l.Answer <= 0 {
		l.Answer = answerTime
	}
	if l.Grace <= 0 {
		l.Grace = graceTime
	}
	m := &Machine{
		limits: l, word: Queued, since: now, sent: map[string]CommandState{}, known: map[string]bool{},
		answered: map[string]*AnsweredError{}, asked: map[string]func(Line) bool{},
	}
	m.note(now, Event{Event: EventQueued})
	return m
}

// AllowBypass says that the user allowed the mode in which nothing is asked.
func (m *Machine) AllowBypass() { m.bypass = true }

// Effects gives what is to be done since it was asked last.
func (m *Machine) Effects() []Effect {
	list := m.effects
	m.effects = nil
	return list
}

func (m *Machine) write(data []byte) {
	if !m.closed && !m.ended {
		m.effects = append(m.effects, Effect{Deed: Write, Data: data})
	}
}

func (m *Machine) do(d Deed) { m.effects = append(m.effects, Effect{Deed: d}) }

func (m *Machine) note(now time.Time, e Event) {
	e.Time.Time = now
	m.effects = append(m.effects, Effect{Deed: Note, Event: e})
}

// request sends a control request; done is told of the reply.
func (m *Machine) request(what fields, done func(Line) bool) {
	m.requests++
	id := fmt.Sprintf("sesskeep-%d", m.requests)
	m.asked[id] = done
	m.write(sayRequest(id, what))
}

// Launched says that the client runs.
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
	m.settle(now)
}

// The reasons for which a run takes no message.
var (
	ErrOver  = errors.New("the run is over")
	ErrLong  = fmt.Errorf("a message can have %d bytes", MaxMessage)
	ErrEmpty = errors.New("the message is empty")
)

// Send gives the client a message. One that was sent already is not sent again,
// which is no error.
func (m *Machine) Send(now time.Time, message Message) error {
	m.forgetRetry()
	m.tries = 0
	return m.send(now, message)
}

func (m *Machine) send(now time.Time, message Message) error {
	switch {
	case m.done():
		return ErrOver
	case len(message.Text) > MaxMessage:
		return ErrLong
	case message.Text == "":
		return ErrEmpty
	case m.known[message.ID]:
		return nil
	}
	m.known[message.ID] = true
	m.note(now, Event{Event: EventMessage, Message: message.ID, Bytes: len(message.Text)})
	if m.launched {
		m.deliver(message)
		m.quietSince = now // it has something to do from now on
	} else {
		m.backlog = append(m.backlog, message)
	}
	m.settle(now)
	return nil
}

func (m *Machine) deliver(message Message) {
	m.sent[message.ID] = ""
	m.write(sayPrompt(message))
}

func (m *Machine) done() bool { return m.ended || m.closed || m.stopping.words != "" }

// Interrupt makes the client stop what it does; the run goes on.
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
	m.forgetRetry()
	m.request(fields{"subtype": "interrupt"}, nil)
	m.settle(now)
	return nil
}

// SetModel changes the model for the turns to come.
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

// SetMode changes how the client asks for permission.
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

// Stop ends the run, and says why. That is an error where somebody waits for an
// answer, and where what is spent or full concerns whoever got the last one too.
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
		m.spoil(m.stopping)
	}
	m.forgetRetry()
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
	m.settle(now)
}

func (m *Machine) closeInput() {
	if !m.closed {
		m.do(CloseInput)
		m.closed = true
	}
}

// Exited says that the client ended, however that came.
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
	m.leftBy(e)
	m.settle(now)
	m.note(now, Event{Event: EventEnded, Why: m.why, Error: m.facts.Error})
}

// leftBy says what the end of the client means: for messages that have no answer, and
// for a run that seemed to go well.
func (m *Machine) leftBy(e Exit) {
	fault := e.fault()
	switch {
	case m.unanswered() && m.stopping.words != "":
		m.facts.Outcome, m.facts.Error = m.stopping.outcome, m.stopping.words
	case m.unanswered():
		m.facts.Outcome, m.facts.Error = fault.outcome, cmp.Or(fault.words, "claude ended before it answered")
	case m.stopping.words == "" && m.facts.Error == "" && fault.words != "":
		m.facts.Outcome, m.facts.Error = fault.outcome, fault.words
	}
	m.forgetRetry()
	for _, b := range m.backlog {
		m.over = append(m.over, b.ID)
	}
	m.over = slices.AppendSeq(m.over, maps.Keys(m.sent))
	clear(m.sent)
	m.backlog, m.inTurn = nil, false
	m.respond("")
}
