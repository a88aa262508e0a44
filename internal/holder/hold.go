package holder

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"

	"sesskeep/internal/launch"
	"sesskeep/internal/lock"
	"sesskeep/internal/regular"
	"sesskeep/internal/stamp"
)

// holder is a run with its client.
//
//	client ─ stdout ─▶ lines ┐                        ┌─▶ writer ─ stdin ─▶ client
//	socket ─ requests ───────┼─▶ Machine ─ effects ───┼─▶ signals
//	clock  ──────────────────┘      │                 └─▶ life.jsonl
//	                            publish: followers read again
type holder struct {
	store Store
	order Order
	run   Run
	held  *lock.Lock

	mu       sync.Mutex
	machine  *launch.Machine
	out      *output
	life     *os.File
	client   *client       // nil: not started yet
	changed  chan struct{} // closed when there is something new
	version  int           // of the state that followers get
	firstErr error         // the first error that is not the client's

	notices sync.WaitGroup           // notices being sent
	noticed map[string]chan struct{} // by destination: closed when its latest notice was sent

	decided chan launch.Answer // the accepted answer to a Question

	ended chan struct{} // closed when the run is over and its end is written
}

// Hold runs a client and returns when the client has ended. It calls started as
// soon as the run accepts requests. When ctx ends, Hold stops the run.
func Hold(ctx context.Context, s Store, o Order, started func(Run)) (err error) {
	argv, err := o.Spec.Argv()
	if err != nil {
		return err
	}
	if o.Slots <= 0 {
		o.Slots = DefaultSlots
	}
	h := &holder{store: s, order: o, changed: make(chan struct{}), ended: make(chan struct{}), noticed: map[string]chan struct{}{}}
	if err := h.open(runPrefix, argv); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.close()) }()
	server, err := h.listen()
	if err != nil {
		return err
	}
	// The run enters the queue before anyone can know of it, so a run that is
	// started later also queues behind it.
	if err := regular.WriteFile(h.waitFile(), nil, 0o600); err != nil {
		return err
	}
	started(h.run)
	var rest sync.WaitGroup
	rest.Go(func() { h.keepTime(ctx) })
	h.runClient()
	h.notices.Wait()
	if !h.held.Lost() {
		err = h.finish()
	}
	close(h.ended)
	h.publish()
	rest.Wait()
	server.end()
	return err
}

