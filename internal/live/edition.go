package live

import (
	"errors"

	"sesskeep"
	"sesskeep/homefs"
)

// edition is the content of a transcript between two replacements. While it
// lasts it only grows, so a range of it can be read again.
type edition struct {
	store *sesskeep.Store
	file  File
	agent sesskeep.AgentID
	// The identity of the file; 0 where the system has none. It is set
	// before the first range of the edition is published.
	device, inode uint64

	// Guarded by Hub.mu.
	key  sesskeep.Key // of the session, without one for a flat agent that was not read
	over bool         // the file was replaced or deleted: its ranges are dropped
}

// Why a range cannot be read.
var (
	errNoLine = errors.New("no line starts there")
	errShort  = errors.New("the file is not what it was")
)

// read returns the entries of [from, to) and the position behind them. It stops
// after the line with which it passes limit bytes; 0 is no limit.
func (e *edition) read(from, to Position, limit int) ([]sesskeep.Entry, Position, error) {
	t, err := e.store.Tail(e.file.Name, homefs.Mark{Offset: from.Offset, Lines: from.Line})
	if err != nil {
		return nil, from, err
	}
	defer t.Close()
	switch t.Change {
	case homefs.Replaced:
		return nil, from, errNoLine
	case homefs.Gone:
		return nil, from, errShort
	}
	var entries []sesskeep.Entry
	reached, size := from, 0
	for x, ok := t.Next(); ok && x.Offset < to.Offset; x, ok = t.Next() {
		at := position(t)
		if limit > 0 && size >= limit && at != reached { // entries of one line stay together
			return entries, reached, nil
		}
		entries, reached = append(entries, x.Clone()), at
		size += len(x.Raw)
	}
	now, ok := e.store.Files().Stamp(e.file.Name)
	if !ok || e.inode != 0 && (now.Inode != e.inode || now.Device != e.device) || position(t).Offset < to.Offset {
		return nil, from, errShort
	}
	return entries, to, nil
}

// event returns an event about the file. The caller holds Hub.mu.
func (e *edition) event(k Kind) Event {
	return Event{Kind: k, Root: e.file.Root, Key: e.key, Agent: e.agent, File: e.file.Name}
}
