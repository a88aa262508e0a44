// Package label keeps what users add to their sessions: a title, tags, a note, a
// star, a source, and that a session is archived.
//
// A [Store] is a small SQLite file of our own. A change that was acknowledged
// survives a crash and a loss of power. Should the file itself be lost or damaged,
// it is made again of the newest of its backups that is sound and of the changes
// since, which the caller has in a journal of its own.
//
// Nothing here is ever written into Claude's home.
package label

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Label is what a user added to one session. The zero Label is nothing.
type Label struct {
	Title string `json:"title,omitempty"`
	// Over is the client's own name for the session when Title was set. If the client
	// renames the session after that, the client's name is newer and counts. Without
	// a Title, Over is a name to ignore: it stands in for a title that was removed.
	Over     string    `json:"over,omitempty"`
	Tags     []string  `json:"tags,omitempty"` // sorted
	Note     string    `json:"note,omitempty"`
	Starred  bool      `json:"starred,omitempty"`
	Source   string    `json:"source,omitempty"` // user, agent or helper; empty: as it was found out
	Archived time.Time `json:"archivedAt,omitzero"`
}

// Empty reports whether nothing was added.
func (l Label) Empty() bool { return l.Equal(Label{}) }

// Equal reports whether two labels say the same.
func (l Label) Equal(m Label) bool {
	return l.Title == m.Title && l.Over == m.Over && slices.Equal(l.Tags, m.Tags) && l.Note == m.Note &&
		l.Starred == m.Starred && l.Source == m.Source && l.Archived.Equal(m.Archived)
}

// Tag returns the label with more tags. Tags that differ in case only are one.
func (l Label) Tag(tags ...string) Label {
	l.Tags = slices.Clone(l.Tags)
	for _, tag := range tags {
		if !l.Has(tag) {
			l.Tags = append(l.Tags, tag)
		}
	}
	slices.SortFunc(l.Tags, compareTags)
	return l
}

// Untag returns the label without some tags.
func (l Label) Untag(tags ...string) Label {
	l.Tags = slices.DeleteFunc(slices.Clone(l.Tags), func(have string) bool {
		return slices.ContainsFunc(tags, func(tag string) bool { return strings.EqualFold(have, tag) })
	})
	if len(l.Tags) == 0 {
		l.Tags = nil
	}
	return l
}

// Has reports whether the label has a tag, ignoring upper and lower case.
func (l Label) Has(tag string) bool {
	return slices.ContainsFunc(l.Tags, func(have string) bool { return strings.EqualFold(have, tag) })
}

func compareTags(a, b string) int {
	if c := strings.Compare(strings.ToLower(a), strings.ToLower(b)); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}

// Titled returns the title that counts where the client's own name for the
// session is given; empty: that one does.
func (l Label) Titled(client string) string {
	if client != l.Over && client != l.Title {
		return ""
	}
	return l.Title
}

// Back returns what undoes a change from before to after in a label that may have
// other changes since. It reports false if what the change made was changed again.
func Back(before, after, now Label) (Label, bool) {
	back := now
	ok := undoField(&back.Title, before.Title, after.Title)
	if before.Title != after.Title || before.Over != after.Over {
		back.Over = before.Over
	}
	ok = undoField(&back.Note, before.Note, after.Note) && ok
	ok = undoField(&back.Starred, before.Starred, after.Starred) && ok
	ok = undoField(&back.Source, before.Source, after.Source) && ok
	if !before.Archived.Equal(after.Archived) {
		ok = now.Archived.Equal(after.Archived) && ok
		back.Archived = before.Archived
	}
	var added, removed []string
	for _, tag := range after.Tags {
		if !before.Has(tag) {
			added = append(added, tag)
		}
	}
	for _, tag := range before.Tags {
		if !after.Has(tag) {
			removed = append(removed, tag)
		}
	}
	return back.Untag(added...).Tag(removed...), ok
}

// undoField restores a value that an act changed, and returns false if it was changed
// again since.
func undoField[T comparable](value *T, before, after T) bool {
	if before == after {
		return true
	}
	same := *value == after
	*value = before
	return same
}

// The longest texts that are kept.
const (
	maxTag   = 64
	maxTitle = 500
	maxNote  = 64 << 10
	maxTags  = 100
)

// Check refuses a label that could not be shown, found or kept.
func (l Label) Check() error {
	if len(l.Tags) > maxTags {
		return fmt.Errorf("%d tags are too many: a session has at most %d", len(l.Tags), maxTags)
	}
	for _, tag := range l.Tags {
		if err := CheckTag(tag); err != nil {
			return err
		}
	}
	switch {
	case !oneLine(l.Title):
		return fmt.Errorf("the title %q is not one line of text", l.Title)
	case len(l.Title) > maxTitle:
		return fmt.Errorf("the title is longer than %d bytes", maxTitle)
	case !utf8.ValidString(l.Note):
		return fmt.Errorf("the note is not text")
	case len(l.Note) > maxNote:
		return fmt.Errorf("the note is longer than %d KiB", maxNote>>10)
	}
	return nil
}

// CheckTag refuses what cannot be written as tag:WORD in a search.
func CheckTag(tag string) error {
	switch {
	case tag == "":
		return errors.New("the tag is empty")
	case strings.TrimSpace(tag) != tag || !oneLine(tag):
		return fmt.Errorf("%q is not a tag: it is a word, or several on one line", tag)
	case strings.ContainsAny(tag, `,"`):
		return fmt.Errorf("%q is not a tag: a comma stands between tags, quotes around them", tag)
	case len(tag) > maxTag:
		return fmt.Errorf("the tag %q is longer than %d bytes", tag, maxTag)
	}
	return nil
}

// oneLine reports whether a text is without control characters.
func oneLine(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return r < 0x20 || r == 0x7f })
}
