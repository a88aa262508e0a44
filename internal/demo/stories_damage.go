package demo

import (
	"bytes"
	"slices"
)

// damagedStory was on a disk that lost power: a record cut off with the next
// one glued to it, a line of NULs, and half a line at the end.
func (h *home) damagedStory() {
	s := h.session(plot{name: "tokenizer", cwd: parserDir, branch: "tokenizer", start: 12*day + 4*hour, model: sonnet})
	s.prompt("Benchmark the tokenizer against strings.Fields")
	s.answer(bash("Run both", "go test -run xxx -bench 'Tokens|Fields' .", benchLines(4, 91_000)))
	s.answer(withheld(150), text("The tokenizer is 2.1 times as fast and allocates nothing."))
	s.pass(11 * minute)
	s.prompt("And with quoted values?")
	s.answer(bash("Run with quotes", "go test -run xxx -bench Quoted .", benchLines(4, 133_000)))
	s.answer(text("With quotes the gap shrinks to 1.4: unquoting copies."))
	s.pass(7 * minute)
	s.prompt("Then avoid the copy")
	s.answer(think("Return a slice of the input when there is no escape inside the quotes."), text("A quoted value without escapes can be a slice of the input."))

	lines := bytes.SplitAfter(s.bytes(), []byte("\n"))
	lines = slices.DeleteFunc(lines, func(line []byte) bool { return len(line) == 0 })
	h.put(s.path(), bytes.Join(damage(lines), nil), s.last)
}

// damage spoils lines in the middle and at the end.
func damage(lines [][]byte) [][]byte {
	last := len(lines) - 1
	glued := slices.IndexFunc(lines, func(line []byte) bool { return bytes.Contains(line, []byte("strings.Fields")) })
	for i := glued; i < last; i++ {
		if bytes.Contains(lines[i], []byte(`"attachment":{"type":"skill_listing"`)) {
			lines[i] = lines[i][:len(lines[i])*3/5] // its newline is gone too
		}
	}
	lines[last] = lines[last][:len(lines[last])/2]
	nul := append(bytes.Repeat([]byte{0}, 4096), '\n')
	return slices.Insert(lines, last-6, nul)
}
