package tui

import "strings"

// seek goes to a block that has a text, and to the line of it.
func (f *feed) seek(s spot, text string) {
	if len(f.slots) == 0 {
		return
	}
	if sl := &f.slots[s.slot]; f.modes.focused && !sl.prompt && !sl.final {
		m := f.modes
		m.focused = false
		f.setModes(m)
	}
	f.pinned = false
	f.sought = text
	f.at = s
	if !f.uncover() {
		f.put(s, f.height/3)
		f.sought = text
	}
}

// uncover shows the text that is sought in the chosen block, once that is read.
// Where it is in what is left out, the block is opened.
func (f *feed) uncover() bool {
	text := f.sought
	if text == "" || f.part(f.at) == nil {
		return false
	}
	f.sought = ""
	if f.lineWith(f.at, text) < 0 {
		f.setFold(&f.slots[f.at.slot], f.at.part, opened)
	}
	f.put(f.at, f.height/3-max(0, f.lineWith(f.at, text)))
	return true
}

// lineWith is the first line of a block that shows a text, or -1.
func (f *feed) lineWith(s spot, text string) int {
	for i, line := range f.lines(s) {
		if strings.Contains(strings.ToLower(unpainted(line)), text) {
			return i
		}
	}
	return -1
}

// unpainted is a drawn line without its colours.
func unpainted(line string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(line, 0x1b)
		if i < 0 {
			break
		}
		b.WriteString(line[:i])
		line = line[i+strings.IndexByte(line[i:], 'm')+1:]
	}
	b.WriteString(line)
	return b.String()
}
