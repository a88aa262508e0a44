package insight

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/index"
	"sesskeep/internal/live"
	"sesskeep/internal/stamp"
)

// TimeSpent says where the time of sessions went.
type TimeSpent struct {
	Working     int64      `json:"workingMs"`            // milliseconds in which the model and its tools worked
	Waiting     int64      `json:"waitingMs"`            // milliseconds in which a session waited for you with a question; known only where it was watched
	Idle        int64      `json:"idleMs"`               // milliseconds before your next prompt, at most an hour each
	Watched     stamp.Time `json:"watchedFrom,omitzero"` // when the log of watched sessions starts; before that all is from timestamps
	WatchedMs   int64      `json:"watchedMs"`            // milliseconds of these that were watched
	Days        []DayTime  `json:"days"`                 // by day
	Week        [7][24]int `json:"hourOfWeek"`           // minutes of work by weekday, from Monday on, and hour
	MostAtOnce  int        `json:"mostAtOnce"`           // most sessions that worked at the same time
	MostAt      stamp.Time `json:"mostAt,omitzero"`      // when that was
	Concurrency []AtOnce   `json:"concurrency"`          // how long so many worked at once
}

// DayTime is where the time of a day went.
type DayTime struct {
	Day     string `json:"date"`      // the day
	Working int64  `json:"workingMs"` // as in the sum
	Waiting int64  `json:"waitingMs"` // as in the sum
	Idle    int64  `json:"idleMs"`    // as in the sum
	Watched bool   `json:"watched"`   // true if some of it was watched
}

// AtOnce is how long a number of sessions worked at once.
type AtOnce struct {
	Sessions int   `json:"sessionCount"` // number of sessions
	For      int64 `json:"durationMs"`   // milliseconds
}

// longestGap is how much of a gap between two lines counts: what is longer was left.
const longestGap = time.Hour

// stretch is a span of time in which a session did one thing.
type stretch struct {
	from, to time.Time
	is       live.Word
	watched  bool
}

// timeSpent adds up what sessions did, by their log where there is one and by their lines
// elsewhere.
func (s *survey) timeSpent(ctx context.Context, in *Insights) error {
	watched, from := s.watched()
	in.Time = TimeSpent{Days: []DayTime{}, Concurrency: []AtOnce{}, Watched: stamp.Time{Time: from}}
	t := timekeeper{in: &in.Time, survey: s, days: map[string]*DayTime{}}
	sessions := map[*catalog.Session]bool{}
	err := s.index.EachTimes(ctx, s.ids(), func(root, file string, lines []index.LineTime) error {
		r := s.byFile[location{root, file}]
		if r == nil || r.Source != ask.FromUser || r.IsAgent {
			return nil
		}
		sessions[r] = sessions[r] || slices.ContainsFunc(lines, func(l index.LineTime) bool { return s.within(l.Time) })
		known := watched[location{r.Root, r.ID}]
		for _, w := range known {
			t.add(w)
		}
		for _, g := range gaps(lines, min(len(lines), s.copied(r, lines))) {
			for _, part := range outside(g, known) {
				t.add(part)
			}
		}
		return nil
	})
	for _, is := range sessions {
		if is {
			in.Sessions++
		}
	}
	t.end()
	return err
}

// copied is how many lines a fork has from its original: those before it was created.
func (s *survey) copied(r *catalog.Session, lines []index.LineTime) int {
	if r.ForkedFrom == "" {
		return 0
	}
	for i := range s.rows {
		if o := &s.rows[i]; o.ID == r.ForkedFrom && o.Root == r.Root {
			for n, l := range lines {
				if l.Time.After(o.LastActivityAt.Time) {
					return n
				}
			}
			return len(lines)
		}
	}
	return 0
}

// gaps are the times between lines: before a prompt it was the user's turn, and otherwise
// there was work. What is longer than longestGap counts as that long.
func gaps(lines []index.LineTime, from int) (list []stretch) {
	for i := max(1, from); i < len(lines); i++ {
		a, b := lines[i-1].Time, lines[i].Time
		if !b.After(a) {
			continue
		}
		g := stretch{from: a, to: b, is: live.Working}
		if lines[i].Prompt {
			g.is = live.YourTurn
		}
		if g.to.Sub(g.from) > longestGap {
			g.to = g.from.Add(longestGap)
		}
		list = append(list, g)
	}
	return list
}

