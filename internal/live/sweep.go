package live

import "path/filepath"

// sweep checks what can have changed unseen. Every time it is the live
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
		if !h.locate() {
			continue
		}
		h.sweepLive()
		if round || h.seeksHeld() {
			h.clients.findHeld()
		}
		h.tree.near = h.tree.sweepPart(h.tree.near, l.hub.pace.near, (*folder).sweep)
		h.tree.far = h.tree.sweepPart(h.tree.far, l.hub.pace.far, (*folder).sweepSides)
		if round {
			h.due.registry, h.due.jobs = true, true
		}
	}
	if round {
		l.forgetReports()
	}
	if round && l.log != nil {
		l.log.tryLock() // its holder may have ended
	}
}

// sweepAll checks everything at once.
func (l *loop) sweepAll() {
	for _, h := range l.homes {
		h.sweepAll()
	}
}

func (h *home) sweepAll() {
	h.due.registry, h.due.jobs, h.due.projects = true, true, true
	for key := range h.tree.folders {
		h.due.folders[key] = true
	}
	h.sweepLive()
}

// sweepPart does the share of one sweep of all folders, from place at on, and
// returns the next place.
func (t *tree) sweepPart(at, sweeps int, do func(*folder)) int {
	for range (len(t.order) + sweeps - 1) / sweeps {
		if at >= len(t.order) {
			at = 0
		}
		do(t.order[at])
		at++
	}
	return at
}

// sweepLive checks who runs sessions, directories without a watch, and the live
// families.
func (h *home) sweepLive() {
	if h.watched("sessions") {
		h.clients.checkAlive()
	} else {
		h.due.registry = true
	}
	if !h.watched("jobs") {
		h.due.jobs = true
	}
	h.tree.sweepUnwatched()
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

// sweepUnwatched checks the directories that have no watch.
func (t *tree) sweepUnwatched() {
	h := t.home
	if !h.watched("projects") {
		if now, _ := h.store.Files().Stamp("projects"); now != t.projects {
			h.due.projects = true
		}
	}
	for _, f := range t.order {
		if !h.watched(f.dir) {
			f.check()
		}
	}
}

// sweep checks the files of a live session.
func (s *session) sweep() {
	if s.main != nil {
		s.main.check()
	}
	if side := s.side(); side != nil {
		side.sweep()
	}
}

// sweep checks the files of the directory and what lies below it.
func (s *side) sweep() {
	h := s.folder.home
	for _, f := range s.files {
		f.check()
	}
	// A directory can be there that was not when the side was last listed.
	names := map[string]bool{s.folder.dir + "/" + string(s.id): true}
	for name := range s.dirs {
		names[name] = true
	}
	for name := range names {
		if now, _ := h.store.Files().Stamp(name); now.Modtime != s.dirs[name] {
			h.due.sides[s] = true
		}
	}
}

// check makes the directory due if something was added to it or removed from it
// since it was last listed. It reports whether it is as it was.
func (f *folder) check() bool {
	now, ok := f.home.store.Files().Stamp(f.dir)
	same := ok && now.Modtime == f.stamp.Modtime && now.Inode == f.stamp.Inode
	if !same {
		f.home.due.folders[f.key] = true
	}
	return same
}

// sweep checks the files of a directory that has no watch.
func (f *folder) sweep() {
	if f.check() && !f.home.watched(f.dir) {
		f.checkFiles()
	}
}

func (f *folder) checkFiles() {
	for _, file := range f.files {
		file.check()
	}
}

// sweepSides checks what lies below a directory, and its files if it has a watch.
// A watch can miss something, but seldom: to check thousands of files more often for
// that would cost more than all else.
func (f *folder) sweepSides() {
	if f.home.watched(f.dir) {
		f.checkFiles()
	}
	for _, s := range f.sides {
		s.sweep()
	}
}
