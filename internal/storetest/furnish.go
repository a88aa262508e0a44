package storetest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// historyLine is a typed prompt as history.jsonl keeps it.
type historyLine struct {
	at             time.Time
	sid, cwd, text string
}

// commandNames are the custom commands of the made homes.
var commandNames = []string{"review", "release:notes", "greet"}

// furnish writes what a home has besides transcripts.
func furnish(dir string, seed uint64, said []historyLine) error {
	t := &texts{rng: rand.New(rand.NewPCG(seed, 0xf00d))}
	slices.SortStableFunc(said, func(a, b historyLine) int {
		return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.sid, b.sid))
	})
	var history []byte
	for _, h := range said {
		history = append(history, `{"display":`...)
		history = appendJSON(history, h.text)
		history = fmt.Appendf(history, `,"pastedContents":{},"timestamp":%d,"project":`, h.at.UnixMilli())
		history = appendJSON(history, h.cwd)
		history = fmt.Appendf(history, `,"sessionId":%q}`+"\n", h.sid)
	}
	files := map[string][]byte{
		"history.jsonl":             history,
		"settings.json":             []byte("{\n  \"cleanupPeriodDays\": 365\n}\n"),
		"commands/review.md":        command(t, "Review the change"),
		"commands/release/notes.md": command(t, "Write release notes"),
		"commands/greet.md":         command(t, "Greet $ARGUMENTS"),
		"session-env/" + keep:       nil,
	}
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := writeFile(path, files[name]); err != nil {
			return err
		}
		if filepath.Base(path) == keep {
			continue
		}
		if err := os.Chtimes(path, Until, Until); err != nil {
			return err
		}
	}
	return nil
}

func command(t *texts, what string) []byte {
	b := fmt.Appendf(nil, "---\ndescription: %s\nargument-hint: \"[what]\"\n---\n\n", what)
	return append(t.prose(b, 300), '\n')
}
