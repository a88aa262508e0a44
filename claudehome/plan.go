package claudehome

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/homefs"
)

// Plan is a plan that was written in plan mode: plans/<slug>.md. The slug is
// also in the transcript of the session it was made in.
type Plan struct {
	Slug     string
	Size     int64
	Modified time.Time
}

const maxPlan = 16 << 20

// Plans lists the plans, the most recently modified first.
func Plans(s *homefs.Home) ([]Plan, error) {
	entries, err := s.ReadDir("plans")
	if err != nil {
		return nil, err
	}
	var plans []Plan
	for _, e := range entries {
		slug, ok := strings.CutSuffix(e.Name(), ".md")
		if !ok || !e.Type().IsRegular() || slug == "" || slug[0] == '.' {
			continue
		}
		info, err := e.Info()
		if err != nil {
			continue // removed since the directory was read
		}
		plans = append(plans, Plan{Slug: slug, Size: info.Size(), Modified: info.ModTime()})
	}
	slices.SortFunc(plans, func(a, b Plan) int {
		return cmp.Or(b.Modified.Compare(a.Modified), cmp.Compare(a.Slug, b.Slug))
	})
	return plans, nil
}

// ReadPlan returns the text of a plan that Plans lists, and fails with
// sesskeep.ErrNotFound for any other slug. Slugs come from transcripts and from
// requests: none may lead to another file, not through a link either.
func ReadPlan(s *homefs.Home, slug string) (string, error) {
	plans, err := Plans(s)
	if err != nil {
		return "", err
	}
	if !slices.ContainsFunc(plans, func(p Plan) bool { return p.Slug == slug }) {
		return "", &sesskeep.Error{Op: "plan", Name: slug, Err: sesskeep.ErrNotFound}
	}
	data, err := s.ReadFile("plans/"+slug+".md", maxPlan)
	return string(data), err
}
