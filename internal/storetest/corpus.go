package storetest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// Size says how large a corpus is. Sessions and Agents count transcript files
// and are met exactly; Bytes counts their bytes and is met within a tenth.
type Size struct {
	Sessions int
	Agents   int
	Projects int
	Bytes    int64
}

// The sizes benchmarks speak of.
var (
	S = Size{Sessions: 30, Agents: 40, Projects: 6, Bytes: 10 << 20}
	M = Size{Sessions: 3000, Agents: 3500, Projects: 60, Bytes: 1100 << 20}
	L = Size{Sessions: 10000, Agents: 12000, Projects: 150, Bytes: 1000 << 20}
	// L4 is L with files of the usual size, XL ten times as many of half of it.
	L4 = Size{Sessions: 10000, Agents: 12400, Projects: 150, Bytes: 3900 << 20}
	XL = Size{Sessions: 100000, Agents: 124000, Projects: 600, Bytes: 20 << 30}
)

// SizeOf returns the size that has a name, such as M.
func SizeOf(name string) (Size, bool) {
	size, ok := map[string]Size{"S": S, "M": M, "L": L, "L4": L4, "XL": XL}[name]
	return size, ok
}

// Scale is the size with every figure multiplied by by, at least one each.
func (s Size) Scale(by float64) Size {
	scale := func(n int) int { return max(1, int(float64(n)*by)) }
	return Size{
		Sessions: scale(s.Sessions),
		Agents:   scale(s.Agents),
		Projects: scale(s.Projects),
		Bytes:    int64(float64(s.Bytes) * by),
	}
}

// The corpus ends at Until and begins about Span before it.
var (
	Until = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	Span  = 120 * 24 * time.Hour
)

// makerVersion changes when the same seed would give other bytes, so that an
// old corpus on disk is not taken for a new one.
const makerVersion = 2

// Corpus is a made home and what a reader must find in it. The sums are over
// Files.
type Corpus struct {
	Dir      string `json:"dir"` // the home
	Size     Size   `json:"size"`
	Seed     uint64 `json:"seed"`
	Version  int    `json:"version"` // of the maker
	Sessions int    `json:"sessions"`
	Agents   int    `json:"agents"`
	Lines    int    `json:"lines"`
	Bytes    int64  `json:"bytes"`
	Prompts  int    `json:"prompts"` // File.Sent over session files

	// Messages and Usage count every message.id once over all files, with the
	// largest figure seen in each field. Models splits Usage by model.
	Messages int              `json:"messages"`
	Usage    Usage            `json:"usage"`
	Models   map[string]Usage `json:"models"`

	Needles []Needle `json:"needles"`
	Files   []File   `json:"files"` // sorted by Name
}

// File is the truth about one transcript file. User and assistant lines of
// sidechains inside a session file count only as Lines, InlineAgents and Usage.
type File struct {
	Name  string `json:"name"` // slash path relative to the home
	Kind  string `json:"kind"` // "session" or "agent"
	Bytes int64  `json:"bytes"`

	Lines    int `json:"lines"`    // every line, whole or bad
	Entries  int `json:"entries"`  // lines that are a JSON object
	BadLines int `json:"badLines"` // lines that are not

	Prompts        int `json:"prompts"`        // plain prompts, copies included
	CustomCommands int `json:"customCommands"` // slash commands that start a turn
	QueuedPrompts  int `json:"queuedPrompts"`  // typed while the model worked

	UserLines         int `json:"userLines"`
	AssistantLines    int `json:"assistantLines"`
	AssistantMessages int `json:"assistantMessages"` // distinct message.id
	Conversations     int `json:"conversations"`     // 1 + real forks, 0 without a user line
	InlineAgents      int `json:"inlineAgents"`

	Usage Usage `json:"usage"` // every message.id of the file once

	Title      string    `json:"title,omitempty"` // last custom-title, else last ai-title
	ForkOf     string    `json:"forkOf,omitempty"`
	Session    string    `json:"session,omitempty"` // of an agent: the session it belongs to
	FirstTime  time.Time `json:"firstTime"`
	LastTime   time.Time `json:"lastTime"` // newest timestamp, also the file's mtime
	FirstModel string    `json:"firstModel,omitempty"`
}

