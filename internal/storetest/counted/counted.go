// Package counted counts what happened in transcripts the slow and plain way: it reads every line
// with encoding/json and uses nothing else of this program. Tests compare insights with it.
package counted

import (
	"bufio"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"
)

// Tool counts the calls of a tool.
type Tool struct {
	Calls, Failed int
	Took          []int64 // milliseconds, sorted
}

// Facts are what Count counts.
type Facts struct {
	Tools       map[string]*Tool
	Interrupted int // lines that say so, each uuid once
	Compacted   int // summaries of compactions, each uuid once
	Loops       int // groups of at least three equal calls of a file that failed and were not refused
}

type line struct {
	Type, UUID, SessionID string
	Timestamp             time.Time
	Summary               bool            `json:"isCompactSummary"`
	Denied                string          `json:"toolDenialKind"`
	Result                json.RawMessage `json:"toolUseResult"`
	Message               struct {
		Model   string
		Content json.RawMessage
	}
}

type block struct {
	Type, ID, Name, Text string
	Input                json.RawMessage
	Call                 string `json:"tool_use_id"`
	Error                bool   `json:"is_error"`
	Content              json.RawMessage
}

type call struct {
	id, tool, input, file string
	at, answered          time.Time
	failed, refused       bool
}

// refusals are how the results of refused and interrupted calls start.
var refusals = []string{
	"The user doesn't want to proceed with this tool use", "The user doesn't want to take this action right now", "User rejected tool use",
	"Claude requested permissions to", "Permission to use ", "[Request interrupted by user", "[Tool call interrupted", "Interrupted by user",
}

// Count reads all transcripts of a home.
func Count(home string) (Facts, error) {
	f := Facts{Tools: map[string]*Tool{}}
	calls, order, seen := map[string]*call{}, []string{}, map[string]bool{}
	err := filepath.WalkDir(filepath.Join(home, "projects"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".jsonl") {
			return err
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		lines := bufio.NewScanner(file)
		lines.Buffer(nil, 64<<20)
		for lines.Scan() {
			var l line
			if json.Unmarshal(lines.Bytes(), &l) != nil {
				continue
			}
			var blocks []block
			if json.Unmarshal(l.Message.Content, &blocks) != nil {
				blocks = nil
			}
			if !seen[l.UUID] && l.Type == "user" {
				f.addLine(&l, blocks)
			}
			seen[l.UUID] = true
			for _, b := range blocks {
				switch {
				case l.Type == "assistant" && b.Type == "tool_use" && l.Message.Model != "<synthetic>" && calls[path+b.ID] == nil:
					calls[path+b.ID] = &call{id: b.ID, tool: b.Name, input: string(b.Input), file: path, at: l.Timestamp}
					order = append(order, path+b.ID)
				case l.Type == "user" && b.Type == "tool_result" && calls[path+b.Call] != nil:
					calls[path+b.Call].answer(&l, b)
				}
			}
		}
		return lines.Err()
	})
	first := map[string]*call{} // of the copies that forks made, the one that is oldest
	for _, name := range order {
		c := calls[name]
		if was := first[c.id]; was == nil || c.at.Before(was.at) {
			first[c.id] = c
		}
	}
	loops := map[[3]string]int{}
	for _, c := range first {
		f.addCall(c)
		if c.failed && !c.refused {
			loops[[3]string{c.file, c.tool, c.input}]++
		}
	}
	for _, n := range loops {
		if n >= 3 {
			f.Loops++
		}
	}
	for _, t := range f.Tools {
		sort.Slice(t.Took, func(i, j int) bool { return t.Took[i] < t.Took[j] })
	}
	return f, err
}

func (f *Facts) addLine(l *line, blocks []block) {
	var text string
	if json.Unmarshal(l.Message.Content, &text) == nil {
		blocks = []block{{Type: "text", Text: text}}
	}
	for _, b := range blocks {
		if b.Type == "text" && strings.HasPrefix(b.Text, "[Request interrupted by user") {
			f.Interrupted++
		}
	}
	if l.Summary {
		f.Compacted++
	}
}

func (c *call) answer(l *line, b block) {
	if c.answered.IsZero() {
		c.answered = l.Timestamp
	}
	if !b.Error {
		return
	}
	c.failed = true
	var texts []block
	said, note := "", ""
	if json.Unmarshal(b.Content, &said) != nil && json.Unmarshal(b.Content, &texts) == nil && len(texts) > 0 {
		said = texts[0].Text
	}
	_ = json.Unmarshal(l.Result, &note)
	for _, start := range refusals {
		if l.Denied != "" || strings.HasPrefix(said, start) || strings.HasPrefix(strings.TrimPrefix(note, "Error: "), start) {
			c.refused = true
		}
	}
}

func (f *Facts) addCall(c *call) {
	t := f.Tools[c.tool]
	if t == nil {
		t = &Tool{}
		f.Tools[c.tool] = t
	}
	t.Calls++
	if c.failed {
		t.Failed++
	}
	if !c.answered.IsZero() {
		t.Took = append(t.Took, c.answered.Sub(c.at).Milliseconds())
	}
}
