package list

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/picker"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/cli/show"
	"sesskeep/internal/query"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

type searchOptions struct {
	ls        Options
	text      string
	in        []string
	raw       bool
	recent    bool
	files     bool
	count     bool
	context   int
	hits      int
	budget    shell.SizeFlag
	failEmpty bool
}

// SearchCommand is "search".
func SearchCommand(sh *shell.Shell) *cobra.Command {
	var o searchOptions
	cmd := &cobra.Command{
		Use:        "search QUERY…",
		SuggestFor: []string{"grep", "find"},
		Short:      "Search everything that was said, thought, run and printed",
		Long: `Search all transcripts: prompts, answers, thinking, titles, what tools were given and
what they returned. Case does not matter, and words are found inside other words; all
words must be on one line of a transcript.

` + queryHelp() + `
Hits are ranked by where they are (title, prompt, answer, thinking, tool input, tool
output) times how recent the session is; a line that forks copied counts once. When
the page is full and --budget is spent the search stops, and says how much it did not
look at; --budget 0 reads everything, and so do --count and --files-with-matches.

It searches all projects; -p picks one. Without a query, on a terminal, you search as
you type, and it shows the hit that you pick.`,
		Example: `  sesskeep search half line
  sesskeep search '"half line" -retry project:parser after:2d'
  sesskeep search 'readString OR readLine role:assistant' --in answers
  sesskeep search '/Test\w+/' tool:Edit
  sesskeep search flaky --count
  sesskeep show 3987#4122                 a hit, with what is around it`,
		ValidArgsFunction: func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			c := query.Complete(typed, len(typed))
			var words []string
			for _, choice := range c.Choices {
				words = append(words, typed[:c.From]+choice)
			}
			return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.text = strings.Join(args, " ")
			if o.text == "" && picker.Interactive(sh) {
				address, err := picker.Hit(cmd.Context(), sh)
				if err != nil {
					return err
				}
				return show.One(cmd.Context(), sh, address)
			}
			return runSearch(cmd.Context(), sh, o)
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&o.in, "in", nil, "only in these `PARTS`: prompts, answers, thinking, titles, notes, input and output of tools")
	f.BoolVar(&o.raw, "raw", false, "look for exactly these bytes, anywhere in a line")
	f.BoolVar(&o.recent, "recent", false, "the newest first, not the best")
	f.BoolVarP(&o.files, "files-with-matches", "l", false, "only the names of the files")
	f.BoolVarP(&o.count, "count", "c", false, "only how many lines and sessions match")
	f.IntVarP(&o.hits, "hits", "m", 3, "at most `N` hits of each session")
	f.IntVarP(&o.context, "context", "C", 0, "`N` lines of the text around each match")
	o.budget = catalog.SearchBudget
	f.Var(&o.budget, "budget", "stop after about `SIZE` of text once the page is full; 0: never")
	f.BoolVar(&o.failEmpty, "fail-empty", false, "exit 3 when nothing is found")
	o.ls.Register(cmd)
	shell.Complete(cmd, "in", catalog.TextKindWords()...)
	return cmd
}

// queryHelp lists the keys of the query language.
func queryHelp() string {
	var b strings.Builder
	b.WriteString("Besides words a query has \"phrases\", -not, OR, /regular expressions/ and keys:\n")
	for _, k := range query.Keys() {
		fmt.Fprintf(&b, "  %-10s %s\n", string(k.Key)+":", k.Help)
	}
	return b.String()
}

func runSearch(ctx context.Context, sh *shell.Shell, o searchOptions) error {
	s, hints, err := searchFor(sh, o)
	if err != nil {
		return err
	}
	a, scope, done, err := shell.OpenScope(ctx, sh)
	if err != nil {
		return err
	}
	defer done()
	s.Filter.Projects = scope.IDs()
	page, err := a.Catalog.Search(ctx, s)
	if err != nil {
		return err
	}
	done()
	for _, h := range hints {
		if !sh.Out.Flags.Quiet {
			fmt.Fprintf(sh.Stderr, "sesskeep: hint: %s\n", term.Line(h.Message))
		}
	}
	if err := sh.Out.Print(ctx, searchListing(ctx, sh, o, page)); err != nil {
		return err
	}
	if page.HitCount == 0 && !sh.Out.Flags.Quiet {
		if err := explainNothing(ctx, sh, a, s); err != nil {
			return err
		}
	}
	switch {
	case sh.Out.Screen.TTY: // it says so below
	case !page.Complete:
		sh.Report("note: " + searchSummary(page)) // also to who wants no remarks
	case page.HasMore && !o.count:
		sh.Note(searchSummary(page))
	}
	if o.failEmpty && page.HitCount == 0 {
		return fail.Hint(&sesskeep.Error{Op: "search", Name: o.text, Err: sesskeep.ErrNotFound}, "try fewer words")
	}
	return nil
}

