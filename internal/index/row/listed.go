package row

import (
	"cmp"
	"encoding/json"
	"strconv"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/index/db"
	"sesskeep/internal/jsonl"
)

// FactsReader reads rows out of facts. Half of the time of a list went into reading
// them with encoding/json, which looks at every byte twice; this also passes over
// what no list shows.
type FactsReader struct {
	p   jsonl.Parser
	bad bool // a value is not what was written
}

// Read gives the row with where its file is and how its talk stands.
func (r *FactsReader) Read(name string, body []byte) (ask.Row, error) {
	p := &r.p
	p.Reset(body)
	r.bad = false
	var f Facts
	var err error
	for key := range p.Object() {
		switch string(key) {
		case "row":
			r.row(&f.Row)
		case "standing":
			err = r.standing(&f.Standing)
		case "place":
			f.Place = place(p.Bytes())
		case "same":
			f.Same = r.unsigned()
		}
	}
	if err == nil && (p.End() != nil || r.bad) {
		err = cmp.Or(json.Unmarshal(body, &Facts{}), db.ErrDamaged) // it says what is wrong
	}
	if err == nil {
		err = f.complete(name)
	}
	return f.Row, err
}

// called gives what the client calls a session, and its last prompt.
func (r *FactsReader) called(body []byte) (custom, asked string, err error) {
	p := &r.p
	p.Reset(body)
	for key := range p.Object() {
		if string(key) != "row" {
			continue
		}
		for key := range p.Object() {
			switch string(key) {
			case "customTitle":
				custom = p.Text()
			case "lastUserMessage":
				asked = p.Text()
			}
		}
	}
	if p.End() != nil {
		err = db.ErrDamaged
	}
	return custom, asked, err
}

func (r *FactsReader) row(row *ask.Row) {
	p := &r.p
	for key := range p.Object() {
		switch string(key) {
		case "id":
			row.ID = p.Text()
		case "projectPath":
			row.ProjectPath = p.Text()
		case "project":
			row.Project = p.Text()
		case "dirName":
			row.DirName = p.Text()
		case "root":
			row.Root = p.Text()
		case "customTitle":
			row.CustomTitle = p.Text()
		case "source":
			row.Source = ask.Source(p.Text())
		case "started":
			row.Started = ask.Started(p.Text())
		case "entrypoint":
			row.Entrypoint = p.Text()
		case "lastUserMessage":
			row.LastUserMessage = p.Text()
		case "lastAssistantMessage":
			row.LastAssistantMessage = p.Text()
		case "createdAt":
			row.CreatedAt.Time = r.time()
		case "lastActivityAt":
			row.LastActivityAt.Time = r.time()
		case "model":
			row.Model = p.Text()
		case "models":
			row.Models = r.texts()
		case "gitBranch":
			row.GitBranch = p.Text()
		case "continuedIn":
			row.ContinuedIn = p.Text()
		case "clientVersion":
			row.ClientVersion = p.Text()
		case "slug":
			row.Slug = p.Text()
		case "tags":
			row.Tags = r.texts()
		case "origin":
			row.Origin = ask.Origin(p.Text())
		default:
			r.figure(row, key)
		}
	}
}

// figure reads the fields that are numbers, and those of agents.
func (r *FactsReader) figure(row *ask.Row, key []byte) {
	p := &r.p
	switch string(key) {
	case "messageCount":
		row.MessageCount = int(p.Int())
	case "promptCount":
		row.PromptCount = int(p.Int())
	case "conversationCount":
		row.ConversationCount = int(p.Int())
	case "fileSize":
		row.FileSize = p.Int()
	case "problems":
		row.Problems = int(p.Int())
	case "isAgent":
		row.IsAgent = p.Bool()
	case "agentId":
		row.AgentID = p.Text()
	case "agentType":
		row.AgentType = p.Text()
	case "description":
		row.Description = p.Text()
	case "parentSessionId":
		row.ParentSessionID = p.Text()
	}
	// Title, ForkedFrom and AgentSessions are columns: other files have a say.
}

// standing reads by hand what most sessions have: no call is open.
func (r *FactsReader) standing(s *sesskeep.Standing) (err error) {
	p := &r.p
	for key := range p.Object() {
		switch string(key) {
		case "turn":
			s.Turn = sesskeep.Move(p.Text())
		case "calls":
			err = json.Unmarshal(p.Raw(), &s.Calls)
		case "early":
			s.Early = r.texts()
		case "time":
			s.Time = r.time()
		case "prompts":
			s.Prompts = int(p.Int())
		case "closed":
			s.Closed = p.Bool()
		case "unsure":
			s.Unsure = p.Bool()
		case "version":
			s.Version = p.Text()
		}
	}
	return err
}

func (r *FactsReader) texts() (list []string) {
	for range r.p.Array() {
		list = append(list, r.p.Text())
	}
	return list
}

func (r *FactsReader) time() (t time.Time) {
	r.bad = t.UnmarshalText(r.p.Bytes()) != nil || r.bad
	return t
}

func (r *FactsReader) unsigned() uint64 {
	n, err := strconv.ParseUint(string(r.p.Raw()), 10, 64)
	r.bad = err != nil || r.bad
	return n
}
