package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sesskeep"
	"sesskeep/internal/demo"
	"sesskeep/internal/reading"
	"sesskeep/internal/storetest"
)

// An audit accounts for every byte and every record of a file, and what it calls
// shown is there when the address is shown: in the sample home, in a home with every
// sort of damage, and in all homes of the real client.
func TestAuditLaw(t *testing.T) {
	t.Parallel()
	sample := t.TempDir()
	if err := demo.Write(sample, testNow); err != nil {
		t.Fatal(err)
	}
	homes := []string{sample, storetest.Home(t, auditHome)}
	if shared := os.Getenv("SESSKEEP_SHARED"); shared != "" {
		real, _ := filepath.Glob(filepath.Join(shared, "corpus", "real-client", "*", ".claude"))
		if len(real) == 0 {
			t.Errorf("no home of the real client in %s", shared)
		}
		homes = append(homes, real...)
	} else {
		t.Log("SESSKEEP_SHARED is not set: the homes of the real client are not audited")
	}
	var sum auditSum
	for _, root := range homes {
		auditAll(t, root, &sum)
	}
	t.Logf("%d homes, %d files: %d records, %d shown, %d folded, %d damaged places", len(homes), sum.files, sum.records, sum.shown, sum.folded, sum.damaged)
	if sum.shown < 100 || sum.folded < 10 || sum.damaged < 3 {
		t.Errorf("the law was hardly tried: %+v", sum)
	}
}

type auditSum struct{ files, records, shown, folded, damaged int }

func auditAll(t *testing.T, root string, sum *auditSum) {
	t.Helper()
	store, err := sesskeep.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	folders, err := store.Folders()
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		for _, ref := range folder.Refs {
			address := ref.ID()
			if ref.Agent != "" {
				address = string(store.Parent(ref)) + "/" + string(ref.Agent)
			}
			sum.files++
			auditOne(t, root, address, sum)
		}
	}
}

func auditOne(t *testing.T, root, address string, sum *auditSum) {
	t.Helper()
	var a reading.Audit
	if err := json.Unmarshal([]byte(runIn(t, "/", 0, "show", address, "--audit", "--json", "--claude-dir", root)), &a); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(a.File)))
	if err != nil {
		t.Fatal(err)
	}
	checkSum(t, a, file)
	sum.records += a.Records
	pages := map[string]string{} // what is shown, by the end of the address
	shown := map[string]bool{}
	for _, r := range a.Stretches {
		if r.Fate != reading.Shown {
			continue
		}
		sum.shown++
		shown[r.Where] = true
		where, _, _ := strings.Cut(r.Where, "#")
		if _, ok := pages[where]; !ok {
			pages[where] = folded(runIn(t, "/", 0, "show", address+where, "--tools", "full", "--thinking", "full", "--claude-dir", root))
		}
		if words := wordsOf(file[r.Offset : r.Offset+r.Length]); len(words) > 0 && !hasAny(pages[where], words) {
			t.Errorf("%s: line %d (%s) is said to be shown at %q, and none of it is there: %.200q", a.File, r.Line, r.Kind, r.Where, words)
		}
		for _, line := range answerLines(file[r.Offset : r.Offset+r.Length]) {
			if !strings.Contains(pages[where], line) {
				t.Errorf("%s: line %d (%s) is said to be shown at %q, without %.200q", a.File, r.Line, r.Kind, r.Where, line)
			}
		}
	}
	for _, r := range a.Stretches {
		switch r.Fate {
		case reading.Folded:
			if sum.folded++; !shown[r.Where] {
				t.Errorf("%s: line %d (%s) is folded under %q, which is not shown", a.File, r.Line, r.Kind, r.Where)
			}
		case reading.Damaged:
			sum.damaged++
		case reading.Hidden:
			if strings.HasPrefix(r.Why, "no part") {
				t.Errorf("%s: line %d (%s) is lost", a.File, r.Line, r.Kind)
			}
		}
	}
}