// open creates the files of the run.
func (h *holder) open(prefix string, argv []string) (err error) {
	id, err := h.store.create(prefix)
	if err != nil {
		return fmt.Errorf("make a run: %w", err)
	}
	o, now := &h.order, h.store.now()
	h.run = Run{
		ID: id, CreatedAt: stamp.Time{Time: now}, Dir: o.Spec.Dir, Root: o.Root, SessionID: o.Spec.Session, Resumed: o.Spec.Resume,
		Forked: o.Spec.Fork, Model: o.Spec.Model, Mode: o.Spec.Mode, Role: o.Role, Purpose: o.Purpose,
		Title: title(o.Message.Text), Client: o.Client, Argv: argv, By: o.By, PID: os.Getpid(),
		Foreign: prefix == questionPrefix,
	}
	if h.held, err = acquireLock(h.store.path(id, "held")); err != nil {
		return err
	}
	if h.out, err = newOutput(h.store.path(id, "log.jsonl")); err != nil {
		return errors.Join(err, h.held.Release())
	}
	h.life, err = regular.OpenFile(h.store.path(id, "life.jsonl"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return errors.Join(err, h.out.file.Close(), h.held.Release())
	}
	if prefix == runPrefix {
		if err := h.store.reserve(id); err != nil {
			return errors.Join(err, h.close(), os.RemoveAll(h.store.path(id)))
		}
	}
	h.machine = launch.New(o.Limits, now)
	if o.Spec.Allowed {
		h.machine.AllowBypass()
	}
	data, err := json.Marshal(h.run)
	if err == nil {
		err = regular.Replace(h.store.path(id, "run.json"), append(data, '\n'))
	}
	if err == nil && o.Message.Text != "" {
		err = h.act(func(m *launch.Machine, now time.Time) error { return m.Send(now, o.Message) })
	}
	if err != nil {
		return errors.Join(err, h.close())
	}
	return nil
}

// acquireLock acquires a lock that other processes hold briefly when they check
// whether the run is held.
func acquireLock(path string) (*lock.Lock, error) {
	for try := 0; ; try++ {
		l, err := lock.Acquire(path)
		if !errors.Is(err, lock.ErrHeld) || try == 100 {
			return l, err
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func (h *holder) close() error {
	return errors.Join(h.out.file.Close(), h.life.Close(), h.held.Release())
}

// act passes something to the machine and performs the effects that it asks for.
func (h *holder) act(what func(m *launch.Machine, now time.Time) error) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.actLocked(what)
}

func (h *holder) actLocked(what func(m *launch.Machine, now time.Time) error) error {
	err := what(h.machine, h.store.now())
	for _, e := range h.machine.Effects() {
		h.perform(e)
	}
	h.version++
	h.publishLocked()
	return err
}

func (h *holder) perform(e launch.Effect) {
	if e.Kind == launch.Note {
		h.writeLocked(e.Event)
		h.noticeLocked(&e.Event)
		return
	}
	if h.client == nil {
		return // there is no client to act on
	}
	switch e.Kind {
	case launch.Write:
		h.client.write(e.Data)
	case launch.CloseInput:
		h.client.closeInput()
	case launch.Terminate:
		h.keepErrorLocked(h.client.process.terminate())
	case launch.Kill:
		h.keepErrorLocked(h.client.process.kill())
	}
}

// writeLocked adds a line to the lifecycle log.
func (h *holder) writeLocked(e launch.Event) {
	if e.Time.IsZero() {
		e.Time.Time = h.store.now()
	}
	data, err := json.Marshal(e)
	if err == nil {
		_, err = h.life.Write(append(data, '\n'))
	}
	h.keepErrorLocked(err)
}

// keepErrorLocked keeps the first error that is not the client's.
func (h *holder) keepErrorLocked(err error) {
	if err != nil && h.firstErr == nil && !errors.Is(err, os.ErrProcessDone) {
		h.firstErr = err
	}
}

// publish wakes the followers.
func (h *holder) publish() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.publishLocked()
}

func (h *holder) publishLocked() {
	close(h.changed)
	h.changed = make(chan struct{})
}

// hasEnded reports whether the machine has ended.
func (h *holder) hasEnded() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.machine.State() == launch.Ended
}

// lossPause is the time between checks whether the files of the run are still there.
const lossPause = 2 * time.Second

// keepTime calls Tick whenever the machine has something due, and stops the run
// when ctx ends.
func (h *holder) keepTime(ctx context.Context) {
	done := ctx.Done()
	check := time.NewTicker(lossPause)
	defer check.Stop()
	for !h.hasEnded() {
		h.mu.Lock()
		next, changed := h.machine.Next(), h.changed
		h.mu.Unlock()
		var due <-chan time.Time
		if !next.IsZero() {
			due = time.After(max(0, next.Sub(h.store.now())))
		}
		select {
		case <-done:
			done = nil
			_ = h.act(func(m *launch.Machine, now time.Time) error {
				m.Stop(now, launch.Stopped, "its holder was stopped")
				return nil
			})
		case <-check.C:
			if h.held.Lost() { // nobody can reach it any more, and another run may have its name
				_ = h.act(func(m *launch.Machine, now time.Time) error {
					m.Stop(now, launch.Stopped, "its files were removed")
					return nil
				})
			}
		case <-due:
			_ = h.act(func(m *launch.Machine, now time.Time) error { m.Tick(now); return nil })
		case <-changed:
		}
	}
}

// runClient waits for a slot and runs the client in it.
func (h *holder) runClient() {
	slot, err := h.awaitSlot()
	if slot == nil {
		if err != nil {
			h.exited(launch.Exit{Launch: err.Error()})
		}
		return // the run was stopped
	}
	defer func() { _ = slot.Release() }()
	h.mu.Lock()
	if h.machine.State() == launch.Ended {
		h.mu.Unlock()
		return
	}
	c, err := startClient(&h.order)
	if err != nil {
		h.mu.Unlock()
		h.exited(launch.Exit{Launch: err.Error()})
		return
	}
	h.client = c
	_ = h.actLocked(func(m *launch.Machine, now time.Time) error { m.Launched(now); return nil })
	h.mu.Unlock()
	exit := c.wait(h.handleLine)
	h.exited(exit)
}

func (h *holder) exited(e launch.Exit) {
	_ = h.act(func(m *launch.Machine, now time.Time) error { m.Exited(now, e); return nil })
}

// handleLine handles a line of output. The line is in the log before anything
// acts on it. If the log cannot be written, the run stops: no user could check
// afterwards what it did.
func (h *holder) handleLine(raw []byte) {
	l := launch.Decode(raw)
	h.mu.Lock()
	defer h.mu.Unlock()
	before, version := h.machine.State(), h.version
	err := h.out.add(l)
	_ = h.actLocked(func(m *launch.Machine, now time.Time) error {
		if err != nil {
			h.keepErrorLocked(err)
			m.Stop(now, lossOf(err), "its log cannot be written: "+err.Error())
		}
		m.Receive(now, l)
		return nil
	})
	if l.Kind == launch.Result {
		h.checkDayBudgetLocked()
	}
	if l.Kind == launch.Partial && h.machine.State() == before {
		h.version = version // followers only need the piece
	}
}

// finish writes how the run ended.
func (h *holder) finish() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	status := h.machine.Status()
	if h.firstErr != nil && status.Error == "" {
		status.Error, status.Outcome = h.firstErr.Error(), lossOf(h.firstErr)
	}
	h.store.release(h.run.ID)
	err := h.store.writeEnd(h.run.ID, ending{Status: status, Responses: h.machine.Responses()})
	if err != nil {
		status.Text = "" // the end and its reason matter more than the text
		err = h.store.writeEnd(h.run.ID, ending{Status: status})
	}
	return err
}