// Sent is how many times a person or host said something.
func (f File) Sent() int { return f.Prompts + f.CustomCommands + f.QueuedPrompts }

// Usage is a sum of tokens.
type Usage struct {
	Input         int64 `json:"input"`
	Output        int64 `json:"output"`
	CacheRead     int64 `json:"cacheRead"`
	CacheCreation int64 `json:"cacheCreation"`
	Cache5m       int64 `json:"cache5m"`
	Cache1h       int64 `json:"cache1h"`
}

func (u *Usage) add(v Usage) {
	u.Input += v.Input
	u.Output += v.Output
	u.CacheRead += v.CacheRead
	u.CacheCreation += v.CacheCreation
	u.Cache5m += v.Cache5m
	u.Cache1h += v.Cache1h
}

// Make writes a home of the given size into dir, which must be empty or
// missing, and returns the truth about it. The same size and seed give the
// same bytes and times on every machine.
func Make(dir string, size Size, seed uint64) (*Corpus, error) {
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return nil, fmt.Errorf("make corpus: %s is not empty", dir)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("make corpus: %w", err)
	}
	shards := plan(dir, size, seed)
	if err := runAll(shards); err != nil {
		return nil, fmt.Errorf("make corpus: %w", err)
	}
	c := &Corpus{Dir: dir, Size: size, Seed: seed, Version: makerVersion, Models: map[string]Usage{}}
	var said []historyLine
	for _, s := range shards {
		c.absorb(s)
		said = append(said, s.history...)
	}
	slices.SortFunc(c.Files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	if err := furnish(dir, seed, said); err != nil {
		return nil, fmt.Errorf("make corpus: %w", err)
	}
	return c, nil
}

// runAll makes the shards side by side. A shard never looks at another, so
// how many run at once does not show in the result.
func runAll(shards []*shard) error {
	errs := make([]error, len(shards))
	slots := make(chan struct{}, 4)
	var wg sync.WaitGroup
	for i, s := range shards {
		wg.Go(func() {
			slots <- struct{}{}
			errs[i] = s.run()
			<-slots
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *Corpus) absorb(s *shard) {
	for _, f := range s.files {
		c.Lines += f.Lines
		c.Bytes += f.Bytes
		if f.Kind == kindAgent {
			c.Agents++
		} else {
			c.Sessions++
			c.Prompts += f.Sent()
		}
	}
	c.Files = append(c.Files, s.files...)
	c.Needles = append(c.Needles, s.needles.planted...)
	c.Messages += s.messages
	for model, u := range s.models {
		sum := c.Models[model]
		sum.add(u)
		c.Models[model] = sum
		c.Usage.add(u)
	}
}

// Save writes the truth as JSON, so that a corpus can be used again.
func (c *Corpus) Save(path string) error {
	data, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("save corpus: %w", err)
	}
	tmp := path + ".tmp"
	if err := os.WriteFile(tmp, data, 0o644); err != nil {
		return fmt.Errorf("save corpus: %w", err)
	}
	return os.Rename(tmp, path)
}

// Load reads what Save wrote.
func Load(path string) (*Corpus, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("load corpus: %w", err)
	}
	var c Corpus
	if err := json.Unmarshal(data, &c); err != nil {
		return nil, fmt.Errorf("load corpus %s: %w", path, err)
	}
	return &c, nil
}

// MakeOnce makes a corpus below dir, with the home in dir/home and the truth
// in dir/corpus.json, or uses the one of the same size and seed that is there.
func MakeOnce(dir string, size Size, seed uint64) (c *Corpus, made bool, err error) {
	home, truth := filepath.Join(dir, "home"), filepath.Join(dir, "corpus.json")
	if c, err := Load(truth); err == nil && c.Size == size && c.Seed == seed && c.Version == makerVersion {
		c.Dir = home
		return c, false, nil
	}
	for _, old := range []string{truth, home} {
		if err := os.RemoveAll(old); err != nil {
			return nil, false, fmt.Errorf("make corpus: %w", err)
		}
	}
	if c, err = Make(home, size, seed); err != nil {
		return nil, false, err
	}
	return c, true, c.Save(truth)
}