// outside are the parts of a stretch that others, which are in order, leave.
func outside(g stretch, known []stretch) (list []stretch) {
	for _, k := range known {
		if !k.to.After(g.from) || !g.to.After(k.from) {
			continue
		}
		if k.from.After(g.from) {
			part := g
			part.to = k.from
			list = append(list, part)
		}
		if g.from = k.to; !g.to.After(g.from) {
			return list
		}
	}
	return append(list, g)
}

// watched are what the log says of the sessions of each home, in order, and when it starts.
func (s *survey) watched() (map[location][]stretch, time.Time) {
	all := map[location][]stretch{}
	var first time.Time
	if s.query.Log == "" {
		return all, first
	}
	last := map[location]live.Record{}
	for r, err := range live.ReadLog(s.query.Log) {
		if err != nil {
			break // what it lacks is counted from timestamps
		}
		if r.State == "" {
			continue
		}
		if first.IsZero() {
			first = r.Time
		}
		id := location{r.Root, string(r.Session)}
		if was, ok := last[id]; ok && !was.State.Over() && r.Time.After(was.Time) {
			all[id] = append(all[id], stretch{was.Time, r.Time, was.State, true})
		}
		last[id] = r
	}
	return all, first
}

// timekeeper adds stretches up.
type timekeeper struct {
	in     *TimeSpent
	survey *survey
	days   map[string]*DayTime
	work   []stretch
}

// add adds a stretch, hour by hour.
func (t *timekeeper) add(g stretch) {
	if since := t.survey.query.Since; g.from.Before(since) {
		g.from = since
	}
	if until := t.survey.query.Until; !until.IsZero() && g.to.After(until) {
		g.to = until
	}
	if !g.to.After(g.from) {
		return
	}
	if g.is == live.Idle || g.is == live.YourTurn { // however long it was watched
		g.to = g.from.Add(min(g.to.Sub(g.from), longestGap))
	}
	if g.is == live.Working {
		t.work = append(t.work, g)
	}
	for from := g.from; from.Before(g.to); {
		local := from.In(t.survey.query.Zone)
		next := from.Add(time.Hour - time.Duration(local.Minute())*time.Minute - time.Duration(local.Second())*time.Second - time.Duration(local.Nanosecond()))
		if next.After(g.to) {
			next = g.to
		}
		t.hour(local, next.Sub(from), &g)
		from = next
	}
}

// hour adds a part of a stretch that lies in one hour.
func (t *timekeeper) hour(at time.Time, took time.Duration, g *stretch) {
	key := at.Format(time.DateOnly)
	day := t.days[key]
	if day == nil {
		day = &DayTime{Day: key}
		t.days[key] = day
	}
	ms := took.Milliseconds()
	if day.Watched = day.Watched || g.watched; g.watched {
		t.in.WatchedMs += ms
	}
	switch g.is {
	case live.Working:
		day.Working += ms
		t.in.Working += ms
		t.in.Week[(int(at.Weekday())+6)%7][at.Hour()] += int(ms)
	case live.NeedsYou:
		day.Waiting += ms
		t.in.Waiting += ms
	case live.YourTurn, live.Idle:
		day.Idle += ms
		t.in.Idle += ms
	}
}

// end makes the lists.
func (t *timekeeper) end() {
	for _, key := range slices.Sorted(maps.Keys(t.days)) {
		t.in.Days = append(t.in.Days, *t.days[key])
	}
	for d := range t.in.Week {
		for h := range t.in.Week[d] {
			t.in.Week[d][h] = (t.in.Week[d][h] + 30_000) / 60_000
		}
	}
	t.concurrency()
}

// concurrency finds how many sessions worked at once.
func (t *timekeeper) concurrency() {
	type edge struct {
		at   time.Time
		step int
	}
	var edges []edge
	for _, g := range t.work {
		edges = append(edges, edge{g.from, 1}, edge{g.to, -1})
	}
	slices.SortFunc(edges, func(a, b edge) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.step, b.step)) })
	long, now := map[int]time.Duration{}, 0
	for i, e := range edges {
		if i > 0 && now > 0 {
			long[now] += e.at.Sub(edges[i-1].at)
		}
		if now += e.step; now > t.in.MostAtOnce {
			t.in.MostAtOnce, t.in.MostAt = now, stamp.Time{Time: e.at}
		}
	}
	for _, n := range slices.Sorted(maps.Keys(long)) {
		if ms := long[n].Milliseconds(); ms > 0 {
			t.in.Concurrency = append(t.in.Concurrency, AtOnce{n, ms})
		}
	}
}
