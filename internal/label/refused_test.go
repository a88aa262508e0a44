package label

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"sesskeep/internal/regular"
)

// What could not be shown, found or kept is refused, with the reason; the longest of what
// is allowed is not.
func TestCheck(t *testing.T) {
	tags := func(n int) (list []string) {
		for i := range n {
			list = append(list, fmt.Sprint("tag", i))
		}
		return list
	}
	for name, c := range map[string]struct {
		label Label
		why   string // empty: it is allowed
	}{
		"nothing":              {Label{}, ""},
		"as much as there can": {Label{Tags: tags(maxTags), Title: strings.Repeat("x", maxTitle), Note: strings.Repeat("x", maxNote)}, ""},
		"a long tag":           {Label{Tags: []string{strings.Repeat("x", maxTag)}}, ""},
		"several words":        {Label{Tags: []string{"to do"}, Note: "one line\nand another"}, ""},

		"too many tags":        {Label{Tags: tags(maxTags + 1)}, "at most 100"},
		"too long a tag":       {Label{Tags: []string{strings.Repeat("x", maxTag+1)}}, "longer than 64 bytes"},
		"an empty tag":         {Label{Tags: []string{""}}, "tag is empty"},
		"a tag of two lines":   {Label{Tags: []string{"a\nb"}}, "is not a tag"},
		"a tag and a blank":    {Label{Tags: []string{"a "}}, "is not a tag"},
		"two tags in one":      {Label{Tags: []string{"a,b"}}, "a comma"},
		"a title of two lines": {Label{Title: "a\nb"}, "not one line"},
		"a title that is none": {Label{Title: "\xff"}, "not one line"},
		"too long a title":     {Label{Title: strings.Repeat("x", maxTitle+1)}, "longer than 500 bytes"},
		"a note that is none":  {Label{Note: "\xff"}, "not text"},
		"too long a note":      {Label{Note: strings.Repeat("x", maxNote+1)}, "longer than 64 KiB"},
	} {
		err := c.label.Check()
		if c.why == "" && err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if c.why != "" && (err == nil || !strings.Contains(err.Error(), c.why)) {
			t.Errorf("%s: %v, want %q", name, err, c.why)
		}
	}
}

// A database that looks whole, and has something else in it than was written, is made again
// of the journal.
func TestAlteredDatabase(t *testing.T) {
	for name, statements := range map[string]string{
		"an empty one without a version": "DELETE FROM label; PRAGMA user_version = 0",
		"another label":                  `UPDATE label SET body = '{"note":"of somebody else"}'`,
	} {
		j := newJournal(t)
		j.edit(t, key(1), func(l Label) Label { l.Note = "mine"; return l })
		db, err := open(j.path())
		check(t, err)
		_, err = db.Exec(statements)
		check(t, errors.Join(err, db.Close()))
		if l, err := j.Of(context.Background(), key(1)); err != nil || l.Note != "mine" {
			t.Errorf("%s: %+v, %v", name, l, err)
		}
	}
}

// Pages that belong to nothing are damage, even if every label can be read.
func TestDamagedPages(t *testing.T) {
	j := newJournal(t)
	j.some(t, 10)
	f, err := os.OpenFile(j.path(), os.O_RDWR, 0)
	check(t, err)
	_, err = f.WriteAt([]byte{0, 0, 0, 9}, 36) // in the header: how many pages are free
	check(t, errors.Join(err, f.Close()))
	err = j.ask(context.Background(), j.path(), func(*sql.DB) error { return nil })
	if !errors.Is(err, errDamaged) {
		t.Errorf("%v", err)
	}
}

// The database is a file of our own, not what a link leads to.
func TestLinkedDatabase(t *testing.T) {
	j := newJournal(t)
	j.some(t, 3)
	other := j.path() + ".other"
	check(t, os.Rename(j.path(), other))
	if err := os.Symlink(other, j.path()); err != nil {
		t.Skip(err)
	}
	if _, err := j.All(context.Background()); !errors.Is(err, regular.ErrNotRegular) {
		t.Errorf("%v", err)
	}
}

// A change of a label that was changed meanwhile is not made; one that was made already is
// made again.
func TestSetChanged(t *testing.T) {
	j := newJournal(t)
	ctx := context.Background()
	c := Change{Act: 1, Key: key(1), After: Label{Note: "first"}}
	check(t, j.Set(ctx, c))
	check(t, j.Set(ctx, c))
	late := Change{Act: 2, Key: key(1), After: Label{Note: "second"}}
	if err := j.Set(ctx, late); !errors.Is(err, ErrChanged) {
		t.Errorf("%v", err)
	}
	if l, err := j.Of(ctx, key(1)); err != nil || l.Note != "first" {
		t.Errorf("%+v, %v", l, err)
	}
}
