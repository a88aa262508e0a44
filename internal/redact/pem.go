package redact

import "strings"

const (
	pemLine = 16 // fewest bytes of a line of a key that count
	pemGap  = 48 // most bytes between two lines of a key: numbers, names, marks of a diff
)

// privateKey finds a key in PEM, whatever stands between its lines: line breaks, \n in a
// string, numbers of lines, marks of a diff or a quote. One that is cut off ends with its
// last line.
func privateKey(s *scan, at, _ int) (int, int, bool) {
	text := s.text[at:min(len(s.text), at+maxSecret)]
	head := strings.Index(text[len("-----BEGIN"):min(len(text), 80)], "-----")
	if head < 0 {
		return 0, 0, false
	}
	body := len("-----BEGIN") + head + len("-----")
	if !isPrivate(text[:body]) {
		return 0, 0, false
	}
	if n := strings.Index(text[body:], "-----END"); n >= 0 && mostlyKey(text[body:body+n]) {
		tail := body + n + len("-----END")
		if m := strings.Index(text[tail:min(len(text), tail+64)], "-----"); m >= 0 {
			return at, at + tail + m + len("-----"), true
		}
	}
	stop := keyEnd(text, body)
	return at, at + stop, stop-body >= 32 // a shorter one is the header without a key
}

// isPrivate reports whether the first line of PEM, possibly with %20 for blanks, is that of
// a private key.
func isPrivate(line string) bool {
	i := strings.Index(line, "PRIVATE")
	return i >= 0 && strings.Contains(line[i:], "KEY")
}

// mostlyKey reports whether lines of a key are at least half of a text. Without that, a
// sentence that names both ends of a key would be one.
func mostlyKey(text string) bool {
	n := 0
	for i := 0; i < len(text); i++ {
		if stop := base64.span(text, i, len(text)); stop > i {
			if stop-i >= pemLine {
				n += stop - i
			}
			i = stop
		}
	}
	return n >= 32 && n*2 >= len(text)
}

// keyEnd returns where the last line of a key ends that was cut off.
func keyEnd(text string, body int) int {
	stop := body
	for i := body; i < len(text) && i-stop < pemGap; {
		end := base64.span(text, i, maxSecret)
		if end-i >= pemLine && varied(text[i:end]) {
			stop = end
		}
		i = max(end, i+1)
	}
	return stop
}
