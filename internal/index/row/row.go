package row

import (
	"strings"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/stamp"
)

// Of sums a transcript up.
func Of(h *sesskeep.Store, ref sesskeep.Ref, d *sesskeep.Digest, tree *sesskeep.Tree) ask.Row {
	r := ask.Row{
		ID: ref.ID(), DirName: string(ref.Dir), Root: h.Root(),
		CustomTitle: d.CustomTitle, Source: source(ref, d), Started: started(d),
		Entrypoint: d.Entrypoint, LastUserMessage: d.LastPrompt,
		LastAssistantMessage: sesskeep.OneLine(d.LastAnswer), CreatedAt: stamp.Time{Time: d.Created},
		LastActivityAt: stamp.Time{Time: d.LastActive}, ForkedFrom: string(d.ForkedFrom), ContinuedIn: string(d.ContinuedIn),
		Models: d.Models, GitBranch: d.GitBranch, ClientVersion: d.Version,
		Commits: d.Commits, PullRequests: d.PullRequests,
		Slug: d.Slug, ConversationCount: len(tree.Conversations),
		FileSize: ref.Size, Origin: ask.OriginSource,
		Problems: d.Damage, Ref: ref,
	}
	if r.LastActivityAt.IsZero() {
		r.LastActivityAt = stamp.Time{Time: ref.Modtime}
	}
	if n := len(d.Models); n > 0 {
		r.Model = d.Models[n-1]
	}
	if d.Tag != "" {
		r.Tags = []string{d.Tag}
	}
	for n := range tree.Inline {
		r.AgentSessions = append(r.AgentSessions, string(sesskeep.InlineAgent(n+1)))
	}
	countTrunk(&r, d, tree)
	if ref.Agent != "" {
		addAgent(&r, h, ref, d)
	}
	return r
}

// countTrunk adds up what the trunk of the transcript holds, every uuid once.
func countTrunk(r *ask.Row, d *sesskeep.Digest, tree *sesskeep.Tree) {
	for t := range tree.Turns {
		turn := &tree.Turns[t]
		for _, i := range turn.Lines {
			if d.Chain[i].Spoken {
				r.MessageCount++
			}
			if d.Chain[i].Sent() {
				r.PromptCount++
			}
		}
	}
}

// addAgent fills in what only agents have.
func addAgent(r *ask.Row, h *sesskeep.Store, ref sesskeep.Ref, d *sesskeep.Digest) {
	r.IsAgent, r.AgentID = true, string(ref.Agent)
	r.ParentSessionID = string(ref.Session)
	if r.ParentSessionID == "" {
		r.ParentSessionID = string(d.Session)
		r.Ref.Session = d.Session
	}
	if meta, ok := h.AgentMeta(ref); ok {
		r.AgentType, r.Description = meta.Type, meta.Description
		if r.Description == "" {
			r.Description = meta.Name
		}
	}
}

// source follows the rule in docs/json.md: helper, agent, user.
func source(ref sesskeep.Ref, d *sesskeep.Digest) ask.Source {
	switch {
	case ref.Agent.Helper(), onlyNames(d):
		return ask.FromHelper
	case ref.Agent != "", d.FromAgent():
		return ask.FromAgent
	}
	return ask.FromUser
}

func started(d *sesskeep.Digest) ask.Started {
	switch {
	case d.Typed:
		return ask.ByPerson
	case strings.HasPrefix(d.Entrypoint, "sdk"), d.Entrypoint == "mcp":
		return ask.ByProgram
	case len(d.Chain) == 0:
		return ""
	}
	return ask.ByPerson
}

// onlyNames reports whether there is nothing in the file but names of conversations,
// which are in other files: clients up to 2.1.29 wrote such files.
func onlyNames(d *sesskeep.Digest) bool {
	return len(d.Chain) == 0 && len(d.Summaries) > 0 && d.CustomTitle == "" && d.AITitle == ""
}
