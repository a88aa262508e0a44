package show

import (
	"context"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/cli/output"
)

// shownLinks is how many commits or pull requests the header of a session names.
const shownLinks = 3

// linkFacts says which commits and pull requests a session is linked with, itself or by its agents.
func linkFacts(ctx context.Context, a *app.App, t catalog.Target, d *sesskeep.Digest) (facts []string) {
	commits, requests := slices.Clone(d.Commits), slices.Clone(d.PullRequests)
	if t.Ref.Agent == "" {
		page, err := a.Catalog.List(ctx, ask.Filter{Parent: t.Ref.ID(), Source: ask.AllSources, Archived: ask.ArchivedToo, Uncounted: true})
		if err != nil {
			facts = append(facts, "the commits of its agents are not known: "+err.Error())
		}
		for i := range page.Sessions {
			commits = append(commits, page.Sessions[i].Commits...)
			requests = append(requests, page.Sessions[i].PullRequests...)
		}
	}
	for i := range commits {
		commits[i] = output.Head(commits[i], 12)
	}
	return append(facts, slices.Concat(linkFact("commit", commits), linkFact("pull request", requests))...)
}

func linkFact(what string, list []string) []string {
	slices.Sort(list)
	list = slices.Compact(list)
	if len(list) == 0 {
		return nil
	}
	more := ""
	if len(list) > shownLinks {
		more = ", …"
	}
	return []string{output.Plural(len(list), what) + ": " + strings.Join(list[:min(len(list), shownLinks)], ", ") + more}
}