// checkSum adds up an audit by itself, and compares with the bytes of the file.
func checkSum(t *testing.T, a reading.Audit, file []byte) {
	t.Helper()
	records, size, at := 0, int64(0), int64(0)
	for _, f := range a.Fates {
		records, size = records+f.Records, size+f.Size
	}
	if records != a.Records || size != int64(len(file)) || a.Size != size {
		t.Errorf("%s: %d records of %d, %d bytes of %d", a.File, records, a.Records, size, len(file))
	}
	listed, damaged := 0, 0
	between := func(to int64) {
		if rest := bytes.Trim(file[at:to], " \t\r\n\x00\ufeff"); len(rest) > 0 {
			t.Errorf("%s: nobody accounts for %.100q at %d", a.File, rest, at)
		}
	}
	for _, r := range a.Stretches {
		if r.Offset < at {
			t.Fatalf("%s: line %d is told twice", a.File, r.Line)
		}
		between(r.Offset)
		at = r.Offset + r.Length
		if r.Fate == reading.Damaged {
			damaged++
		} else {
			listed++
		}
	}
	between(int64(len(file)))
	objects := 0
	for line := range bytes.Lines(file) {
		var object map[string]json.RawMessage
		if json.Unmarshal(bytes.Trim(line, " \t\r\n\x00\ufeff"), &object) == nil {
			objects++
		}
	}
	// Records that share a line, with each other or with damage, are no object together.
	if whole := damaged == 0 && !bytes.Contains(file, []byte("}{")); listed != a.Records || listed < objects || whole && listed != objects {
		t.Errorf("%s: %d records are listed of %d, and %d lines are objects", a.File, listed, a.Records, objects)
	}
}

// tags are what is no word: tags of the client, colours, and separators of lines,
// which are shown as marks.
var tags = regexp.MustCompile(`</?[a-zA-Z_-]+>|\x1b\[[0-9;]*m|[\x{2028}\x{2029}]`)

// wordsOf are the lines of what a record says, as encoding/json reads it. It is
// empty where a record says nothing in words of its own.
func wordsOf(raw []byte) (words []string) {
	var r struct {
		Subtype    string
		Content    json.RawMessage
		Error      json.RawMessage
		Message    struct{ Content json.RawMessage }
		Attachment struct{ Prompt json.RawMessage }
	}
	if json.Unmarshal(raw, &r) != nil {
		return []string{"no record"}
	}
	for _, content := range []json.RawMessage{r.Content, r.Message.Content, r.Attachment.Prompt} {
		words = append(words, spokenWords(content)...)
	}
	switch r.Subtype {
	case "compact_boundary":
		words = append(words, "compacted")
	case "api_error":
		words = append(words, "error")
	}
	return words
}

// answerLines are the lines of the texts of an answer, all of which are shown.
func answerLines(raw []byte) (list []string) {
	var r struct {
		Type    string
		Message struct {
			Content []struct{ Type, Text string }
		}
	}
	if json.Unmarshal(raw, &r) != nil || r.Type != "assistant" {
		return nil
	}
	for _, b := range r.Message.Content {
		list = append(list, linesOf(b.Text)...)
	}
	return list
}

// spokenWords are the words of a content: a text, or blocks.
func spokenWords(content json.RawMessage) (words []string) {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return linesOf(text)
	}
	var blocks []struct {
		Type, Text, Thinking, Name string
		Content                    json.RawMessage
		Input                      any
	}
	if json.Unmarshal(content, &blocks) != nil {
		return nil
	}
	for _, b := range blocks {
		words = append(words, linesOf(b.Text)...)
		switch b.Type {
		case "thinking":
			words = append(words, linesOf(b.Thinking)...)
			if b.Thinking == "" {
				words = append(words, "withheld")
			}
		case "image", "document":
			words = append(words, "["+b.Type)
		case "tool_use":
			words = append(words, strings.ToLower(b.Name[strings.LastIndex(b.Name, "__")+1:]))
			words = append(words, inputWords(b.Input)...)
			if strings.HasPrefix(b.Name, "Task") {
				words = append(words, "todo") // what lists of tasks are called
			}
		case "tool_result":
			words = append(words, spokenWords(b.Content)...)
		}
	}
	return words
}