// searchFor makes a search of the options.
func searchFor(sh *shell.Shell, o searchOptions) (ask.Search, []query.Hint, error) {
	s := ask.Search{Recent: o.recent, Limit: sh.Flags.Limit, Cursor: sh.Flags.Cursor, Hits: o.hits, Context: o.context, Budget: int64(o.budget)}
	if o.context < 0 || o.hits < 0 || sh.Flags.Limit < 0 {
		return s, nil, fail.Usage("--context, --hits and --limit must not be negative", "leave them out for the usual")
	}
	if o.text == "" {
		return s, nil, fail.Usage("search for what?", `for example: sesskeep search half line`)
	}
	filter, err := Filter(sh, o.ls)
	if err != nil {
		return s, nil, err
	}
	if !catalog.Listable(filter.Query) {
		return s, nil, fail.Usage("--filter: here it chooses sessions, and not by texts or lines", fmt.Sprintf("sesskeep search %s", output.Quote(o.text+" "+o.ls.Filter)))
	}
	filter.Limit, filter.Sort, filter.Cursor = 0, "", ""
	s.Filter = filter
	for _, word := range o.in {
		if err := shell.OneOf("in", word, catalog.TextKindWords()...); err != nil {
			return s, nil, err
		}
	}
	if s.In, err = catalog.TextKinds(strings.Join(o.in, ",")); err != nil {
		return s, nil, err
	}
	if o.count || o.files {
		s.Bare, s.Budget = true, 0 // a number that is not the number would be worse than waiting
	}
	form, err := sh.Out.Form()
	s.Count, s.Files, s.NoRows = o.count, o.files, o.files && err == nil && form == "" && !sh.Out.JSON()
	if s.Limit == 0 && !o.files {
		s.Limit = 20
	}
	if o.raw {
		s.Raw = []byte(o.text)
		return s, nil, nil
	}
	s.Query, err = ParseQuery(sh, o.text)
	return s, s.Query.Hints, err
}

func searchListing(ctx context.Context, sh *shell.Shell, o searchOptions, page catalog.SearchPage) output.Listing {
	l := output.Listing{Value: page, Items: "results", Table: func(s term.Screen) *term.Table { return hitTable(s, page) }}
	if o.count {
		l = output.Listing{Value: Count{page.HitCount, page.Total, page.Complete, page.Covered}}
	}
	l.Render = func(w io.Writer) error {
		out := bufio.NewWriter(w)
		switch {
		case o.count:
			fmt.Fprintf(out, "%d\t%d\n", page.HitCount, page.Total)
		case o.files:
			writeFiles(out, page)
		default:
			writeResults(out, sh, page, sh.ProjectName(ctx))
		}
		return out.Flush()
	}
	return l
}

// Count is what --count --json writes.
type Count struct {
	Hits     int  `json:"hitCount"`
	Sessions int  `json:"total"`
	Complete bool `json:"complete"`
	ask.Covered
}

// writeFiles names every file with a hit once.
func writeFiles(out io.Writer, page catalog.SearchPage) {
	seen := map[string]bool{}
	for _, r := range page.Results {
		for _, h := range r.Hits {
			name := r.Root + "/" + h.File
			if !seen[name] {
				seen[name] = true
				fmt.Fprintln(out, term.Line(name))
			}
		}
	}
}

// hitTable is a row for every hit, for programs that want no JSON.
func hitTable(s term.Screen, page catalog.SearchPage) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "session"}, {Title: "agent"}, {Title: "message"}, {Title: "type"}, {Title: "time"},
		{Title: "file"}, {Title: "line", Right: true}, {Title: "text", Flex: true},
	}}
	for _, r := range page.Results {
		for _, h := range r.Hits {
			t.Row(term.Cell{Text: r.SessionID + r.Session.Suffix()}, term.Cell{Text: h.AgentID}, term.Cell{Text: h.UUID}, term.Cell{Text: string(h.Kind)},
				term.Cell{Text: output.RFC3339(h.Time)}, term.Cell{Text: h.File}, term.Cell{Text: strconv.Itoa(h.Line)}, term.Cell{Text: h.Text})
		}
	}
	return t
}

