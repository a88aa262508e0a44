package storetest

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Answer is a message of the model as it has to be counted.
type Answer struct {
	ID        string // message.id, or the uuid of the line
	File      string // it counts in: slash path below the home
	Model     string
	Time      time.Time
	Sidechain bool
	Usage     Usage
}

// Answers finds, slowly and with nothing but encoding/json, what has to be
// counted of a home: every message once, the largest of each figure in its
// file, and of all files the one with the most output, then not a sidechain,
// then the earliest, then the first by name.
func Answers(home string) ([]Answer, error) {
	best := map[string]Answer{}
	err := filepath.WalkDir(filepath.Join(home, "projects"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".jsonl") {
			return err
		}
		name, err := filepath.Rel(home, path)
		if err != nil {
			return err
		}
		found, err := answersOf(path)
		for id, a := range found {
			a.File = filepath.ToSlash(name)
			if old, ok := best[id]; !ok || a.beats(old) {
				best[id] = a
			}
		}
		return err
	})
	list := make([]Answer, 0, len(best))
	for _, a := range best {
		list = append(list, a)
	}
	slices.SortFunc(list, func(a, b Answer) int { return cmp.Compare(a.ID, b.ID) })
	return list, err
}

func (a Answer) beats(b Answer) bool {
	side := func(a Answer) int {
		if a.Sidechain {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(b.Usage.Output, a.Usage.Output), cmp.Compare(side(a), side(b)),
		a.Time.Compare(b.Time), strings.Compare(a.File, b.File)) < 0
}

type answerLine struct {
	Type      string    `json:"type"`
	UUID      string    `json:"uuid"`
	Time      time.Time `json:"timestamp"`
	Sidechain bool      `json:"isSidechain"`
	Message   struct {
		ID    string `json:"id"`
		Model string `json:"model"`
		Usage struct {
			Input   int64 `json:"input_tokens"`
			Output  int64 `json:"output_tokens"`
			Read    int64 `json:"cache_read_input_tokens"`
			Written int64 `json:"cache_creation_input_tokens"`
			Split   struct {
				FiveMinutes int64 `json:"ephemeral_5m_input_tokens"`
				OneHour     int64 `json:"ephemeral_1h_input_tokens"`
			} `json:"cache_creation"`
		} `json:"usage"`
	} `json:"message"`
}

func answersOf(path string) (map[string]Answer, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	found := map[string]Answer{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var l answerLine
		if json.Unmarshal(bytes.TrimSpace(lines.Bytes()), &l) != nil || l.Type != "assistant" || l.Message.Model == "<synthetic>" {
			continue
		}
		u := l.Message.Usage
		use := Usage{Input: u.Input, Output: u.Output, CacheRead: u.Read, Cache5m: u.Split.FiveMinutes, Cache1h: u.Split.OneHour}
		if use.Cache5m+use.Cache1h == 0 {
			use.Cache5m = u.Written
		}
		if use == (Usage{}) {
			continue
		}
		id := cmp.Or(l.Message.ID, l.UUID)
		a, ok := found[id]
		if !ok {
			a = Answer{ID: id, Model: l.Message.Model, Time: l.Time, Sidechain: l.Sidechain}
		}
		a.Usage = Usage{
			Input: max(a.Usage.Input, use.Input), Output: max(a.Usage.Output, use.Output), CacheRead: max(a.Usage.CacheRead, use.CacheRead),
			Cache5m: max(a.Usage.Cache5m, use.Cache5m), Cache1h: max(a.Usage.Cache1h, use.Cache1h),
		}
		found[id] = a
	}
	return found, lines.Err()
}
