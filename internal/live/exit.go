package live

// exits waits for the ends of the clients of a home, so that one which is killed is
// noticed at once. Clients that cannot be waited for are looked at by the sweep.
type exits struct {
	waits map[int]exitWait // by pid
}

// exitWait is one that is waited for.
type exitWait struct {
	start string // of the process, as its client registered
	stop  func()
}

// awaitExits waits for the clients that are alive, and for no others.
func (h *home) awaitExits() {
	if h.hub.o.OnExit == nil {
		return
	}
	alive := map[int]string{}
	for _, c := range h.clients {
		if c.Alive {
			alive[c.PID] = c.Start
		}
	}
	for _, c := range h.held {
		alive[c.PID] = c.Start
	}
	for pid, w := range h.exits.waits {
		if start, ok := alive[pid]; !ok || start != w.start {
			w.stop()
			delete(h.exits.waits, pid)
		}
	}
	for pid, start := range alive {
		if _, ok := h.exits.waits[pid]; ok {
			continue
		}
		if stop, ok := h.hub.o.OnExit(pid, func() { h.hub.ask(func(*loop) { h.exited() }) }); ok {
			h.exits.waits[pid] = exitWait{start, stop}
		}
	}
}

// exited looks again at who runs: a client has ended.
func (h *home) exited() {
	h.askAlive()
	if len(h.held) > 0 {
		h.findHeld()
	}
}

// end stops waiting.
func (e *exits) end() {
	for _, w := range e.waits {
		w.stop()
	}
	clear(e.waits)
}
