package page

import (
	_ "embed"
	"net/url"
	"strconv"
	"strings"
)

//go:embed site.js
var siteScript string

// SiteRow is a session in the list of a site.
type SiteRow struct {
	File                           string // path of its page, relative to the list
	Title, Project, Branch, Active string
	Prompts                        int
	Cost                           string
}

// SiteSum is what the sessions of a project or a month cost.
type SiteSum struct{ Name, Cost string }

// Site returns the page that lists sessions whose pages lie beside it. words is a JSON object
// that maps each word to the numbers of the rows that contain it.
func Site(rows []SiteRow, projects, months []SiteSum, words []byte) []byte {
	dst := start(nil, "Claude Code sessions", policy(siteScript))
	dst = append(dst, "<header>\n"+`<div class="bar"><span class="from">Exported with sesskeep</span>`+colours+
		`<form id="search" hidden><input type="search" aria-label="Search in all sessions" placeholder="Search in all sessions"> <output></output></form></div>`+
		"\n<h1>Claude Code sessions</h1>\n"...)
	dst = append(dst, `<p class="facts">`+strconv.Itoa(len(rows))+" sessions</p>\n</header>\n<main>\n"...)
	dst = append(dst, `<table id="sessions" class="list"><thead><tr><th>Session</th><th>Project</th><th>Branch</th><th>Last active (UTC)</th>`+
		"<th>Prompts</th><th>Cost</th></tr></thead>\n<tbody>\n"...)
	for _, row := range rows {
		dst = siteRow(dst, row)
	}
	dst = append(dst, "</tbody></table>\n</main>\n<nav aria-label=\"Cost\">\n"...)
	dst = siteSums(dst, "Cost by project", projects)
	dst = siteSums(dst, "Cost by month", months)
	dst = append(dst, "</nav>\n<footer><span>Readable without script, loads nothing. Prices are those of the API.</span></footer>\n"...)
	dst = append(dst, `<script type="application/json" id="words">`...)
	dst = append(dst, words...) // the JSON contains no <
	dst = append(dst, "</script>\n<script>"+siteScript+"</script>\n</body>\n</html>\n"...)
	return dst
}

func siteRow(dst []byte, row SiteRow) []byte {
	var steps []string
	for step := range strings.SplitSeq(row.File, "/") {
		steps = append(steps, url.PathEscape(step))
	}
	dst = append(dst, `<tr><td><a href="`...)
	dst = Text(dst, strings.Join(steps, "/"))
	dst = append(dst, `">`...)
	dst = Text(dst, row.Title)
	dst = append(dst, "</a></td>"...)
	for _, text := range []string{row.Project, row.Branch} {
		dst = append(dst, "<td>"...)
		dst = Path(dst, text)
		dst = append(dst, "</td>"...)
	}
	for _, text := range []string{row.Active, strconv.Itoa(row.Prompts), row.Cost} {
		dst = append(dst, "<td>"...)
		dst = Text(dst, text)
		dst = append(dst, "</td>"...)
	}
	return append(dst, "</tr>\n"...)
}

func siteSums(dst []byte, title string, sums []SiteSum) []byte {
	dst = append(dst, "<h2>"+title+"</h2>\n<table class=\"list\"><tbody>\n"...)
	for _, sum := range sums {
		dst = append(dst, "<tr><th>"...)
		dst = Path(dst, sum.Name)
		dst = append(dst, "</th><td>"...)
		dst = Text(dst, sum.Cost)
		dst = append(dst, "</td></tr>\n"...)
	}
	return append(dst, "</tbody></table>\n"...)
}
