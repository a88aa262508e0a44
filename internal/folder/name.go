package folder

import (
	"strings"
	"unicode"
)

// maxName is how many characters of a title are in the name of a file.
const maxName = 60

// NameOf returns a text as a part of a name that every system takes: lower-case letters and
// digits of any script, with dashes between.
func NameOf(text string) string {
	var b strings.Builder
	n, dash := 0, false
	for _, r := range strings.ToLower(text) {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			dash = b.Len() > 0
			continue
		}
		if n++; n > maxName {
			break
		}
		if dash {
			b.WriteByte('-')
		}
		dash = false
		b.WriteRune(r)
	}
	switch name := b.String(); name {
	case "con", "prn", "aux", "nul", "com1", "com2", "com3", "lpt1", "lpt2", "lpt3": // devices of Windows
		return name + "-"
	default:
		return name
	}
}

// FileName names the document of a session after its title and the start of its id.
func FileName(title, id string) string {
	id = strings.TrimPrefix(id, "agent-")
	return strings.TrimPrefix(NameOf(title)+"-"+id[:min(8, len(id))], "-")
}
