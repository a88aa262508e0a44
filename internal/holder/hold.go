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

// holder is a run and the client it is about.
//
//	client ─ stdout ─▶ hear ─┐                        ┌─▶ writer ─ stdin ─▶ client
//	socket ─ requests ───────┼─▶ Machine ─ effects ───┼─▶ signals
//	clock  ──────────────────┘      │                 └─▶ life.jsonl
//	                            tell: whoever follows looks again
type holder struct {
	store Store
	order Order
	run   Run
	held  *lock.Lock

	mu      sync.Mutex
	machine *launch.Machine
	out     *output
	life    *os.File
	client  *client       // nil: it does not run yet
	changed chan struct{} // closed when there is something new
	version int           // of what followers are told of the run
	trouble error         // the first that went wrong beside the client

	notices sync.WaitGroup           // those that are being sent
	noticed map[string]chan struct{} // by place: closed when the last one is

	decided chan launch.Answer // of a question: the answer that counts

	ended chan struct{} // closed when the run is over and its end written
}

// Hold runs a client until it has ended, and returns then. It calls begun once the
// run can be asked. The end of ctx ends the run.
func Hold(ctx context.Context, s Store, o Order, begun func(Run)) (err error) {
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
	// Its place among those that wait is taken before anybody knows of the run: who
	// starts another one afterwards comes later.
	if err := regular.WriteFile(h.waits(), nil, 0o600); err != nil {
		return err
	}
	begun(h.run)
	var rest sync.WaitGroup
	rest.Go(func() { h.keepTime(ctx) })
	h.live()
	h.notices.Wait()
	err = h.finish()
	close(h.ended)
	h.tell()
	rest.Wait()
	server.end()
	return err
}

// open makes the files of the run.
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
	if h.held, err = take(h.store.path(id, "held")); err != nil {
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

// take takes a lock that others may hold for a moment, to see whether they can.
func take(path string) (*lock.Lock, error) {
	for try := 0; ; try++ {
		l, err := lock.Take(path)
		if !errors.Is(err, lock.ErrHeld) || try == 100 {
			return l, err
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func (h *holder) close() error {
	return errors.Join(h.out.file.Close(), h.life.Close(), h.held.Release())
}

// act tells the machine something and does what it wants done.
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
	h.tellLocked()
	return err
}

func (h *holder) perform(e launch.Effect) {
	if e.Deed == launch.Note {
		h.writeLocked(e.Event)
		h.noticeLocked(&e.Event)
		return
	}
	if h.client == nil {
		return // there is nobody to do it to
	}
	switch e.Deed {
	case launch.Write:
		h.client.write(e.Data)
	case launch.CloseInput:
		h.client.closeInput()
	case launch.Terminate:
		h.noteLocked(h.client.process.terminate())
	case launch.Kill:
		h.noteLocked(h.client.process.kill())
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
	h.noteLocked(err)
}

// noteLocked remembers what went wrong beside the client.
func (h *holder) noteLocked(err error) {
	if err != nil && h.trouble == nil && !errors.Is(err, os.ErrProcessDone) {
		h.trouble = err
	}
}

// tell lets followers look again.
func (h *holder) tell() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.tellLocked()
}

func (h *holder) tellLocked() {
	close(h.changed)
	h.changed = make(chan struct{})
}

// over reports whether the machine has ended.
func (h *holder) over() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.machine.State() == launch.Ended
}

// keepTime tells the machine what time it is whenever it has to know, and that
// the holder was told to end.
func (h *holder) keepTime(ctx context.Context) {
	done := ctx.Done()
	for !h.over() {
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
				m.Stop(now, launch.Stopped, "its holder was told to end")
				return nil
			})
		case <-due:
			_ = h.act(func(m *launch.Machine, now time.Time) error { m.Tick(now); return nil })
		case <-changed:
		}
	}
}

// live waits for a slot and runs the client in it.
func (h *holder) live() {
	slot, err := h.wait()
	if slot == nil {
		if err != nil {
			h.exited(launch.Exit{Launch: err.Error()})
		}
		return // it was stopped
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
	exit := c.wait(h.hear)
	h.exited(exit)
}

func (h *holder) exited(e launch.Exit) {
	_ = h.act(func(m *launch.Machine, now time.Time) error { m.Exited(now, e); return nil })
}

// hear takes a line of output: it is in the log before anything follows from it.
// A log that cannot be written ends the run: what nobody can read afterwards must
// not go on.
func (h *holder) hear(raw []byte) {
	l := launch.Decode(raw)
	h.mu.Lock()
	defer h.mu.Unlock()
	before, version := h.machine.State(), h.version
	err := h.out.add(l)
	_ = h.actLocked(func(m *launch.Machine, now time.Time) error {
		if err != nil {
			h.noteLocked(err)
			m.Stop(now, lossOf(err), "its log cannot be written: "+err.Error())
		}
		m.Heard(now, l)
		return nil
	})
	if l.Kind == launch.Result {
		h.dayLocked()
	}
	if l.Kind == launch.Partial && h.machine.State() == before {
		h.version = version // there is nothing to tell but the piece
	}
}

// finish writes how the run ended.
func (h *holder) finish() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	status := h.machine.Status()
	if h.trouble != nil && status.Error == "" {
		status.Error, status.Outcome = h.trouble.Error(), lossOf(h.trouble)
	}
	h.store.release(h.run.ID)
	err := h.store.writeEnd(h.run.ID, ending{Status: status, Responses: h.machine.Responses()})
	if err != nil {
		status.Text = "" // that it ended, and why, matters more
		err = h.store.writeEnd(h.run.ID, ending{Status: status})
	}
	return err
}

// slotPause is between looks whether another run has ended.
const slotPause = 200 * time.Millisecond

// wait waits until less than Order.Slots runs have a client. Who came first goes
// first. There is no slot if the run was stopped meanwhile.
func (h *holder) wait() (*lock.Lock, error) {
	defer os.Remove(h.waits())
	for {
		if slot, err := h.slot(); slot != nil || err != nil {
			return slot, err
		}
		if h.over() {
			return nil, nil
		}
		time.Sleep(slotPause)
	}
}

// waits is the file that says that the run waits for a slot.
func (h *holder) waits() string { return h.store.path(h.run.ID, "waits") }

// slot takes one that is free, if it is this run's turn.
func (h *holder) slot() (*lock.Lock, error) {
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
		slot, err := lock.Take(h.store.path("slots", fmt.Sprint(i+1)))
		if !errors.Is(err, lock.ErrHeld) {
			return slot, err
		}
	}
	return nil, nil
}
