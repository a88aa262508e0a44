package list

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"sesskeep/internal/ask"
	"sesskeep/internal/index/db"
	"sesskeep/internal/index/row"
	"sesskeep/internal/query"
)

// mostValues is how many values a facet has: those of most rows.
const mostValues = 200

// facet is one way to group rows.
type facet struct {
	name string
	key  query.Key         // of a query's filters that are about it
	free func(*row.Filter) // takes back what the fields of a filter say of it; nil: nothing
	sql  string            // values, labels and counts of the rows m r
}

// facets are all of them. The filter has: has no part of its own: each of its words
// narrows a list further.
var facets = []facet{
	{"source", query.Source, func(f *row.Filter) { f.Source = "all" }, "SELECT r.source, '', count(*) FROM m r GROUP BY 1"},
	{"state", query.State, func(f *row.Filter) { f.States = nil }, `SELECT coalesce(v.word, r.rest), '', count(*)
		FROM m r LEFT JOIN live v ON r.rest <> '' AND v.name = ` + row.NameSQL + ` GROUP BY 1 UNION ALL
		SELECT 'damaged', '', count(*) FROM m r WHERE EXISTS (SELECT 1 FROM problem p WHERE p.file = r.file)`},
	{"started", query.Started, func(f *row.Filter) { f.Fields = without(f.Fields, "started") }, "SELECT r.started, '', count(*) FROM m r GROUP BY 1"},
	{"project", query.Project, func(f *row.Filter) { f.Project, f.Projects = "", nil }, "SELECT p.short, min(p.path), count(*) FROM m r JOIN project p ON p.id = r.project GROUP BY 1"},
	{"gitBranch", query.Branch, func(f *row.Filter) { f.Branch = "" }, "SELECT r.branch, '', count(*) FROM m r GROUP BY 1"},
	{"model", query.Model, func(f *row.Filter) { f.Model = "" }, "SELECT r.models, '', count(*) FROM m r GROUP BY 1"},
	{"tag", query.Tag, nil, "SELECT json_array(json(r.tags), json(coalesce(l.tags, '[]'))), '', count(*) FROM m r " + row.JoinLabel + " GROUP BY 1"},
	{"has", "", nil, countOf("has:agents", "has:branches", "has:note")},
	{"starred", "", nil, countOf("is:starred")},
	{"archived", query.Archived, func(f *row.Filter) { f.Archived = ask.ArchivedToo }, "SELECT iif(" + row.IsArchived + ", 'yes', 'no'), '', count(*) FROM m r GROUP BY 1"},
}

// without is a map but for one name.
func without(fields map[string]string, name string) map[string]string {
	fields = maps.Clone(fields)
	delete(fields, name)
	return fields
}

// countOf counts the rows for which facts hold.
func countOf(facts ...string) string {
	var parts []string
	for _, name := range facts {
		_, word, _ := strings.Cut(name, ":")
		parts = append(parts, "SELECT '"+word+"', '', count(*) FROM m r WHERE "+row.FactConditions[name])
	}
	return strings.Join(parts, " UNION ALL ")
}

// Facets counts the rows that match by what they have in common. More is how many
// values are left out, by facet.
func (l *Lister) Facets(ctx context.Context, wanted ask.Filter) (all ask.Facets, more map[string]int, err error) {
	f := row.Filter{Filter: wanted}
	// Facets that the filter says nothing of are counted over the same rows.
	type group struct {
		where  string
		args   []any
		facets []*facet
	}
	groups := map[string]*group{}
	for i := range facets {
		where, args := facets[i].freed(f).Shown()
		key := where + db.JSON(args)
		if groups[key] == nil {
			groups[key] = &group{where: where, args: args}
		}
		groups[key].facets = append(groups[key].facets, &facets[i])
	}
	counted := facetCounter{}
	err = l.db.View(ctx, func(tx *sql.Tx) error {
		for _, g := range groups {
			if err := counted.count(ctx, tx, g.facets, g.where, append(g.args, liveText(f.LiveNames()))); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	all, more = ask.Facets(counted), map[string]int{}
	for name, values := range all {
		slices.SortFunc(values, func(a, b ask.FacetValue) int {
			return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Value, b.Value))
		})
		if len(values) > mostValues {
			all[name], more[name] = values[:mostValues], len(values)-mostValues
		}
	}
	return all, more, nil
}

// freed is the filter but for what it says of the facet.
func (one *facet) freed(f row.Filter) *row.Filter {
	if one.free != nil {
		one.free(&f)
	}
	f.Query.Filters = slices.DeleteFunc(slices.Clone(f.Query.Filters), func(q query.Filter) bool { return q.Key == one.key })
	return &f
}

// liveText is what sessions do, as a table for statements.
func liveText(live map[string]string) string {
	list := [][2]string{}
	for name, word := range live {
		list = append(list, [2]string{name, word})
	}
	return db.JSON(list)
}

// facetCounter is Facets being counted.
type facetCounter ask.Facets

// count counts some facets over the rows that meet a condition.
func (all facetCounter) count(ctx context.Context, tx *sql.Tx, some []*facet, where string, args []any) error {
	var parts []string
	for _, f := range some {
		parts = append(parts, "SELECT '"+f.name+"', * FROM ("+f.sql+")")
		all[f.name] = []ask.FacetValue{}
	}
	rows, err := tx.QueryContext(ctx, `WITH m AS MATERIALIZED (SELECT r.file, r.root, r.project, r.id, r.source, r.started, r.branch, r.models, r.parent,
			r.agents, r.rest, r.tags, r.branches FROM row r WHERE `+where+`),
		live AS MATERIALIZED (SELECT json_extract(value, '$[0]') AS name, json_extract(value, '$[1]') AS word FROM json_each(?)) `+strings.Join(parts, " UNION ALL "), args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	several := map[string]map[string]int{"model": {}, "tag": {}} // what has several values in one
	for rows.Next() {
		var name string
		var v ask.FacetValue
		if err := rows.Scan(&name, &v.Value, &v.Label, &v.Count); err != nil {
			return err
		}
		switch {
		case several[name] != nil:
			several[name][v.Value] += v.Count
		case v.Value != "" && v.Count > 0:
			all[name] = append(all[name], v)
		}
	}
	all.addModels(several["model"])
	all.addTags(several["tag"])
	return rows.Err()
}

// addModels counts models as the filter takes them: by a part of their names.
func (all facetCounter) addModels(together map[string]int) {
	names := map[string]int{}
	for list := range together {
		for name := range strings.SplitSeq(strings.Trim(list, "\n"), "\n") {
			if name != "" {
				names[name] = 0
			}
		}
	}
	for name := range names {
		for list, n := range together {
			if strings.Contains(list, name) {
				names[name] += n
			}
		}
		all["model"] = append(all["model"], ask.FacetValue{Value: name, Count: names[name]})
	}
}

// lower is a text as SQLite's function of this name has it.
func lower(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, text)
}

// addTags counts tags in whichever case they are written.
func (all facetCounter) addTags(together map[string]int) {
	counts, spelled := map[string]int{}, map[string]string{}
	for lists, n := range together {
		var tags [2][]string
		_ = json.Unmarshal([]byte(lists), &tags) // SQLite made it
		once := map[string]bool{}
		for _, tag := range slices.Concat(tags[0], tags[1]) {
			key := lower(tag)
			if was, ok := spelled[key]; !ok || tag < was {
				spelled[key] = tag
			}
			once[key] = true
		}
		for key := range once {
			counts[key] += n
		}
	}
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		all["tag"] = append(all["tag"], ask.FacetValue{Value: spelled[key], Count: counts[key]})
	}
}
