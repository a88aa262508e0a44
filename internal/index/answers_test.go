package index

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/gram"
	"sesskeep/internal/index/block"
	"sesskeep/internal/index/db"
	"sesskeep/internal/index/output"
	"sesskeep/internal/index/search"
	"sesskeep/internal/index/usage"
	"sesskeep/internal/query"
	"sesskeep/internal/stamp"
)

// errBrief says that a brief list is not the list.
var errBrief = errors.New("a brief list has")

// briefly compares a list with the brief one: all that tables show is the same.
func briefly(x *Index, f ask.Filter, page ask.Page) error {
	f.Brief = true
	brief, err := x.List(context.Background(), f)
	if err != nil || len(brief.Sessions) != len(page.Sessions) || brief.Total != page.Total {
		return fmt.Errorf("a brief list: %d of %d rows, of %d, %w", len(brief.Sessions), brief.Total, len(page.Sessions), err)
	}
	for i, r := range brief.Sessions {
		want := page.Sessions[i]
		key, wantKey := sesskeep.Key{Session: r.Ref.Session, Agent: r.Ref.Agent}, sesskeep.Key{Session: want.Ref.Session, Agent: want.Ref.Agent}
		if key != wantKey || r.Standing.Open() != want.Standing.Open() && !want.IsAgent {
			return fmt.Errorf("%w %v (%v), want %v (%v)", errBrief, key, r.Standing, wantKey, want.Standing)
		}
		if r.Title != "" { // and is called by it
			want.LastUserMessage = ""
		}
		if r.CustomTitle == "" { // is read where a label asks for it
			want.CustomTitle = ""
		}
		want.DirName, want.Entrypoint, want.Description, want.LastAssistantMessage = "", "", "", ""
		want.Model, want.Models, want.ClientVersion, want.Tags, want.Origin = "", nil, "", r.Tags, ""
		want.CreatedAt, want.Started, want.PromptCount, want.Slug = stamp.Time{}, "", 0, ""
		want.AgentType, want.ForkedFrom, want.ContinuedIn = "", "", ""
		if got, want := db.JSON(r), db.JSON(want); got != want {
			return fmt.Errorf("%w\n%s, want\n%s", errBrief, got, want)
		}
	}
	return nil
}

// answers is everything an index can be asked, a line a fact, in an order that
// does not depend on how the index came about.
func answers(x *Index, home string) ([]string, error) {
	ctx, roots := context.Background(), []string{home}
	store, err := sesskeep.Open(home)
	if err != nil {
		return nil, err
	}
	homes := []ask.Home{{Store: store}}
	if err := x.Pack(ctx); err != nil {
		return nil, err
	}
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }

	page, err := x.List(ctx, ask.Filter{Source: "all", Homes: homes})
	if err != nil {
		return nil, fmt.Errorf("list: %w", err)
	}
	say("rows %d hidden %v", page.Total, page.Hidden)
	for _, r := range page.Sessions {
		say("row %s %s %s", db.JSON(r), db.JSON(r.Ref), db.JSON(r.Standing))
	}
	if err := briefly(x, ask.Filter{Source: "all", Homes: homes}, page); err != nil {
		return nil, err
	}
	projects, err := x.Projects(ctx, roots)
	if err != nil {
		return nil, fmt.Errorf("projects: %w", err)
	}
	say("projects %d", len(projects))
	for _, p := range projects {
		say("project %s", db.JSON(p))
	}
	problems, err := x.Problems(ctx, roots)
	if err != nil {
		return nil, fmt.Errorf("problems: %w", err)
	}
	for _, p := range problems {
		say("problem %s", db.JSON(p))
	}
	unknown, err := x.Unknown(ctx, roots)
	if err != nil {
		return nil, fmt.Errorf("unknown: %w", err)
	}
	for _, u := range unknown {
		say("unknown %s", db.JSON(u))
	}
	for _, table := range []string{
		`SELECT 'usage total', count(*), count(DISTINCT message), sum(counted), sum(input * counted), sum(output * counted),
			sum(cache_read * counted), sum(write_5m * counted), sum(write_1h * counted), sum(searches * counted) FROM usage`,
		`SELECT 'usage', f.name, u.message, u.call, (SELECT name FROM branch WHERE id = u.branch), u.model, u.time, u.sidechain, u.input, u.output, u.cache_read, u.write_5m,
			u.write_1h, u.searches, u.fast, u.batch, u.us_only, u.lines, u.counted FROM usage u LEFT JOIN file f ON f.id = u.file`,
		`SELECT 'conversation', f.name, c.n, c.active, c.body, c.summary FROM conversation c LEFT JOIN file f ON f.id = c.file`,
		`SELECT 'row', f.name, r.id, r.source, r.started, r.branch, r.models, r.parent, r.fork, r.slug, r.title, r.created,
			r.active, r.messages, r.prompts, r.size, r.rest, r.agent, r.agents FROM row r LEFT JOIN file f ON f.id = r.file`,
		`SELECT 'file', d.dir, f.name, f.stat, f.text, f.mark, f.torn, f.facts, f.first, f.ties, f.named FROM file f LEFT JOIN folder d ON d.id = f.folder`,
		`SELECT 'chain', f.name, t.id & 1048575, hex(t.body) FROM chain t LEFT JOIN file f ON f.id = t.id >> 20`,
		`SELECT 'line times', f.name, t.id & 1048575, hex(t.body) FROM line_times t LEFT JOIN file f ON f.id = t.id >> 20`,
		`SELECT 'call', f.name, t.id & 1048575, hex(t.body) FROM call t LEFT JOIN file f ON f.id = t.id >> 20`,
		`SELECT 'synthetic', f.name, t.synthetic FROM synthetic t LEFT JOIN file f ON f.id = t.file`,
		`SELECT 'contested', hash FROM contested`,
		`SELECT 'output', d.dir, p.session, p.name, p.stat, e.start, e.length, e.line FROM output p LEFT JOIN folder d ON d.id = p.folder
			LEFT JOIN extent e ON e.file = -p.id`,
		`SELECT 'naming', f.name, n.name, n.start, n.length FROM naming n LEFT JOIN file f ON f.id = n.file`,
		`SELECT 'row of', f.name, p.path FROM row r JOIN file f ON f.id = r.file LEFT JOIN project p ON p.id = r.project`,
		`SELECT 'folder', o.path, d.dir, d.memory, d.problems, d.hints, d.stale FROM folder d LEFT JOIN root o ON o.id = d.root`,
	} {
		if out, err = appendTable(out, x, table); err != nil {
			return nil, err
		}
	}
	if out, err = appendSpend(out, x); err != nil {
		return nil, err
	}
	text, err := missingText(x, home)
	if err != nil {
		return nil, err
	}
	out = append(out, text...)
	if text, err = missingOutputs(x, home); err != nil {
		return nil, err
	}
	out = append(out, text...)
	slices.Sort(out)
	return out, nil
}

