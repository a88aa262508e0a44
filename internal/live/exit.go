package live

// exits waits for the ends of the clients of a home, so that one which is killed is
// noticed at once. The sweep checks the clients that cannot be waited for.
type exits struct {
	waits map[int]exitWait // by pid
}

// exitWait is one that is waited for.
type exitWait struct {
	start string // of the process, as its client registered
	stop  func()
}

// awaitExits waits for the clients that are alive, and for no others.
func (c *clients) awaitExits() {
	hub := c.home.hub
	if hub.o.OnExit == nil {
		return
	}
	alive := map[int]string{}
	for _, client := range c.registered {
		if client.Alive {
			alive[client.PID] = client.Start
		}
	}
	for _, client := range c.held {
		alive[client.PID] = client.Start
	}
	for pid, w := range c.exits.waits {
		if start, ok := alive[pid]; !ok || start != w.start {
			w.stop()
			delete(c.exits.waits, pid)
		}
	}
	for pid, start := range alive {
		if _, ok := c.exits.waits[pid]; ok {
			continue
		}
		if stop, ok := hub.o.OnExit(pid, func() { hub.ask(func(*loop) { c.exited() }) }); ok {
			c.exits.waits[pid] = exitWait{start, stop}
		}
	}
}

// exited checks again who runs: a client has ended.
func (c *clients) exited() {
	c.checkAlive()
	if len(c.held) > 0 {
		c.findHeld()
	}
}

// end stops waiting.
func (e *exits) end() {
	for _, w := range e.waits {
		w.stop()
	}
	clear(e.waits)
}
