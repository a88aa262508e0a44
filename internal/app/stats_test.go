package app_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/money"
	"sesskeep/internal/storetest"
)

// calledTools reads the calls of a home with encoding/json: every id once, and
// whether any result of it is an error.
func calledTools(t *testing.T, home string) map[string][2]int {
	t.Helper()
	names, failed := map[string]string{}, map[string]bool{}
	err := filepath.WalkDir(filepath.Join(home, "projects"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".jsonl") {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 64<<20)
		for lines.Scan() {
			var l struct {
				Type    string
				Message struct{ Content json.RawMessage }
			}
			var blocks []struct {
				Type, ID, Name string
				Call           string `json:"tool_use_id"`
				Error          bool   `json:"is_error"`
			}
			if json.Unmarshal(lines.Bytes(), &l) != nil || json.Unmarshal(l.Message.Content, &blocks) != nil {
				continue
			}
			for _, b := range blocks {
				switch {
				case l.Type == "assistant" && b.Type == "tool_use":
					names[b.ID] = b.Name
				case l.Type == "user" && b.Type == "tool_result" && b.Error:
					failed[b.Call] = true
				}
			}
		}
		return lines.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
	tools := map[string][2]int{}
	for id, name := range names {
		n := tools[name]
		n[0]++
		if failed[id] {
			n[1]++
		}
		tools[name] = n
	}
	return tools
}

func TestStatsTellTheTruth(t *testing.T) {
	home := t.TempDir()
	c, err := storetest.Make(home, storetest.S, 3)
	if err != nil {
		t.Fatal(err)
	}
	a := openApp(t, home)
	s, err := a.Catalog.Reports.Stats(context.Background(), money.StatsOptions{Zone: time.UTC})
	if err != nil {
		t.Fatal(err)
	}
	want := calledTools(t, home)
	if len(s.Tools) != len(want) {
		t.Errorf("%d tools, want %d", len(s.Tools), len(want))
	}
	for _, tool := range s.Tools {
		if got := [2]int{tool.Calls, tool.Errors}; got != want[tool.Tool] {
			t.Errorf("%s: %v, want %v", tool.Tool, got, want[tool.Tool])
		}
	}
	if n := s.Counts.User + s.Counts.Agent + s.Counts.Helper; n != len(c.Files) {
		t.Errorf("%d transcripts, want %d", n, len(c.Files))
	}
	if s.Totals.Usage.Output != c.Usage.Output {
		t.Errorf("output %d, want %d", s.Totals.Usage.Output, c.Usage.Output)
	}
	var hours [24]int // by the hours of the week
	answers := 0
	for day, list := range s.Week {
		all := 0
		for hour, n := range list {
			hours[hour] += n
			all += n
		}
		if all != s.Weekdays[day] {
			t.Errorf("%d answers on weekday %d, its hours have %d", s.Weekdays[day], day, all)
		}
		answers += all
	}
	if hours != s.Hours || answers != s.Answers {
		t.Errorf("answers by hour %v, by hour of the week %v, want %d", s.Hours, hours, s.Answers)
	}
}