func appendTable(out []string, x *Index, query string) ([]string, error) {
	rows, err := x.db.QueryContext(context.Background(), query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	values, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		out = append(out, fmt.Sprintf("%v", values))
	}
	return out, rows.Err()
}

// appendSpend unpacks what reports add up, and compares it with the messages it
// was packed from.
func appendSpend(out []string, x *Index) ([]string, error) {
	rows, err := x.db.QueryContext(context.Background(), "SELECT f.name, s.fresh, s.body FROM spend s LEFT JOIN file f ON f.id = s.file")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		var fresh int
		var body []byte
		if err := rows.Scan(&name, &fresh, &body); err != nil {
			return nil, err
		}
		var m ask.Message
		err := new(usage.Unpacker).Messages(body, &m, func() {
			out = append(out, fmt.Sprintf("spend %s %d %s %d %s %v %v %+v", name, fresh, m.Model, m.At, m.Branch, m.Sidechain, m.Call, m.Usage))
		})
		if err != nil {
			return nil, err
		}
	}
	return out, rows.Err()
}

// extentPiece is an extent with its block.
type extentPiece struct{ block, start, length, line int64 }

// missingText returns what a search in the index could not find although it is in
// the files: of a good index, nothing.
func missingText(x *Index, home string) ([]string, error) {
	pieces, err := allPieces(x)
	if err != nil {
		return nil, err
	}
	var out []string
	rng := rand.New(rand.NewPCG(1, 2))
	for name, list := range pieces {
		data, err := os.ReadFile(filepath.Join(home, filepath.FromSlash(name)))
		if err != nil {
			out = append(out, fmt.Sprintf("extents of %q: %v", name, err))
			continue
		}
		for _, p := range list {
			if p.start+p.length > int64(len(data)) {
				out = append(out, fmt.Sprintf("extent of %s beyond its end: %v", name, p))
			} else if n := bytes.Count(data[:p.start], []byte("\n")); int64(n)+1 != p.line {
				out = append(out, fmt.Sprintf("extent of %s at line %d, not %d", name, n+1, p.line))
			}
		}
		lost, err := lostLines(x, rng, name, data, list)
		if err != nil {
			return nil, err
		}
		out = append(out, lost...)
	}
	slices.Sort(out)
	return out, nil
}