// slotPause is the time between attempts to acquire a slot.
const slotPause = 200 * time.Millisecond

// awaitSlot waits until fewer than Order.Slots runs have a client; runs get slots
// in the order in which they were created. It returns nil if the run was stopped
// meanwhile.
func (h *holder) awaitSlot() (*lock.Lock, error) {
	defer func() {
		if !h.held.Lost() {
			_ = os.Remove(h.waitFile())
		}
	}()
	for {
		if slot, err := h.acquireSlot(); slot != nil || err != nil {
			return slot, err
		}
		if h.hasEnded() {
			return nil, nil
		}
		time.Sleep(slotPause)
	}
}

// waitFile is the path of the file that marks the run as waiting for a slot.
func (h *holder) waitFile() string { return h.store.path(h.run.ID, "waits") }

// acquireSlot acquires a free slot if no earlier run waits for one.
func (h *holder) acquireSlot() (*lock.Lock, error) {
	ids, err := h.store.ids()
	if err != nil {
		return nil, err
	}
	earlier := ids[:max(0, slices.Index(ids, h.run.ID))]
	for _, id := range earlier {
		if _, err := os.Stat(h.store.path(id, "waits")); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if h.store.held(id) {
			return nil, nil
		}
	}
	for i := range h.order.Slots {
		slot, err := lock.Acquire(h.store.path("slots", fmt.Sprint(i+1)))
		if !errors.Is(err, lock.ErrHeld) {
			return slot, err
		}
	}
	return nil, nil
}
