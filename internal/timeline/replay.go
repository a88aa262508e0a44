package timeline

import "strings"

// replays returns what a file can be after an edit, the likeliest first. None: the edit does
// not fit the file.
func replays(before []Line, e *Event, by int) (list [][]Line) {
	for _, newline := range []bool{true, false} {
		after, changed, ok := swapAll(before, e.Swaps, by, newline)
		if ok && (changed || len(list) == 0) {
			list = append(list, after)
		}
	}
	return list
}

// swapAll makes one swap after another. A removed text takes the end of its line with it if
// newline is set, as the client does; changed reports whether that came up.
func swapAll(file []Line, swaps []Swap, by int, newline bool) (after []Line, changed, ok bool) {
	after = file
	for _, s := range swaps {
		old := s.Old
		text := textOf(after)
		if newline && s.New == "" && old != "" && !strings.HasSuffix(old, "\n") && strings.Contains(text, old+"\n") {
			old, changed = old+"\n", true
		}
		if after, ok = swap(after, text, Swap{old, s.New, s.All}, by); !ok {
			return nil, false, false
		}
	}
	return after, changed || newline, len(swaps) > 0
}

// swap replaces a text that stands at one place, or everywhere. Lines that it does not touch
// keep their origin; those that it has in common with what it replaces too.
func swap(file []Line, text string, s Swap, by int) ([]Line, bool) {
	if s.Old == "" {
		if text != "" {
			return nil, false
		}
		return carry(nil, lines(s.New), by), true
	}
	n := strings.Count(text, s.Old)
	if n == 0 || n > 1 && !s.All {
		return nil, false
	}
	var after []Line
	line, at := 0, 0 // the first line that is not in after yet, and where it begins
	for from := strings.Index(text, s.Old); from >= 0; {
		for line < len(file) && at+len(file[line].Text) <= from { // untouched
			at += len(file[line].Text)
			after = append(after, file[line])
			line++
		}
		first, start := line, at
		end := from + len(s.Old)
		piece := text[start:from] + s.New
		for { // places on the same lines are one region
			for line < len(file) && at < end {
				at += len(file[line].Text)
				line++
			}
			next := strings.Index(text[end:], s.Old)
			if next < 0 || end+next >= at || !s.All {
				from = -1
				if next >= 0 && s.All {
					from = end + next
				}
				break
			}
			piece += text[end:end+next] + s.New
			end += next + len(s.Old)
		}
		rest := text[end:at]
		if !strings.HasSuffix(piece+rest, "\n") && piece+rest != "" && line < len(file) { // it joins the next line
			rest += file[line].Text
			at += len(file[line].Text)
			line++
			if from >= 0 && from < at {
				return nil, false // not clear which line is which: the caller tries another way
			}
		}
		after = append(after, carry(file[first:line], lines(piece+rest), by)...)
	}
	return append(after, file[line:]...), true
}

// fits reports whether the lines that a patch removes or keeps stand in a file.
func fits(before []Line, regions []Region) bool {
	for _, r := range regions {
		if !standsAt(before, r.OldStart, side(r.Lines, '-')) {
			return false
		}
	}
	return true
}

// shows reports whether the lines that a patch adds or keeps stand in a file.
func shows(after []Line, regions []Region) bool {
	for _, r := range regions {
		if !standsAt(after, r.NewStart, side(r.Lines, '+')) {
			return false
		}
	}
	return true
}

// side returns the lines of a region that are in the file before (-) or after (+).
func side(list []string, sign byte) (of []string) {
	for _, line := range list {
		if line != "" && (line[0] == ' ' || line[0] == sign) {
			of = append(of, line[1:])
		}
	}
	return of
}

// standsAt reports whether lines stand in a file from a number on. Indentation does not count: the
// client writes tabs as spaces there.
func standsAt(file []Line, start int, want []string) bool {
	from := max(start-1, 0)
	if from+len(want) > len(file) {
		return false
	}
	for i, line := range want {
		if unindented(line) != unindented(bare(file[from+i].Text)) {
			return false
		}
	}
	return true
}

// unindented returns a line without what comparisons ignore: indentation and a carriage return.
func unindented(line string) string { return strings.TrimLeft(strings.TrimRight(line, "\r"), " \t") }

// patch applies a patch whose lines are exactly those of the text.
func patch(text string, regions []Region) (string, bool) {
	return apply(text, regions, '-', '+', false)
}

// unpatch returns the text that a patch was applied to.
func unpatch(text string, regions []Region) (string, bool) {
	return apply(text, regions, '+', '-', true)
}

// apply replaces one side of every region by the other.
func apply(text string, regions []Region, from, to byte, back bool) (string, bool) {
	if regions == nil {
		return "", false
	}
	file := lines(text)
	var b strings.Builder
	line := 0
	for _, r := range regions {
		start := r.OldStart
		if back {
			start = r.NewStart
		}
		start = max(start-1, 0)
		old := side(r.Lines, from)
		if len(old) == 0 && start > 0 {
			start++ // an empty side names the line before it
		}
		if start < line || start+len(old) > len(file) {
			return "", false
		}
		for ; line < start; line++ {
			b.WriteString(file[line].Text)
		}
		for i, want := range old {
			if bare(file[start+i].Text) != want {
				return "", false
			}
		}
		line = start + len(old)
		for _, add := range side(r.Lines, to) {
			b.WriteString(add + "\n")
		}
	}
	for ; line < len(file); line++ {
		b.WriteString(file[line].Text)
	}
	out := b.String()
	if noNewline(regions, to) {
		out = strings.TrimSuffix(out, "\n")
	}
	return out, true
}

// noNewline reports whether the last line of a side has no end.
func noNewline(regions []Region, sign byte) bool {
	if len(regions) == 0 {
		return false
	}
	last := regions[len(regions)-1].Lines
	for i, line := range last {
		if strings.HasPrefix(line, `\`) && i > 0 && (last[i-1][:1] == " " || last[i-1] != "" && last[i-1][0] == sign) {
			return true
		}
	}
	return false
}
