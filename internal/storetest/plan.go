package storetest

import (
	"bufio"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
	"unicode/utf16"
)

// project is a working directory and where its sessions lie.
type project struct {
	cwd    string
	dir    string
	leaves []string // last rows of its finished sessions
}

// sessionPlan is a session to come: who writes it and what happens in it.
type sessionPlan struct {
	id      string
	slug    string
	project *project
	client  *client
	start   time.Time
	typed   bool
	weight  float64 // of the session file; agents have their own
	budget  int64

	rewinds     int
	compactions int
	command     bool
	queued      bool
	bad         bool // half a line inside
	empty       bool // 0 bytes
	summaryOnly bool
	titled      bool
	aiTitled    bool
	lostAgent   bool // a meta.json without transcript

	bare       bool // others repeat it
	forkOf     *sessionPlan
	forkedFrom bool
	checks     []checkpoint

	agents   []*agentPlan
	workflow []*agentPlan
	helpers  []*agentPlan
	warmUps  int
}

func (p *sessionPlan) name() string { return "projects/" + p.project.dir + "/" + p.id + ".jsonl" }

// plain reports whether nothing special is planned, so that others can copy it.
func (p *sessionPlan) plain() bool {
	return p.rewinds+p.compactions == 0 && !p.empty && !p.summaryOnly && !p.bad && p.forkOf == nil && !p.bare
}

// total is the weight of the session with its agents.
func (p *sessionPlan) total() float64 {
	sum := p.weight
	for _, list := range [][]*agentPlan{p.agents, p.workflow, p.helpers} {
		for _, a := range list {
			sum += a.total()
		}
	}
	return sum
}

func (a *agentPlan) total() float64 {
	sum := a.weight
	for _, c := range a.children {
		sum += c.total()
	}
	return sum
}

// share gives the session and its agents their part of n bytes.
func (p *sessionPlan) share(n float64) {
	per := n / p.total()
	p.budget = int64(per * p.weight)
	for _, list := range [][]*agentPlan{p.agents, p.workflow, p.helpers} {
		for _, a := range list {
			a.share(per)
		}
	}
}

func (a *agentPlan) share(per float64) {
	a.budget = int64(per * a.weight)
	for _, c := range a.children {
		c.share(per)
	}
}

// shard is a part of the corpus that is made in one go: some projects with
// all their sessions. It has its own randomness, mix and needles.
type shard struct {
	texts
	dir      string
	budget   int64
	written  int64
	longest  int  // bytes a size may have
	huge     bool // one edit of the longest kind is still to come
	mix      mix
	needles  *needles
	sessions []*sessionPlan

	files    []File
	history  []historyLine
	models   map[string]Usage
	messages int
	err      error

	writers                 []*bufio.Writer
	buf, body, extra, small []byte // texts being composed
	from                    int    // where the current result began
	row                     string // its id
}

// fail keeps the first error; run returns it.
func (s *shard) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// progress is the part of the shard that is written.
func (s *shard) progress() float64 { return float64(s.written) / float64(max(1, s.budget)) }

func (s *shard) run() error {
	left := 0.0
	for _, p := range s.sessions {
		left += p.total()
	}
	for i, p := range s.sessions {
		weight := p.total()
		p.share(math.Max(0, float64(s.budget-s.written)) * weight / left)
		left -= weight
		last := i == len(s.sessions)-1
		if last {
			s.needles.hurry()
		}
		if s.write(p, last); s.err != nil {
			return s.err
		}
	}
	return nil
}

// longestLine is the size of the longest lines, met by one edit in a corpus
// large enough that it does not bend the shares.
const longestLine = 1_950_000

func (s *shard) hugeOr(n int) int {
	if s.huge && s.progress() > 0.4 {
		s.huge = false
		return longestLine
	}
	return n
}

// plan lays out a corpus as shards of at least a hundred sessions.
func plan(dir string, size Size, seed uint64) []*shard {
	t := &texts{rng: rand.New(rand.NewPCG(seed, 0x5e55))}
	n := min(max(1, size.Sessions/100), 8, max(1, size.Projects))
	shards := make([]*shard, n)
	for i := range shards {
		rng := rand.New(rand.NewPCG(seed, 0xc0de+uint64(i)))
		shards[i] = &shard{
			texts: texts{rng: rng}, dir: dir, models: map[string]Usage{},
			longest: int(min(longestLine, max(60<<10, size.Bytes/400))),
			needles: newNeedles(rng, needleCount(size), i, n),
			small:   make([]byte, 0, 4096),
		}
	}
	shards[0].huge = shards[0].longest == longestLine
	projects := t.projects(max(1, size.Projects))
	sessions := t.sessions(size.Sessions, projects)
	t.features(sessions)
	t.agents(sessions, size.Agents)
	t.deal(shards, projects, sessions, size.Bytes)
	return shards
}

// deal gives every project to a shard. Forks come after what they copy.
func (t *texts) deal(shards []*shard, projects []*project, sessions []*sessionPlan, bytes int64) {
	home := map[*project]*shard{}
	for i, p := range projects {
		home[p] = shards[i%len(shards)]
	}
	t.rng.Shuffle(len(sessions), func(i, j int) { sessions[i], sessions[j] = sessions[j], sessions[i] })
	slices.SortStableFunc(sessions, func(a, b *sessionPlan) int { return a.order() - b.order() })
	var all float64
	weights := map[*shard]float64{}
	for _, p := range sessions {
		s := home[p.project]
		s.sessions = append(s.sessions, p)
		weights[s] += p.total()
		all += p.total()
	}
	for _, s := range shards {
		s.budget = int64(float64(bytes) * weights[s] / all)
	}
}

// order sorts forks behind all others; the last of a shard is a long talk.
func (p *sessionPlan) order() int {
	if p.forkOf != nil {
		return 1
	}
	return 0
}

// projects makes n working directories with names of many kinds.
func (t *texts) projects(n int) []*project {
	seen := map[string]bool{}
	var list []*project
	for len(list) < n {
		name := t.part() + t.one([]string{"-", "_", ".", "/", ""}) + t.part()
		switch t.rng.IntN(12) {
		case 0:
			name += "-été"
		case 1:
			name += "/検索"
		case 2:
			name += " v2"
		}
		cwd := t.one([]string{"/home/dev/src/github.com/acme/", "/home/dev/work/customers/", "/Users/dev/Documents/code/"}) + name
		if dir := encode(cwd); !seen[dir] {
			seen[dir] = true
			list = append(list, &project{cwd: cwd, dir: dir})
		}
	}
	return list
}

// encode is the name of the directory the client keeps cwd's sessions in.
func encode(cwd string) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(cwd)) {
		if u >= '0' && u <= '9' || u >= 'A' && u <= 'Z' || u >= 'a' && u <= 'z' {
			b.WriteByte(byte(u))
		} else {
			b.WriteByte('-')
		}
	}
	return b.String()
}
