package page

import "bytes"

// Secrets returns HTML of this package with the marks of secrets, such as [github-token:1],
// highlighted. Marks within tags stay as they are: there they are values of attributes.
func Secrets(text []byte, marks map[string]bool) []byte {
	var dst []byte
	for from := 0; from < len(text); {
		end := from + bytes.IndexByte(text[from:], '<') // this package escapes every < that starts no tag
		if end < from {
			end = len(text)
		}
		dst = showMarks(dst, text[from:end], marks)
		from = end + bytes.IndexByte(text[end:], '>') + 1
		if from <= end {
			return append(dst, text[end:]...)
		}
		dst = append(dst, text[end:from]...)
	}
	return dst
}

// showMarks appends text without tags.
func showMarks(dst, text []byte, marks map[string]bool) []byte {
	for {
		at := bytes.IndexByte(text, '[')
		if at < 0 {
			return append(dst, text...)
		}
		dst = append(dst, text[:at]...)
		n := markLength(text[at:])
		if n > 0 && marks[string(text[at:at+n])] {
			dst = append(dst, `<span class="secret">`...)
			dst = append(dst, text[at:at+n]...)
			dst = append(dst, "</span>"...)
		} else {
			n = 1
			dst = append(dst, '[')
		}
		text = text[at+n:]
	}
}

// markLength returns the length of the mark that a text may begin with, or 0.
func markLength[T string | []byte](text T) int {
	i := 1
	for i < len(text) && (text[i] >= 'a' && text[i] <= 'z' || text[i] == '-' || i > 1 && text[i] >= '0' && text[i] <= '9') {
		i++
	}
	if i == 1 || i >= len(text) || text[i] != ':' {
		return 0
	}
	for i++; i < len(text) && text[i] >= '0' && text[i] <= '9'; i++ {
	}
	if i >= len(text) || text[i] != ']' || text[i-1] == ':' {
		return 0
	}
	return i + 1
}
