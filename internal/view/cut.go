package view

import "unicode/utf8"

// Cut shortens every text of the part that has more bytes than limit, so that one
// large block does not make a page large. FullSize then tells what the whole
// would take.
func (p *Part) Cut(limit int) {
	whole := len(p.Text)
	cut := shorten(&p.Text, limit)
	if p.Call != nil {
		c := *p.Call
		whole += len(c.Output) + len(c.Input)
		for _, text := range []*string{&c.Output, &c.Reason, &c.Command, &c.Prompt, &c.Plan} {
			cut = shorten(text, limit) || cut
		}
		cut = c.cutDiff(limit) || cut
		if len(c.Input) > limit {
			c.Input, cut = nil, true
		}
		p.Call = &c
	}
	if cut {
		p.FullSize = whole
	}
}

// shorten keeps the beginning of a text, in whole characters.
func shorten(text *string, limit int) bool {
	if len(*text) <= limit {
		return false
	}
	for limit > 0 && !utf8.RuneStart((*text)[limit]) {
		limit--
	}
	*text = (*text)[:limit]
	return true
}

// cutDiff keeps the first lines of the hunks. What was added and removed is
// counted as before.
func (c *Call) cutDiff(limit int) bool {
	left := limit
	for i, h := range c.Diff {
		for n, line := range h.Lines {
			left -= len(line)
			if left >= 0 {
				continue
			}
			hunks := append([]Hunk{}, c.Diff[:i+1]...)
			h.Lines = h.Lines[:n]
			hunks[i] = h
			c.Diff = hunks
			return true
		}
	}
	return false
}