func writeResults(out io.Writer, sh *shell.Shell, page catalog.SearchPage, project func(id string) string) {
	s := sh.Out.Screen
	for _, r := range page.Results {
		last := r.Timestamp
		if last.IsZero() { // a title has no time of its own
			last = r.Session.LastActivityAt
		}
		when := last.In(sh.Now().Location()).Format("2006-01-02 15:04")
		fmt.Fprintf(out, "%s  %s  %s  %s\n", s.Paint(term.Cyan, term.Line(project(r.Session.Project))),
			s.Paint(term.Yellow, address(s, r)), s.Paint(term.Dim, when), s.Paint(term.Bold, term.Line(catalog.NameOf(&r.Session))))
		for _, h := range r.Hits {
			writeContext(out, s, h.Before)
			text, tag := marked(s, h), badge(s, h)
			if s.Width > 0 {
				text = s.Truncate(text, max(20, s.Width-12-term.Width(tag)))
			}
			fmt.Fprintf(out, "  %s %s%s\n", s.Paint(term.Dim, term.Pad(label(h), 9)), text, tag)
			writeContext(out, s, h.After)
		}
		if more := r.HitCount - len(r.Hits); more > 0 {
			fmt.Fprintln(out, s.Paint(term.Dim, fmt.Sprintf("  +%s more", term.Count(more))))
		}
	}
	if !s.TTY {
		return
	}
	fmt.Fprintln(out, s.Paint(term.Dim, searchSummary(page)))
}

func writeContext(out io.Writer, s term.Screen, lines []string) {
	for _, l := range lines {
		fmt.Fprintf(out, "  %s %s\n", term.Pad("", 9), s.Paint(term.Dim, strings.ReplaceAll(term.Clean(l), "\n", " ")))
	}
}

// label says where a hit is: its kind, and whether an agent wrote it.
func label(h ask.Hit) string {
	if h.AgentID != "" {
		return string(h.Kind) + "*"
	}
	return string(h.Kind)
}

// badge marks a hit outside the conversation that a resume continues.
func badge(s term.Screen, h ask.Hit) string {
	if h.Leaf == "" {
		return ""
	}
	return s.Paint(term.Magenta, "  (branch :"+term.Line(output.Head(h.Leaf, 8))+")")
}

// address leads to the best hit of a session.
func address(s term.Screen, r catalog.SearchResult) string {
	id, message := r.SessionID, ""
	if len(r.Hits) > 0 {
		message = r.Hits[0].UUID
	}
	if s.TTY {
		id, message = output.Head(id, 8), output.Head(message, 8)
	}
	if len(r.Hits) > 0 && r.Hits[0].AgentID != "" {
		id += "/" + r.Hits[0].AgentID
	}
	if message != "" {
		id += "#" + message
	}
	return term.Line(id + r.Session.Suffix())
}

// marked is the snippet with its matches painted, or in «marks» without colour.
func marked(s term.Screen, h ask.Hit) string {
	runes := []rune(h.Text)
	var b strings.Builder
	at := 0
	for _, m := range h.Marks {
		from, to := min(m[0], len(runes)), min(m[0]+m[1], len(runes))
		if from < at {
			continue
		}
		b.WriteString(term.Clean(string(runes[at:from])))
		hit := term.Clean(string(runes[from:to]))
		if s.Color {
			b.WriteString(s.Paint(term.Bold|term.Red, hit))
		} else {
			b.WriteString("«" + hit + "»")
		}
		at = to
	}
	b.WriteString(term.Clean(string(runes[at:])))
	return b.String()
}

func searchSummary(page catalog.SearchPage) string {
	text := output.Plural(page.HitCount, "hit") + " in " + output.Plural(page.Total, "session")
	if page.HasMore {
		text += fmt.Sprintf(", %s shown", term.Count(len(page.Results)))
	}
	if page.Complete {
		return text + fmt.Sprintf(" · complete · %.0f ms", page.TookMs)
	}
	if page.Skipped > 0 {
		text += " · " + term.Bytes(page.Skipped) + " not looked at (--budget 0)"
	}
	return "at least " + text + fmt.Sprintf(" · %.0f ms", page.TookMs)
}