// missingOutputs returns which outputs that are there a search could not find.
func missingOutputs(x *Index, home string) (out []string, err error) {
	paths, err := filepath.Glob(filepath.Join(home, "projects", "*", "*", "tool-results", "*"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		dir, session, name, ok := output.Split(filepath.ToSlash(strings.TrimPrefix(path, home+string(filepath.Separator))))
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if !ok || len(data) == 0 {
			continue
		}
		var block int64
		err = x.db.QueryRowContext(context.Background(), `SELECT e.block FROM output p JOIN folder d ON d.id = p.folder JOIN extent e ON e.file = -p.id AND e.length = ?
			WHERE d.dir = ? AND p.session = ? AND p.name = ?`, len(data), string(dir), session, name).Scan(&block)
		if err != nil {
			out = append(out, fmt.Sprintf("%s is in no block: %v", path, err))
			continue
		}
		found, err := blocksWith(x, gram.Buckets(query.AppendFold(nil, string(data[max(0, len(data)-12):]))))
		if err != nil {
			return nil, err
		}
		if !slices.Contains(found, block) {
			out = append(out, fmt.Sprintf("%s is not found", path))
		}
	}
	return out, nil
}

// blocksWith are the blocks that can have all of some buckets.
func blocksWith(x *Index, buckets []uint32) (found []int64, err error) {
	err = x.db.View(context.Background(), func(tx *sql.Tx) (err error) {
		found, err = block.Candidates(tx, buckets)
		return err
	})
	return found, err
}

func allPieces(x *Index) (map[string][]extentPiece, error) {
	rows, err := x.db.QueryContext(context.Background(), `SELECT coalesce(f.name, 'nothing'), e.block, e.start, e.length, e.line FROM extent e LEFT JOIN file f ON f.id = e.file WHERE e.file > 0
		UNION ALL SELECT name, 0, 0, 0, 1 FROM file`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	pieces := map[string][]extentPiece{}
	for rows.Next() {
		var name string
		var p extentPiece
		if err := rows.Scan(&name, &p.block, &p.start, &p.length, &p.line); err != nil {
			return nil, err
		}
		pieces[name] = append(pieces[name], p)
	}
	return pieces, rows.Err()
}

// lostLines finds whole lines that are in no extent, and strings in lines whose
// block is not among the candidates.
func lostLines(x *Index, rng *rand.Rand, name string, data []byte, list []extentPiece) (out []string, err error) {
	offset := int64(0)
	for line := range bytes.Lines(data) {
		at := offset
		offset += int64(len(line))
		if line[len(line)-1] != '\n' || line[0] != '{' {
			continue
		}
		var blocks []int64
		for _, p := range list {
			if p.start <= at && at < p.start+p.length {
				blocks = append(blocks, p.block)
			}
		}
		if len(blocks) == 1 && rng.IntN(50) != 0 && !bytes.Contains(line, []byte("zq")) {
			continue
		}
		if !json.Valid(line) { // may be anywhere; asked last, because it takes longest
			continue
		}
		if len(blocks) != 1 {
			out = append(out, fmt.Sprintf("%s at %d is in %d extents", name, at, len(blocks)))
			continue
		}
		part, ok := somePart(rng, bytes.TrimSpace(line))
		if !ok {
			continue
		}
		found, err := blocksWith(x, part)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(found, blocks[0]) {
			out = append(out, fmt.Sprintf("%s at %d is not found", name, at))
		}
	}
	return out, nil
}

// somePart gives the bits of a part of a string of a line, of its needle if it has one.
func somePart(rng *rand.Rand, line []byte) ([]uint32, bool) {
	e, err := sesskeep.Decode(line)
	if err != nil {
		return nil, false
	}
	var texts []string
	for v := range search.Values(&e) {
		if strings.Contains(v.Text, "zq") {
			texts = []string{v.Text}
			break
		}
		texts = append(texts, v.Text)
	}
	if len(texts) == 0 {
		return nil, false
	}
	text := []rune(texts[rng.IntN(len(texts))])
	from := rng.IntN(max(1, len(text)-12))
	part := string(text[from:min(from+12, len(text))])
	if strings.Contains(part, "\uFFFD") { // it may stand for other bytes
		return nil, false
	}
	return gram.Buckets(query.AppendFold(nil, part)), true
}

// mustAnswer are the answers of an index that has to be good.
func mustAnswer(t *testing.T, x *Index, home string) []string {
	t.Helper()
	out, err := answers(x, home)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// freshAnswers are those of an index that never knew anything else.
func freshAnswers(t *testing.T, home string) []string {
	t.Helper()
	x := openAt(t, "")
	defer x.Close()
	refreshAll(t, x, home)
	return mustAnswer(t, x, home)
}

func openAt(t testing.TB, dir string) *Index {
	t.Helper()
	x, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func homeAt(t testing.TB, dir string) ask.Home {
	t.Helper()
	store, err := sesskeep.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return ask.Home{Store: store}
}

func refreshAll(t testing.TB, x *Index, home string) Report {
	t.Helper()
	return refreshWith(t, x, home, Options{})
}

func refreshWith(t testing.TB, x *Index, home string, o Options) Report {
	t.Helper()
	r, err := x.Walk(t.Context(), []ask.Home{homeAt(t, home)}, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// compareAnswers fails with the first lines that differ.
func compareAnswers(t *testing.T, what string, got, want []string) {
	t.Helper()
	if slices.Equal(got, want) {
		return
	}
	var extra, missing []string
	for i, j := 0, 0; i < len(got) || j < len(want); {
		switch {
		case j == len(want) || i < len(got) && got[i] < want[j]:
			extra = append(extra, "  + "+got[i])
			i++
		case i == len(got) || got[i] > want[j]:
			missing = append(missing, "  - "+want[j])
			j++
		default:
			i, j = i+1, j+1
		}
	}
	show := func(list []string) string {
		for i := range list {
			list[i] = list[i][:min(len(list[i]), 600)]
		}
		return strings.Join(list[:min(len(list), 6)], "\n")
	}
	t.Fatalf("%s: %d facts too many, %d missing\n%s\n%s", what, len(extra), len(missing), show(extra), show(missing))
}
