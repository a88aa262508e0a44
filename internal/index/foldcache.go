package index

import (
	"container/list"
	"sync"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/index/calls"
	"sesskeep/internal/index/usage"
)

// fold is what was read of a file so far, so that what is appended to it can be
// added without reading the rest again.
type fold struct {
	digest sesskeep.Digest
	tally  usage.Tally
	calls  calls.Fold
	mark   homefs.Mark // how far it was read
}

// size is about how many bytes a fold takes, with the tree its digest keeps.
func (f *fold) size() int64 {
	const line, row = 480, 320
	return int64(cap(f.digest.Chain))*line + int64(len(f.digest.Usage)+f.calls.Len())*row + 4096
}

// fileName is where a transcript lies.
type fileName struct{ root, name string }

// foldCacheLimit is how many bytes of folds an Index holds.
const foldCacheLimit = 64 << 20

// foldCache keeps the folds of files that grow, as long as the process lives and
// never on disk. Those that were not wanted for longest go first.
type foldCache struct {
	mu    sync.Mutex
	at    map[fileName]*list.Element
	order list.List // of *cachedFold, most recently used first
	bytes int64
}

type cachedFold struct {
	key  fileName
	fold *fold
	size int64
}

// remove hands the fold of a file over to the caller.
func (h *foldCache) remove(key fileName) *fold {
	h.mu.Lock()
	defer h.mu.Unlock()
	e := h.at[key]
	if e == nil {
		return nil
	}
	return h.drop(e).fold
}

// ownMark returns a Mark that was written down, as this process made it if it did:
// then what was compared before need not be compared again.
func (h *foldCache) ownMark(key fileName, m homefs.Mark) homefs.Mark {
	h.mu.Lock()
	defer h.mu.Unlock()
	e := h.at[key]
	if e == nil {
		return m
	}
	held := e.Value.(*cachedFold).fold.mark
	if held.Status() != m.Status() || held.Offset != m.Offset || held.All != m.All {
		return m
	}
	return held
}

// put adds a fold, and drops others that there is no room for.
func (h *foldCache) put(key fileName, f *fold) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.at == nil {
		h.at = map[fileName]*list.Element{}
	}
	if e := h.at[key]; e != nil {
		h.drop(e)
	}
	held := &cachedFold{key, f, f.size()}
	h.at[key] = h.order.PushFront(held)
	for h.bytes += held.size; h.bytes > foldCacheLimit; {
		h.drop(h.order.Back())
	}
}

func (h *foldCache) drop(e *list.Element) *cachedFold {
	held := h.order.Remove(e).(*cachedFold)
	delete(h.at, held.key)
	h.bytes -= held.size
	return held
}

func (h *foldCache) clear() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.at, h.bytes = nil, 0
	h.order.Init()
}
