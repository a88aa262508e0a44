package storetest_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"sesskeep/internal/storetest"
)

// wire is a line as encoding/json sees it, every value still raw.
type wire struct {
	Type             string          `json:"type"`
	UUID             string          `json:"uuid"`
	ParentUUID       *string         `json:"parentUuid"`
	IsSidechain      bool            `json:"isSidechain"`
	IsMeta           bool            `json:"isMeta"`
	IsCompactSummary bool            `json:"isCompactSummary"`
	PromptSource     string          `json:"promptSource"`
	ToolUseResult    json.RawMessage `json:"toolUseResult"`
	Attachment       json.RawMessage `json:"attachment"`
	Rendered         json.RawMessage `json:"rendered"`
	Message          struct {
		ID      string          `json:"id"`
		Model   string          `json:"model"`
		Content json.RawMessage `json:"content"`
		Usage   json.RawMessage `json:"usage"`
	} `json:"message"`
}

type wireBlock struct {
	Type      string          `json:"type"`
	Text      json.RawMessage `json:"text"`
	Thinking  json.RawMessage `json:"thinking"`
	Signature json.RawMessage `json:"signature"`
	Input     json.RawMessage `json:"input"`
}

// measure is what the files say, found without the maker's help.
type measure struct {
	bytes    map[string]int
	lines    []int
	messages map[string]int // rows of each message.id
}

func (m *measure) add(line []byte) error {
	m.lines = append(m.lines, len(line))
	n := len(line)
	count := func(part string, raw json.RawMessage) {
		m.bytes[part] += len(raw)
		n -= len(raw)
	}
	defer func() { m.bytes["envelope"] += n }()
	var w wire
	if err := json.Unmarshal(line, &w); err != nil {
		return nil // the torn lines are counted elsewhere
	}
	switch w.Type {
	case "user", "assistant", "system", "attachment":
	case "progress":
		count("progress", line)
		return nil
	default:
		count("other", line)
		return nil
	}
	count("toolUseResult", w.ToolUseResult)
	count("other", w.Attachment)
	count("other", w.Rendered)
	count("usage", w.Message.Usage)
	if w.Message.ID != "" {
		m.messages[w.Message.ID]++
	}
	return m.content(&w, count)
}

func (m *measure) content(w *wire, count func(string, json.RawMessage)) error {
	raw := w.Message.Content
	said := "prompts"
	if w.IsMeta || w.IsCompactSummary || w.PromptSource == "system" {
		said = "other"
	}
	if len(raw) == 0 {
		return nil
	}
	if raw[0] == '"' {
		count(said, raw)
		return nil
	}
	var blocks []json.RawMessage
	if err := json.Unmarshal(raw, &blocks); err != nil {
		return err
	}
	for _, r := range blocks {
		var b wireBlock
		if err := json.Unmarshal(r, &b); err != nil {
			return err
		}
		switch {
		case b.Type == "tool_result":
			count("tool_result", r)
		case w.Type == "user":
			count(said, b.Text)
		default:
			count("assistant text", b.Text)
			count("thinking", b.Thinking)
			count("signatures", b.Signature)
			count("tool input", b.Input)
		}
	}
	return nil
}

// measured reads every transcript of c.
func measured(t *testing.T, c *storetest.Corpus) *measure {
	t.Helper()
	m := &measure{bytes: map[string]int{}, messages: map[string]int{}}
	for _, f := range c.Files {
		eachLine(t, filepath.Join(c.Dir, f.Name), func(line []byte) {
			if err := m.add(line); err != nil {
				t.Fatalf("%s: %v", f.Name, err)
			}
		})
	}
	return m
}

func eachLine(t *testing.T, path string, do func([]byte)) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		do(bytes.TrimSuffix(line, []byte("\n")))
	}
}

var sharesWanted = []struct {
	part string
	want float64 // percent of all bytes
}{
	{"toolUseResult", 35}, {"envelope", 18.5}, {"tool_result", 13}, {"progress", 13},
	{"signatures", 6.6}, {"usage", 4.5}, {"tool input", 3.6}, {"assistant text", 1.4},
	{"thinking", 0.8}, {"prompts", 0.4}, {"other", 3.2},
}

// The shares and line sizes are those measured on real transcripts. Large
// shares must be within 35 %, small ones within half, lines within 0.6 to 1.6.
func TestShares(t *testing.T) {
	c, err := storetest.Make(filepath.Join(t.TempDir(), "home"), storetest.M.Scale(0.02), 1)
	if err != nil {
		t.Fatal(err)
	}
	m := measured(t, c)
	total := 0
	for _, n := range m.lines {
		total += n
	}
	for _, s := range sharesWanted {
		got := 100 * float64(m.bytes[s.part]) / float64(total)
		slack := 0.35
		if s.want < 3 {
			slack = 0.5
		}
		t.Logf("%-15s %5.1f %%, real %5.1f %%", s.part, got, s.want)
		if got < s.want*(1-slack) || got > s.want*(1+slack) {
			t.Errorf("%s: got %.2f %%, want %.1f %% within %.0f %%", s.part, got, s.want, 100*slack)
		}
	}
	slices.Sort(m.lines)
	for _, p := range []struct{ at, want float64 }{{0.50, 1.1e3}, {0.95, 10e3}, {0.99, 38e3}} {
		got := float64(m.lines[int(p.at*float64(len(m.lines)))])
		t.Logf("line bytes p%.0f %6.0f, real %6.0f", 100*p.at, got, p.want)
		if got < 0.6*p.want || got > 1.6*p.want {
			t.Errorf("line bytes p%.0f: got %.0f, want %.0f", 100*p.at, got, p.want)
		}
	}
	several := 0
	for _, n := range m.messages {
		if n > 1 {
			several++
		}
	}
	got := float64(several) / float64(len(m.messages))
	t.Logf("messages of several rows %.2f, real 0.66; mean line %d, max %d", got, total/len(m.lines), m.lines[len(m.lines)-1])
	if got < 0.58 || got > 0.74 {
		t.Errorf("messages of several rows: got %.2f, want 0.66", got)
	}
}
