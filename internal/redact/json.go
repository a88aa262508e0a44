package redact

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// JSON returns a JSON text with marks in the place of secrets. It decodes the strings first,
// and takes the value of a member for a value assigned to its name. Every byte outside of a
// changed string stays as it is. Text that is not JSON is redacted as text.
func (d *Document) JSON(raw []byte) []byte {
	if d == nil || len(raw) == 0 {
		return raw
	}
	w := jsonWalk{doc: d, raw: raw}
	w.walk()
	if w.out == nil {
		return raw
	}
	return append(w.out, raw[w.done:]...)
}

// jsonWalk goes from string to string.
type jsonWalk struct {
	doc  *Document
	raw  []byte
	out  []byte
	done int // how many bytes of raw are in out
}

func (w *jsonWalk) walk() {
	name, valueAt := "", -1
	for i := 0; ; {
		n := bytes.IndexByte(w.raw[i:], '"')
		if n < 0 {
			w.rest(i) // of what is no JSON, it can be anything
			return
		}
		from := i + n
		if i = stringEnd(w.raw, from+1); i < 0 {
			w.rest(from + 1) // it was cut
			return
		}
		text := decoded(w.raw[from:i])
		next := blanks(w.raw, i)
		switch {
		case next < len(w.raw) && w.raw[next] == ':':
			w.put(from, i, text, w.doc.Text(text))
			name, valueAt = text, blanks(w.raw, next+1)
		case from == valueAt && w.doc.Names[name]:
		case from == valueAt:
			w.value(from, i, name, text)
		default:
			w.put(from, i, text, w.doc.Text(text))
		}
	}
}

// blanks returns where the next byte is that is not blank.
func blanks(raw []byte, i int) int {
	for i < len(raw) && (raw[i] == ' ' || raw[i] == '\n' || raw[i] == '\t' || raw[i] == '\r') {
		i++
	}
	return i
}

// value redacts a string, by itself and as the value of a name.
func (w *jsonWalk) value(from, end int, name, text string) {
	changed := w.doc.Text(text)
	if changed == text {
		changed = w.doc.assigned(name, text)
	}
	w.put(from, end, text, changed)
}

// rest redacts what is left as a text, unless it is what JSON has outside of strings.
func (w *jsonWalk) rest(from int) {
	text := string(w.raw[from:])
	if changed := w.doc.Text(text); changed != text && !json.Valid(w.raw) {
		w.out = append(append(w.out, w.raw[w.done:from]...), changed...)
		w.done = len(w.raw)
	}
}

func (w *jsonWalk) put(from, end int, text, changed string) {
	if changed == text {
		return
	}
	w.out = append(append(w.out, w.raw[w.done:from]...), encoded(changed)...)
	w.done = end
}

// stringEnd returns where the JSON string ends that i lies in, or a negative number if it does not end.
func stringEnd(raw []byte, i int) int {
	for {
		n := bytes.IndexByte(raw[i:], '"')
		if n < 0 {
			return -1
		}
		i += n
		slashes := 0
		for raw[i-slashes-1] == '\\' {
			slashes++
		}
		i++
		if slashes%2 == 0 {
			return i
		}
	}
}

// decoded returns the value of a JSON string, or its bytes if it is invalid.
func decoded(raw []byte) string {
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return string(raw[1 : len(raw)-1])
	}
	return text
}

// encoded writes a string as the client does: only what JSON demands is escaped.
func encoded(text string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	_ = e.Encode(text) // a string can always be written
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// assigned returns the value of a name, or its mark if the name makes it a secret.
func (d *Document) assigned(name, text string) string {
	if text == "" || d.Known && d.known[text] == nil {
		return text
	}
	if family := assignedFamily(name, text); family != "" {
		d.remember(family, text)
		return d.mark(text)
	}
	return text
}
