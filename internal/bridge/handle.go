package bridge

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/access"
	"sesskeep/internal/errcode"
	"sesskeep/internal/holder"
	"sesskeep/internal/launch"
	"sesskeep/internal/runs"
)

// handle handles a message of the client. An error ends the socket; what is wrong with
// the message does not.
func (s *socket) handle(data []byte) error {
	if s.who.Token != "" && !s.bridge.host.Valid(s.who.Token) { // before anything is done for it
		s.drop(revoked())
		return errDropped
	}
	request, f := decodeRequest(data)
	if f == nil {
		f = s.do(request)
	}
	if f == nil {
		return nil
	}
	if !f.Recoverable {
		s.drop(f)
		return errDropped
	}
	return s.send(f)
}

// do does what a message asks for.
func (s *socket) do(request any) *Fault {
	switch r := request.(type) {
	case pingRequest:
		return s.reply(pongEvent{s.bridge.now().UnixMilli()})
	case pongRequest:
		return nil
	case subscribeRequest:
		return s.subscribe(r)
	case reconnectRequest:
		return s.reconnect(r)
	case startRequest:
		return s.as(access.Operate, func() *Fault { return s.start(r) })
	}
	run := s.agentID()
	if run == "" {
		return fault(codeNoAgent, "this socket has no agent: send start or reconnect first")
	}
	switch r := request.(type) {
	case permissionResponse:
		return s.as(access.Approve, func() *Fault { return s.answerPermission(run, r) })
	case questionResponse:
		return s.as(access.Approve, func() *Fault { return s.answerQuestion(run, r) })
	}
	return s.as(access.Operate, func() *Fault { return s.operate(run, request) })
}

// operate does what changes a run.
func (s *socket) operate(run string, request any) *Fault {
	switch r := request.(type) {
	case inputRequest:
		return s.input(run, r)
	case retryRequest:
		return s.retry(run, r)
	case interruptRequest:
		if f := s.awaitLaunch(run); f != nil {
			return f
		}
		if _, err := s.bridge.runs.Interrupt(s.ctx, run, s.who.Actor); err != nil {
			return faultOf(err, codeNoAgent)
		}
		return s.reply(interruptedEvent{})
	case stopRequest:
		return s.asked(s.bridge.runs.Stop(s.ctx, run, s.who.Actor)) // stopped follows
	case cancelQueued:
		return s.cancelQueued(run)
	case setModel:
		return s.setModel(run, r)
	case setMode:
		return s.setMode(run, r)
	}
	return invalid("this message cannot be handled")
}

// as does something that needs a role.
func (s *socket) as(needed access.Role, do func() *Fault) *Fault {
	if !s.who.Role.Allows(needed) {
		return fault(codeForbidden, fmt.Sprintf("this needs the role %s; the caller has %s", needed, s.who.Role))
	}
	return do()
}

func (s *socket) reply(e event) *Fault {
	_ = s.send(e) // the reader notices the end of the socket
	return nil
}

// asked returns the fault of a request to a run.
func (s *socket) asked(_ holder.Record, err error) *Fault {
	if err != nil {
		return faultOf(err, codeNoAgent)
	}
	return nil
}

// historySize is how many messages a client gets of a session that it resumes.
const historySize = 50

// start starts an agent, or connects to the one that has the session.
func (s *socket) start(r startRequest) *Fault {
	if s.agentID() != "" {
		return fault(codeAttached, "this socket has an agent already: open another one")
	}
	if r.SessionID != "" && !sesskeep.IsUUID(r.SessionID) {
		return fault(codeBadSession, "sessionId is not a UUID")
	}
	if r.ProjectPath == "" {
		return invalid("projectPath is missing")
	}
	run, fresh, err := s.bridge.Start(s.ctx, Order{Project: r.ProjectPath, Session: r.SessionID, Model: r.Model, Helper: r.Helper})
	if err != nil {
		return faultOf(err, codeNoSession)
	}
	from := at(run.LogSize)
	if fresh {
		from = at(0) // nobody has seen any of it
	}
	hello := s.bridge.connected(&run)
	hello.ModelAlias = r.Model
	if err := s.attach(&run, from, "", hello); err != nil || r.SessionID == "" {
		return nil
	}
	history, err := s.bridge.host.History(s.ctx, run.SessionID, historySize)
	if err != nil {
		return faultOf(err, codeNoSession)
	}
	return s.reply(history)
}

// Start starts a run, or finds the one that has the session; fresh is true if it was
// started.
func (b *Bridge) Start(ctx context.Context, o Order) (run holder.Record, fresh bool, err error) {
	o.Session = strings.ToLower(o.Session) // Swift writes it in upper case
	b.starting.Lock()
	defer b.starting.Unlock()
	living, err := b.runs.List(ctx, runs.Filter{Living: true})
	if err != nil {
		return run, false, err
	}
	has := func(r holder.Record) bool { return o.Session != "" && r.SessionID == o.Session }
	if i := slices.IndexFunc(living.Runs, has); i >= 0 {
		return living.Runs[i], false, nil
	}
	if living.Total >= maxAgents {
		return run, false, ErrTooManyAgents
	}
	run, err = b.host.Start(ctx, o)
	return run, err == nil, err
}

// connected returns the answer to start and reconnect.
func (b *Bridge) connected(run *holder.Record) connectedEvent {
	return connectedEvent{AgentID: run.ID, SessionID: run.SessionID, Model: ModelName(run.Model), Version: b.version, ProtocolVersion: ProtocolVersion}
}

