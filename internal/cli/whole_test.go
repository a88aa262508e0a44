package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/storetest"
)

// A search that says it is complete has found what --count counts and what a plain scan
// finds: for any substring, over a home of more files and blocks than a search asks for at
// once, with files that are torn, glued and growing. SESSKEEP_SEED repeats a run,
// SESSKEEP_WHOLE asks so many questions.
func TestWhole(t *testing.T) {
	t.Parallel()
	seed := storetest.Seed(t)
	rng := rand.New(rand.NewPCG(seed, 0))
	h := newWholeHome(t, rng)
	questions := 24
	if n, err := strconv.Atoi(os.Getenv("SESSKEEP_WHOLE")); err == nil {
		questions = n
	}
	complete, several := 0, 0
	for n := range questions {
		if n%6 == 5 {
			h.grow(t, rng)
		}
		part := h.part(rng, n)
		hits, sessions := h.scan(part)
		counted, found := h.ask(t, part, "--count"), h.ask(t, part)
		if counted.HitCount != hits || counted.Total != sessions || !counted.Complete {
			t.Errorf("seed %d: --count %q: %+v, and a scan finds %d in %d sessions", seed, part, counted, hits, sessions)
		}
		switch {
		case found.Complete && (found.HitCount != hits || found.Total != sessions):
			t.Errorf("seed %d: search %q is complete with %d hits in %d sessions, and a scan finds %d in %d", seed, part, found.HitCount, found.Total, hits, sessions)
		case !found.Complete && sessions <= 20:
			t.Errorf("seed %d: search %q is not complete, and its page is not full", seed, part)
		case found.HitCount > hits || found.Total > sessions || len(found.Results) < min(found.Total, 20):
			t.Errorf("seed %d: search %q: %d hits in %d sessions, %d shown, and a scan finds %d in %d", seed, part, found.HitCount, found.Total, len(found.Results), hits, sessions)
		}
		if found.Complete {
			complete++
		}
		if sessions > 1 {
			several++
		}
	}
	if complete < questions/4 || several < questions/8 {
		t.Errorf("seed %d: of %d searches %d were complete, and %d found several sessions", seed, questions, complete, several)
	}
}

// The limits of a search as users have them: it begins with 256 files and 4 for each of
// the 20 sessions on a page, if 500 blocks of up to 256 KB can match.
const (
	wholeFiles  = 560
	wholeFiller = 130 << 10 // of each file: two of them are no block
)

// wholeWords are in every file, so that their parts leave every block a candidate.
var wholeWords = []string{"parser", "offset", "watcher", "Grüße", "config", "日本語"}

// wholeHome is a home, and what a plain scan needs to know of it.
type wholeHome struct {
	dir   string
	files []*wholeFile
	lines int
}

type wholeFile struct {
	path  string
	texts [][]string // of each whole record, the strings in it, in lower case
	loose string     // the last record, which has no newline yet
	cut   string     // what is missing of it
	at    time.Time
}

func newWholeHome(t *testing.T, rng *rand.Rand) *wholeHome {
	h := &wholeHome{dir: t.TempDir()}
	filler := `{"type":"user","message":{"role":"user","content":[{"type":"image","source":{"type":"base64","data":"` + strings.Repeat("QUJD", wholeFiller/4) + `"}}]}}` + "\n"
	for n := range wholeFiles {
		f := &wholeFile{
			path: filepath.Join(h.dir, "projects", fmt.Sprintf("-w-%d", n%7), fmt.Sprintf("%08x-0000-4000-8000-%012x.jsonl", rng.Uint32(), n)),
			at:   testNow.Add(-time.Duration(rng.IntN(1000)) * time.Hour),
		}
		h.files = append(h.files, f)
		if err := os.MkdirAll(filepath.Dir(f.path), 0o755); err != nil {
			t.Fatal(err)
		}
		text := filler
		f.texts = append(f.texts, stringsIn(t, filler))
		for range 3 + rng.IntN(4) {
			text += h.line(t, rng, f)
		}
		h.end(t, rng, f, text)
	}
	return h
}

// line is a line of whole records: mostly one, sometimes two, or one behind the
// beginning of another.
func (h *wholeHome) line(t *testing.T, rng *rand.Rand, f *wholeFile) string {
	text := h.record(rng, f)
	f.texts = append(f.texts, stringsIn(t, text))
	switch rng.IntN(20) {
	case 0:
		next := h.record(rng, f)
		f.texts = append(f.texts, stringsIn(t, next))
		text += next
	case 1:
		text = `{"type":"user","uuid":"lost","message":{"role":"user","content":"lo` + text
	}
	return text + "\n"
}

