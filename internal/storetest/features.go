package storetest

import (
	"math"
	"slices"
	"time"
)

// sessions makes n plans: who, where, when and how long.
func (t *texts) sessions(n int, projects []*project) []*sessionPlan {
	list := make([]*sessionPlan, n)
	for i := range list {
		list[i] = &sessionPlan{
			id:     t.uuid(),
			slug:   t.part() + "-" + t.part() + "-" + t.part(),
			start:  Until.Add(-Span + time.Duration(t.rng.Float64()*float64(Span-12*time.Hour))).Truncate(time.Millisecond),
			typed:  t.rng.IntN(100) < 70,
			weight: math.Exp(1.1 * t.rng.NormFloat64()),
		}
		// Some projects have most of the sessions, and each has one.
		at := i
		if i >= len(projects) {
			at = int(float64(len(projects)) * math.Pow(t.rng.Float64(), 2))
		}
		list[i].project = projects[at]
	}
	slices.SortFunc(list, func(a, b *sessionPlan) int { return a.start.Compare(b.start) })
	for i, p := range list {
		p.client = newClient(eraAt(float64(i+1)/float64(n)), t)
	}
	return list
}

// eraAt says which clients wrote at this part of the time.
func eraAt(x float64) era {
	switch {
	case x < 0.10:
		return era10
	case x < 0.18:
		return era20
	case x < 0.26:
		return era207
	case x < 0.76:
		return era21
	}
	return eraNow
}

// features says what happens in which sessions. Every feature comes at least
// once, if any session can have it.
func (t *texts) features(list []*sessionPlan) {
	some := func(share float64, can func(*sessionPlan) bool, set func(*sessionPlan)) {
		n := max(1, int(share*float64(len(list))+0.5))
		for _, i := range t.rng.Perm(len(list)) {
			if n > 0 && can(list[i]) {
				set(list[i])
				n--
			}
		}
	}
	from := func(e era) func(*sessionPlan) bool {
		return func(p *sessionPlan) bool { return p.client.era >= e && p.plain() }
	}
	old := func(p *sessionPlan) bool { return p.client.era <= era207 && p.plain() }
	some(0.01, old, func(p *sessionPlan) { p.summaryOnly, p.weight = true, 0.001 })
	some(0.01, func(p *sessionPlan) bool { return old(p) && p.client.era != era10 },
		func(p *sessionPlan) { p.empty, p.weight = true, 0.001 })
	for _, e := range []era{era10, eraNow} {
		some(0.025, from(e), func(p *sessionPlan) { p.rewinds = 1 + t.rng.IntN(2) })
	}
	some(0.05, from(era20), func(p *sessionPlan) { p.compactions = 1 + t.rng.IntN(2) })
	some(0.01, from(era20), func(p *sessionPlan) { p.bad = true })
	typedNow := func(p *sessionPlan) bool { return p.client.era == eraNow && p.typed && p.plain() }
	some(0.03, typedNow, func(p *sessionPlan) { p.command = true })
	some(0.03, typedNow, func(p *sessionPlan) { p.queued = true })
	some(0.12, from(era21), func(p *sessionPlan) { p.titled = true })
	some(0.08, from(era21), func(p *sessionPlan) { p.aiTitled = true })
	some(0.01, from(eraNow), func(p *sessionPlan) { p.lostAgent = true })
	some(0.05, func(p *sessionPlan) bool { return p.client.era == era10 && p.plain() }, t.inline)
	t.forks(list)
}

// inline gives a session of 1.0 agents that write into its own file.
func (t *texts) inline(p *sessionPlan) {
	for range 1 + t.rng.IntN(2) {
		p.agents = append(p.agents, &agentPlan{kind: "general-purpose", description: "look around", inline: true})
	}
}

// forks makes about 3 % of the sessions forks of another of their project.
func (t *texts) forks(list []*sessionPlan) {
	n := max(1, int(0.03*float64(len(list))+0.5))
	for _, i := range t.rng.Perm(len(list)) {
		p := list[i]
		if n == 0 {
			return
		}
		if !p.plain() || p.client.era < era21 || p.command || p.queued {
			continue
		}
		j := slices.IndexFunc(list, func(q *sessionPlan) bool {
			return q != p && q.project == p.project && q.client.era == p.client.era && q.plain() && q.weight < 2 && !q.command && !q.queued
		})
		if j < 0 {
			continue
		}
		list[j].bare = true
		p.forkOf, p.client = list[j], list[j].client
		p.forkedFrom = p.client.era == eraNow && n%2 == 0
		p.start = list[j].start.Add(time.Hour)
		n--
	}
}

// agents deals n agent files to the sessions.
func (t *texts) agents(list []*sessionPlan, n int) {
	can := func(e era) []*sessionPlan {
		var out []*sessionPlan
		for _, p := range list {
			if p.client.era >= e && !p.summaryOnly && !p.empty {
				out = append(out, p)
			}
		}
		return out
	}
	warm := n / 5
	for _, p := range list {
		if (p.client.era == era20 || p.client.era == era207) && warm > 1 && !p.summaryOnly {
			p.warmUps = 2
			warm -= 2
			n -= 2
		}
	}
	flat, deep, now := can(era20), can(era21), can(eraNow)
	for i := 0; n > 0; i++ {
		from := flat
		switch i % 10 {
		case 4, 6:
			from = now
		case 0, 2, 8:
			from = deep
		}
		n -= t.agentsOf(from[int(float64(len(from))*math.Pow(t.rng.Float64(), 1.5))], i, n)
	}
}

// agentsOf adds up to n agents to p and returns how many.
func (t *texts) agentsOf(p *sessionPlan, i, n int) int {
	switch {
	case i%20 == 2:
		p.helpers = append(p.helpers, t.agent(0.3))
		return 1
	case i%10 == 4 && n >= 3 && len(p.workflow) == 0:
		p.workflow = []*agentPlan{t.agent(0.2), t.agent(0.2), t.agent(0.2)}
		return 3
	case i%10 == 6 && n >= 2:
		a := t.agent(0.4)
		a.children = []*agentPlan{t.agent(0.3)}
		p.agents = append(p.agents, a)
		return 2
	}
	p.agents = append(p.agents, t.agent(0.5))
	return 1
}

func (t *texts) agent(scale float64) *agentPlan {
	return &agentPlan{
		kind:        t.one([]string{"general-purpose", "Explore", "Plan", "reviewer"}),
		description: t.word() + " the " + t.part(),
		weight:      scale * math.Exp(0.9*t.rng.NormFloat64()),
	}
}
