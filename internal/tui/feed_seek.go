package tui

import "strings"

// seekMessage goes to a message of a turn, once that is read.
func (f *feed) seekMessage(slot int, uuid string) {
	f.goal = uuid
	f.bring(spot{slot: slot})
}

// bring makes a block the chosen one and shows it below what leads to it.
func (f *feed) bring(s spot) { f.put(s, f.height/4) }

// seek goes to a block that has something, and to the line of it.
func (f *feed) seek(s spot, sought needle) {
	if len(f.slots) == 0 {
		return
	}
	if sl := &f.slots[s.slot]; f.modes.focused && !sl.prompt && !sl.final {
		m := f.modes
		m.focused = false
		f.setModes(m)
	}
	f.pinned = false
	f.sought = sought
	f.at = s
	if !f.uncover() {
		f.put(s, f.height/3)
		f.sought = sought
	}
}

// uncover shows what is sought in the chosen block, once that is read.
// Where it is in what is left out, the block is opened.
func (f *feed) uncover() bool {
	sought := f.sought
	if sought.none() || f.part(f.at) == nil {
		return false
	}
	f.sought = needle{}
	if sought.line(f.lines(f.at)) < 0 {
		f.setFold(&f.slots[f.at.slot], f.at.part, opened)
	}
	f.put(f.at, f.height/3-max(0, sought.line(f.lines(f.at))))
	return true
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