// reconnect connects to an agent, and sends what the client missed.
func (s *socket) reconnect(r reconnectRequest) *Fault {
	if s.agentID() != "" {
		return fault(codeAttached, "this socket has an agent already: open another one")
	}
	run, err := s.bridge.runs.Read(s.ctx, r.AgentID)
	switch {
	case err != nil:
		return faultOf(err, codeNoAgent)
	case !run.Living():
		return fault(codeNoAgent, "the agent has ended; start the session again")
	}
	from := at(run.LogSize)
	if r.LastMessageID != "" {
		from = newCursor(r.LastMessageID, runHash(&run.Run))
	}
	_ = s.attach(&run, from, r.LastMessageID, s.bridge.connected(&run)) // the reader notices the end of the socket
	return nil
}

// subscribe sends the changes of sessions from now on. Another subscription replaces the
// one before.
func (s *socket) subscribe(r subscribeRequest) *Fault {
	ctx, cancel := context.WithCancel(s.ctx)
	s.mu.Lock()
	before := s.sessions
	s.sessions = cancel
	s.mu.Unlock()
	if before != nil {
		before()
	}
	s.done.Go(func() {
		defer cancel()
		err := s.bridge.host.Sessions(ctx, r.ProjectPath, func(e SessionEvent) error { return s.send(e) })
		if err != nil && ctx.Err() == nil {
			_ = s.send(faultOf(err, codeInvalid))
		}
	})
	return nil
}

// answerPermission allows or denies a tool.
func (s *socket) answerPermission(run string, r permissionResponse) *Fault {
	record, err := s.bridge.runs.Read(s.ctx, run)
	if err != nil {
		return faultOf(err, codeNoAgent)
	}
	p := findPrompt(&record, r.ID)
	if p == nil {
		return fault(codeNoQuestion, "nothing waits for this answer any more")
	}
	a, f := r.decision(p)
	if f != nil {
		return f
	}
	return s.answered(s.bridge.runs.AnswerPrompt(s.ctx, a, s.who.Actor))
}

// answerQuestion answers the questions of the model.
func (s *socket) answerQuestion(run string, r questionResponse) *Fault {
	record, err := s.bridge.runs.Read(s.ctx, run)
	if err != nil {
		return faultOf(err, codeNoAgent)
	}
	p := findPrompt(&record, r.ID)
	if p == nil {
		return fault(codeNoQuestion, "nothing waits for this answer any more")
	}
	a := launch.Answer{Prompt: p.ID, Hash: p.Hash, Behavior: launch.Allow, Answers: map[string]string{}}
	for text, answer := range r.Answers {
		a.Answers[text] = string(answer)
	}
	return s.answered(s.bridge.runs.AnswerPrompt(s.ctx, a, s.who.Actor))
}

// answered returns the fault of an answer.
func (s *socket) answered(_ holder.Record, err error) *Fault {
	if code := errcode.Of(err); code == errcode.NotFound || code == errcode.Conflict {
		return fault(codeNoQuestion, err.Error())
	}
	if err != nil {
		return faultOf(err, codeNoQuestion)
	}
	return nil
}

// cancelQueued drops the messages that wait.
func (s *socket) cancelQueued(run string) *Fault {
	before, err := s.bridge.runs.Read(s.ctx, run)
	if err == nil {
		_, err = s.bridge.runs.Withdraw(s.ctx, run, s.who.Actor)
	}
	switch {
	case err != nil:
		return faultOf(err, codeNoAgent)
	case len(before.Waiting) == 0: // else the change of the run says so
		return s.reply(queueCleared{})
	}
	return nil
}

// launchTime is how long a message waits for a client that has just been started.
const launchTime = 10 * time.Second

// awaitLaunch waits until the client of a run was started: only then it can be told
// something. CodingBridge sets the mode as soon as it is connected.
func (s *socket) awaitLaunch(run string) *Fault {
	for end := s.bridge.now().Add(launchTime); ; {
		record, err := s.bridge.runs.Read(s.ctx, run)
		switch {
		case err != nil:
			return faultOf(err, codeNoAgent)
		case record.State != launch.Queued:
			return nil
		case s.bridge.now().After(end):
			return &Fault{Code: codeConflict, Message: "other runs come first: the agent has no client yet", Recoverable: true, Retryable: true, RetryAfter: 10}
		}
		select {
		case <-s.ctx.Done():
			return faultOf(s.ctx.Err(), codeNoAgent)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// setModel sets the model of later turns. The change of the run answers it.
func (s *socket) setModel(run string, r setModel) *Fault {
	if err := launch.CheckModel(r.Model); err != nil {
		return invalid(err.Error())
	}
	if f := s.awaitLaunch(run); f != nil {
		return f
	}
	before, err := s.bridge.runs.Set(s.ctx, run, r.Model, "")
	switch {
	case err != nil:
		return faultOf(err, codeNoAgent)
	case before.Model == r.Model:
		return s.reply(modelChanged{Model: r.Model, PreviousModel: r.Model})
	}
	return nil
}

// setMode sets how the client asks for permission.
func (s *socket) setMode(run string, r setMode) *Fault {
	switch mode := launch.Mode(r.Mode); mode {
	case launch.AskFirst, launch.AcceptEdit:
	case launch.Bypass:
		if err := s.bridge.host.MayBypass(s.ctx); err != nil {
			return fault(codeForbidden, err.Error())
		}
	default:
		return invalid("the mode is default, acceptEdits or bypassPermissions")
	}
	if f := s.awaitLaunch(run); f != nil {
		return f
	}
	before, err := s.bridge.runs.Set(s.ctx, run, "", r.Mode)
	switch {
	case err != nil:
		return faultOf(err, codeNoAgent)
	case string(before.Mode) == r.Mode:
		return s.reply(modeChanged(r))
	}
	return nil
}
