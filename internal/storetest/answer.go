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
// then the earliest, then not copied from the session it is a fork of, then the
// first by name. The caller names the forks and their origins, by id.
func Answers(home string, forks map[string]string) ([]Answer, error) {
	all := map[string][]Answer{}
	has := map[[2]string]bool{} // session and message
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
			all[id] = append(all[id], a)
			has[[2]string{a.session(), id}] = true
		}
		return err
	})
	copied := func(a Answer) bool { return has[[2]string{forks[a.session()], a.ID}] }
	list := make([]Answer, 0, len(all))
	for _, found := range all {
		list = append(list, slices.MinFunc(found, func(a, b Answer) int {
			return cmp.Or(cmp.Compare(b.Usage.Output, a.Usage.Output), later(a.Sidechain, b.Sidechain), a.Time.Compare(b.Time),
				later(copied(a), copied(b)), strings.Compare(a.File, b.File))
		}))
	}
	slices.SortFunc(list, func(a, b Answer) int { return cmp.Compare(a.ID, b.ID) })
	return list, err
}

// session is the name of the file, which is that of its session.
func (a Answer) session() string {
	return strings.TrimSuffix(a.File[strings.LastIndex(a.File, "/")+1:], ".jsonl")
}

// later sorts what is true behind what is not.
func later(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
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