// inputWords are the words of what a tool was given.
func inputWords(value any) (words []string) {
	switch v := value.(type) {
	case string:
		return linesOf(v)
	case []any:
		for _, item := range v {
			words = append(words, inputWords(item)...)
		}
	case map[string]any:
		for _, item := range v {
			words = append(words, inputWords(item)...)
		}
	}
	return words
}

func linesOf(text string) (list []string) {
	for line := range strings.Lines(tags.ReplaceAllString(text, "\n")) {
		if line = strings.Trim(folded(line), "[]"); len(line) > 1 {
			list = append(list, line)
		}
	}
	return list
}

func folded(text string) string { return strings.Join(strings.Fields(text), " ") }

func hasAny(text string, words []string) bool {
	for _, w := range words {
		if strings.Contains(text, w) || strings.Contains(strings.ToLower(text), w) {
			return true
		}
	}
	return false
}

// auditHome has damage, a branch, an agent inside of the file, a record that comes
// twice, one with the uuid of another and one without any, and a last line without
// its end.
const auditHome = `
-- projects/-w/11111111-0000-4000-8000-000000000000.jsonl --
{"type":"summary","summary":"of the garden","leafUuid":"a1"}
{"parentUuid":null,"isSidechain":false,"cwd":"/w","version":"1.0.98","type":"user","message":{"role":"user","content":"dig a pond"},"uuid":"u1","timestamp":"2026-11-14T09:00:00.000Z"}
{"parentUuid":"u1","isSidechain":false,"cwd":"/w","version":"1.0.98","type":"assistant","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"With a spade."}]},"uuid":"a1","timestamp":"2026-11-14T09:00:01.000Z"}
{"parentUuid":"u1","isSidechain":false,"cwd":"/w","version":"1.0.98","type":"assistant","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"With a spade."}]},"uuid":"a1","timestamp":"2026-11-14T09:00:01.000Z"}
{"parentUuid":"u1","isSidechain":false,"cwd":"/w","version":"1.0.98","type":"assistant","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"With a fork."}]},"uuid":"a1","timestamp":"2026-11-14T09:00:01.000Z"}
not a record
{"type":"user","message":{"role":"user","content":"nobody can name me"},"timestamp":"2026-11-14T09:00:01.500Z"}

{"parentUuid":"a1","isSidechain":false,"cwd":"/w","version":"1.0.98","type":"user","message":{"role":"user","content":"and fill it"},"uuid":"u2","timestamp":"2026-11-14T09:00:02.000Z"}{"parentUuid":"u2","isSidechain":false,"cwd":"/w","version":"1.0.98","type":"assistant","message":{"id":"m2","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Task","input":{"description":"Fills","prompt":"Fetch water"}}]},"uuid":"a2","timestamp":"2026-11-14T09:00:03.000Z"}
{"parentUuid":null,"isSidechain":true,"cwd":"/w","version":"1.0.98","type":"user","message":{"role":"user","content":"Fetch water"},"uuid":"s1","timestamp":"2026-11-14T09:00:04.000Z"}
{"parentUuid":"s1","isSidechain":true,"cwd":"/w","version":"1.0.98","type":"assistant","message":{"id":"m3","role":"assistant","content":[{"type":"text","text":"A bucket full."}]},"uuid":"s2","timestamp":"2026-11-14T09:00:05.000Z"}
{"parentUuid":"a2","isSidechain":false,"cwd":"/w","version":"1.0.98","type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"it is full"}]},"uuid":"r1","timestamp":"2026-11-14T09:00:06.000Z"}
{"parentUuid":"a1","isSidechain":false,"cwd":"/w","version":"1.0.98","type":"user","message":{"role":"user","content":"or rather a well"},"uuid":"u3","timestamp":"2026-11-14T09:00:07.000Z"}
{"parentUuid":"u3","isSidechain":false,"type":"assistant","message":{"id":"m4","role":"assistant","content":[{"type":"text","text":"cut o
{"parentUuid":"u3","isSidechain":false,"cwd":"/w","version":"1.0.98","type":"from-the-future","uuid":"f1","timestamp":"2026-11-14T09:00:08.000Z"}
{"parentUuid":"f1","isSidechain":false,"cwd":"/w","type":"assistant","message":{"id":"m5","role":"assistant","content":[{"type":"text","text":"never fini`
