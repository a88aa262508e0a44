package reading

// Waiting counts the callers that read a transcript or wait to.
func (p *Pool) Waiting(key Key) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e := p.entries[key]; e != nil {
		return e.callers
	}
	return 0
}
