package feed

import "strings"

// SeekMessage goes to a message of a turn, once that is read.
func (f *Feed) SeekMessage(slot int, uuid string) {
	f.goal = uuid
	f.Bring(Spot{Slot: slot})
}

// Bring makes a block the chosen one and shows it below what leads to it.
func (f *Feed) Bring(s Spot) { f.Put(s, f.height/4) }

// Seek goes to a block that has something, and to the line of it.
func (f *Feed) Seek(s Spot, sought Needle) {
	if len(f.Slots) == 0 {
		return
	}
	if sl := &f.Slots[s.Slot]; f.Modes.Focused && !sl.Prompt && !sl.final {
		m := f.Modes
		m.Focused = false
		f.SetModes(m)
	}
	f.Pinned = false
	f.sought = sought
	f.At = s
	if !f.uncover() {
		f.Put(s, f.height/3)
		f.sought = sought
	}
}

// uncover shows what is sought in the chosen block, once that is read.
// Where it is in what is left out, the block is opened.
func (f *Feed) uncover() bool {
	sought := f.sought
	if sought.None() || f.Part(f.At) == nil {
		return false
	}
	f.sought = Needle{}
	if sought.Line(f.Lines(f.At)) < 0 {
		f.setFold(&f.Slots[f.At.Slot], f.At.Part, opened)
	}
	f.Put(f.At, f.height/3-max(0, sought.Line(f.Lines(f.At))))
	return true
}

// Unpainted is a drawn line without its colours.
func Unpainted(line string) string {
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
