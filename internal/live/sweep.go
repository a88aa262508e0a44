package live

import "path/filepath"

// sweep looks at what can have changed unseen. Every time it is the live
// families and what has no watch; of everything else a part, so that one look
// at all of it takes many sweeps and none of them takes long.
func (l *loop) sweep() {
	l.looks++
	if l.hub.o.Reports != "" {
		l.watcher.add(filepath.Dir(l.hub.o.Reports), 1)
		l.readReports()
	}
	round := l.looks%l.hub.pace.near == 0
	for _, h := range l.homes {
		h.sweepLive()
		if round || h.seeksHeld() {
			h.clients.findHeld()
		}
		h.near = h.sweepPart(h.near, l.hub.pace.near, h.sweepFolder)
		h.far = h.sweepPart(h.far, l.hub.pace.far, h.sweepSides)
		if round {
			h.due.registry, h.due.jobs = true, true
		}
	}
	if round {
		l.forgetReports()
	}
	if round && l.log != nil {
		l.log.tryLock() // whoever had it may have ended
	}
}

// sweepAll looks at everything at once.
func (l *loop) sweepAll() {
	for _, h := range l.homes {
		h.due.registry, h.due.jobs, h.due.projects = true, true, true
		for key := range h.folders {
			h.due.folders[key] = true
		}
		h.sweepLive()
	}
}

// sweepPart does the share of one sweep of all folders, from place at on, and
// gives the next place.
func (h *home) sweepPart(at, sweeps int, do func(*folder)) int {
	for range (len(h.order) + sweeps - 1) / sweeps {
		if at >= len(h.order) {
			at = 0
		}
		do(h.order[at])
		at++
	}
	return at
}

func (h *home) sweepLive() {
	if h.watched("sessions") {
		h.clients.checkAlive()
	} else {
		h.due.registry = true
	}
	if !h.watched("jobs") {
		h.due.jobs = true
	}
	if !h.watched("projects") {
		if now, _ := h.store.Stamp("projects"); now != h.projects {
			h.due.projects = true
		}
	}
	for _, f := range h.order {
		if !h.watched(f.dir) {
			h.checkFolder(f)
		}
	}
	now := h.hub.o.Now()
	for _, s := range h.sessions {
		s.young = max(0, s.young-1)
		if s.state.Runs() || !s.judged {
			h.due.judge[s] = true // time alone can change that
		}
		switch {
		case !s.active:
		case s.idle(now):
			s.deactivate()
		default:
			s.sweep()
		}
	}
}

// sweep checks the files of a live session.
func (s *session) sweep() {
	if s.main != nil {
		s.main.check()
	}
	if side := s.side(); side != nil {
		s.home.sweepSide(side)
	}
}

func (h *home) sweepSide(s *side) {
	for _, f := range s.files {
		f.check()
	}
	// A directory can be there that was not when the side was last listed.
	names := map[string]bool{s.folder.dir + "/" + string(s.id): true}
	for name := range s.dirs {
		names[name] = true
	}
	for name := range names {
		if now, _ := h.store.Stamp(name); now.Modtime != s.dirs[name] {
			h.due.sides[s] = true
		}
	}
}

// checkFolder makes a directory due to which something was added, or from which
// something was taken, since it was last listed.
func (h *home) checkFolder(f *folder) bool {
	now, ok := h.store.Stamp(f.dir)
	same := ok && now.Modtime == f.stamp.Modtime && now.Inode == f.stamp.Inode
	if !same {
		h.due.folders[f.key] = true
	}
	return same
}

// sweepFolder looks at the files of a directory that has no watch.
func (h *home) sweepFolder(f *folder) {
	if h.checkFolder(f) && !h.watched(f.dir) {
		h.checkFiles(f)
	}
}

func (h *home) checkFiles(f *folder) {
	for _, file := range f.files {
		file.check()
	}
}

// sweepSides looks at what lies below a directory, and at its files if it has a
// watch. That can miss something, but seldom: to look at thousands of files
// more often for it would cost more than all else.
func (h *home) sweepSides(f *folder) {
	if h.watched(f.dir) {
		h.checkFiles(f)
	}
	for _, s := range f.sides {
		h.sweepSide(s)
	}
}