// end appends a text and, sometimes, a last record that lacks its newline or more.
func (h *wholeHome) end(t *testing.T, rng *rand.Rand, f *wholeFile, text string) {
	switch last := h.record(rng, f); rng.IntN(4) {
	case 0:
		f.loose = last
		f.texts = append(f.texts, stringsIn(t, last))
	case 1:
		n := 1 + rng.IntN(len(last)-1)
		f.loose, f.cut = last[:n], last[n:]
	}
	storetest.AppendBytes(t, f.path, []byte(text+f.loose))
}

// record is a prompt of common words and, now and then, a rare one.
func (h *wholeHome) record(rng *rand.Rand, f *wholeFile) string {
	h.lines++
	var words []string
	for range 20 + rng.IntN(60) {
		words = append(words, wholeWords[rng.IntN(len(wholeWords))])
	}
	if rng.IntN(3) == 0 {
		const rare = "jkqvxyz"
		words = append(words, string([]byte{rare[rng.IntN(7)], rare[rng.IntN(7)], rare[rng.IntN(7)]}))
	}
	return fmt.Sprintf(`{"type":"user","uuid":"%08x-%d","cwd":"/w/app","timestamp":%q,"message":{"role":"user","content":%q}}`,
		rng.Uint32(), h.lines, f.at.Format(time.RFC3339), strings.Join(words, " "))
}

// grow appends to some files, the newline that was missing first.
func (h *wholeHome) grow(t *testing.T, rng *rand.Rand) {
	for range 5 {
		f := h.files[rng.IntN(len(h.files))]
		more := ""
		if f.loose != "" {
			if f.cut != "" {
				f.texts = append(f.texts, stringsIn(t, f.loose+f.cut))
			}
			more, f.loose, f.cut = f.cut+"\n", "", ""
		}
		for range 1 + rng.IntN(3) {
			more += h.line(t, rng, f)
		}
		h.end(t, rng, f, more)
	}
}

// stringsIn are the strings of a record that can be found, in lower case.
func stringsIn(t *testing.T, record string) (list []string) {
	var value any
	if err := json.Unmarshal([]byte(record), &value); err != nil {
		t.Fatal(err)
	}
	var walk func(key string, value any)
	walk = func(key string, value any) {
		switch v := value.(type) {
		case string:
			if key != "data" { // the bytes of an image
				list = append(list, strings.ToLower(v))
			}
		case []any:
			for _, value := range v {
				walk(key, value)
			}
		case map[string]any:
			for key, value := range v {
				walk(key, value)
			}
		}
	}
	walk("", value)
	return list
}

// part is some substring of some text: a few letters, for which no filter helps, or so
// many words that their pieces are in every block and the whole is in few.
func (h *wholeHome) part(rng *rand.Rand, n int) string {
	for {
		f := h.files[rng.IntN(len(h.files))]
		list := f.texts[rng.IntN(len(f.texts))]
		text := []rune(slices.MaxFunc(list, func(a, b string) int { return cmp.Compare(len(a), len(b)) }))
		if rng.IntN(8) == 0 {
			text = []rune(list[rng.IntN(len(list))])
		}
		from, length := rng.IntN(len(text)), 2+rng.IntN(10)
		switch n % 3 {
		case 0:
			from, length = max(0, len(text)-3), 3 // the rare words are at the end
		case 1:
			length = 40 + rng.IntN(30)
		}
		part := string(text[from:min(len(text), from+length)])
		if len(part) > 1 && strings.TrimSpace(part) == part {
			return part
		}
	}
}

// scan finds how many records have a part, in how many files.
func (h *wholeHome) scan(part string) (hits, files int) {
	for _, f := range h.files {
		had := hits
		for _, list := range f.texts {
			for _, text := range list {
				if strings.Contains(text, part) {
					hits++
					break
				}
			}
		}
		if hits > had {
			files++
		}
	}
	return hits, files
}

// wholeAnswer is what a search says, and what a count says.
type wholeAnswer struct {
	Results         []struct{ SessionID string }
	Total, HitCount int
	Complete        bool
}

func (h *wholeHome) ask(t *testing.T, part string, args ...string) (a wholeAnswer) {
	o := runOver(t, h.dir, append([]string{"search", "--json", `"` + part + `"`}, args...)...)
	if o.exit != 0 {
		t.Fatalf("search %q %v: exit code %d: %s", part, args, o.exit, o.stderr)
	}
	if err := json.Unmarshal([]byte(o.stdout), &a); err != nil {
		t.Fatal(err)
	}
	return a
}
