package index

import (
	"container/list"
	"sync"

	"sesskeep"
	"sesskeep/internal/index/usage"
)

// fold is what was read of a file so far, so that what is appended to it can be
// added without reading the rest again.
type fold struct {
	digest sesskeep.Digest
	tally  usage.Tally
	mark   sesskeep.Mark // how far it was read
}

// size is about how many bytes a fold takes, with the tree its digest keeps.
func (f *fold) size() int64 {
	const line, row = 480, 320
	return int64(cap(f.digest.Chain))*line + int64(len(f.digest.Usage)+f.tally.Calls())*row + 4096
}

// fileName is where a transcript lies.
type fileName struct{ root, name string }

// holdLimit is how many bytes of folds an Index holds.
const holdLimit = 64 << 20

// holder keeps the folds of files that grow, as long as the process lives and
// never on disk. Those that were not wanted for longest go first.
type holder struct {
	mu    sync.Mutex
	at    map[fileName]*list.Element
	order list.List // of *heldFold, the one used last first
	bytes int64
}

type heldFold struct {
	key  fileName
	fold *fold
	size int64
}

// take gives out the fold of a file, which is then the caller's.
func (h *holder) take(key fileName) *fold {
	h.mu.Lock()
	defer h.mu.Unlock()
	e := h.at[key]
	if e == nil {
		return nil
	}
	return h.remove(e).fold
}

// history returns a Mark that was written down, as this process made it if it did:
// then what was compared before need not be compared again.
func (h *holder) history(key fileName, m sesskeep.Mark) sesskeep.Mark {
	h.mu.Lock()
	defer h.mu.Unlock()
	e := h.at[key]
	if e == nil {
		return m
	}
	held := e.Value.(*heldFold).fold.mark
	if held.Status() != m.Status() || held.Offset != m.Offset || held.All != m.All {
		return m
	}
	return held
}

// put takes a fold in, and lets others go that there is no room for.
func (h *holder) put(key fileName, f *fold) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.at == nil {
		h.at = map[fileName]*list.Element{}
	}
	if e := h.at[key]; e != nil {
		h.remove(e)
	}
	held := &heldFold{key, f, f.size()}
	h.at[key] = h.order.PushFront(held)
	for h.bytes += held.size; h.bytes > holdLimit; {
		h.remove(h.order.Back())
	}
}

func (h *holder) remove(e *list.Element) *heldFold {
	held := h.order.Remove(e).(*heldFold)
	delete(h.at, held.key)
	h.bytes -= held.size
	return held
}

func (h *holder) clear() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.at, h.bytes = nil, 0
	h.order.Init()
}
