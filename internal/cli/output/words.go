package output

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"sesskeep/internal/catalog"
	"sesskeep/internal/draw"
	"sesskeep/internal/stamp"
	"sesskeep/internal/term"
)

// Plural counts something: 1 file, 2 files.
func Plural(n int, what string) string { return draw.Plural(n, what) }

// Head is the first n bytes of a text, or all of it.
func Head(s string, n int) string { return s[:min(n, len(s))] }

// Joined puts words together, without those that are empty.
func Joined(gap string, words ...string) string {
	var list []string
	for _, w := range words {
		if w != "" {
			list = append(list, w)
		}
	}
	return strings.Join(list, gap)
}

// RFC3339 and ago write a time that may not be known.
func RFC3339(s stamp.Time) string {
	if s.IsZero() {
		return ""
	}
	return s.UTC().Format(time.RFC3339)
}

// Ago is how long ago a time was, in words; "" if the time is unknown.
func Ago(s stamp.Time, now time.Time) string {
	if s.IsZero() {
		return ""
	}
	return term.Ago(s.Time, now)
}

// NonZero is a number as a text; "" for 0.
func NonZero(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// NonZero64 is NonZero for larger numbers.
func NonZero64(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

// Cells makes cells of plain texts.
func Cells(texts []string) []term.Cell {
	cells := make([]term.Cell, len(texts))
	for i, text := range texts {
		cells[i].Text = text
	}
	return cells
}

// Uncut is the least width of a column with addresses: one that is cut leads
// nowhere.
const Uncut = 60

// Quote makes one word of a POSIX shell out of a text.
func Quote(text string) string {
	plain := func(r rune) bool {
		return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || strings.ContainsRune("_-./:@%+,=", r)
	}
	if text != "" && strings.IndexFunc(text, func(r rune) bool { return !plain(r) }) < 0 {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// Warning stands before what is damaged.
func Warning(s term.Screen) string {
	if s.ASCII {
		return "! "
	}
	return "⚠ "
}

// Were is "n files were" with its grammar.
func Were(n int, noun string) string {
	if n == 1 {
		return Plural(n, noun) + " was"
	}
	return Plural(n, noun) + " were"
}

// Rewritten says that what comes next is not what came before.
const Rewritten = "the file was rewritten: this is the new version"

// ShortIDs shortens ids to a prefix that is unique among them, and some characters more:
// at least 8, not counting "agent-".
func ShortIDs(rows []catalog.Session) map[string]string {
	ids := make([]string, len(rows))
	for i := range rows {
		ids[i] = rows[i].ID
	}
	slices.Sort(ids)
	ids = slices.Compact(ids) // a session can be in two homes
	short := map[string]string{}
	for i, id := range ids {
		length := 8
		if rest, ok := strings.CutPrefix(id, "agent-"); ok {
			length += len(id) - len(rest)
		}
		if i > 0 {
			length = max(length, common(id, ids[i-1])+4)
		}
		if i+1 < len(ids) {
			length = max(length, common(id, ids[i+1])+4)
		}
		short[id] = Head(id, length)
	}
	return short
}

// common is how many bytes two strings begin alike with.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
