package usage

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/index/db"
	"sesskeep/internal/index/row"
)

// Reporter answers what messages consumed, out of an index.
type Reporter struct{ db *db.DB }

// New makes one that reads from a database.
func New(d *db.DB) *Reporter { return &Reporter{d} }

// Messages visits every message that counts and matches. Since, Until, Model and Branch
// are about the message, ID is a session with its agents, and
// an empty Source is all: agents spend as well. The Message is good for the
// call only; its Location for as long as it is wanted.
func (r *Reporter) Messages(ctx context.Context, wanted ask.Filter, visit func(m *ask.Message)) error {
	f := filter{row.Filter{Filter: wanted}}
	where, args := f.ofMessages().spending()
	return r.messages(ctx, f.Homes, nil, where, args, func(m *ask.Message) {
		if f.accepts(m) {
			visit(m)
		}
	})
}

// Times visits the time of every message that counts in these homes, in no
// order and in less time than Messages takes.
func (r *Reporter) Times(ctx context.Context, homes []ask.Home, visit func(ms int64)) error {
	f := filter{row.Filter{Filter: ask.Filter{Homes: homes}}}
	where, args := f.spending()
	return r.db.View(ctx, func(tx *sql.Tx) error {
		if err := packedTimes(ctx, tx, where, args, visit); err != nil {
			return err
		}
		at := func(m *ask.Message) { visit(m.At) }
		if err := unpackedMessages(ctx, tx, where, args, at); err != nil {
			return err
		}
		return inheritedMessages(ctx, tx, row.Roots(homes), nil, where, args, at)
	})
}

func packedTimes(ctx context.Context, tx *sql.Tx, where string, args []any, visit func(ms int64)) error {
	rows, err := tx.QueryContext(ctx, "SELECT s.body FROM spend s JOIN row r ON r.file = s.file WHERE "+where, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	var p Unpacker
	var m ask.Message
	for rows.Next() {
		var body sql.RawBytes
		if err := rows.Scan(&body); err != nil {
			return err
		}
		if err := p.Messages(body, &m, func() { visit(m.At) }); err != nil {
			return err
		}
	}
	return rows.Err()
}

// SessionMessages visits the messages that count of some sessions and of their
// agents.
func (r *Reporter) SessionMessages(ctx context.Context, homes []ask.Home, ids []string, visit func(m *ask.Message)) error {
	if len(ids) == 0 {
		return nil
	}
	f := filter{row.Filter{Filter: ask.Filter{Homes: homes}}}
	where, args := f.spending()
	text := db.JSON(ids)
	return r.messages(ctx, homes, ids, where+" AND r.file IN "+ofSessions, append(args, text, text), visit)
}

func (r *Reporter) messages(ctx context.Context, homes []ask.Home, ids []string, where string, args []any, give func(m *ask.Message)) error {
	name := namer(homes)
	visit := func(m *ask.Message) {
		name(m.Location)
		give(m)
	}
	var p Unpacker
	var m ask.Message
	return r.db.View(ctx, func(tx *sql.Tx) error {
		err := locations(ctx, tx, "spend s JOIN row r ON r.file = s.file", "body", where, args, func(location *ask.Location, body []byte) error {
			m.Location = location
			return p.Messages(body, &m, func() { visit(&m) })
		})
		if err != nil {
			return err
		}
		if err := unpackedMessages(ctx, tx, where, args, visit); err != nil {
			return err
		}
		return inheritedMessages(ctx, tx, row.Roots(homes), ids, where, args, visit)
	})
}

// unpackedMessages visits the messages of the files that are not packed.
func unpackedMessages(ctx context.Context, tx *sql.Tx, where string, args []any, visit func(m *ask.Message)) error {
	rows, err := tx.QueryContext(ctx, `SELECT `+locationColumns+`, `+messageColumns+`
		FROM unpacked n JOIN usage s ON s.file = n.file AND s.counted = 1 `+locationTables+` WHERE `+where, args...)
	return visitMessages(rows, err, visit)
}

// anyFolder is the condition that there is anything in a root o. A root stays when all that
// was in it is gone.
const anyFolder = "EXISTS (SELECT 1 FROM folder d WHERE d.root = o.id)"

// inheritedMessages visits messages that count in a home outside the report but occur in one
// inside it too: there a file of the report's homes counts in its place. Without that, a
// copied home would cost nothing. A report on some sessions skips messages that none of their
// files has, which is quicker.
func inheritedMessages(ctx context.Context, tx *sql.Tx, roots, ids []string, where string, args []any, visit func(m *ask.Message)) error {
	var others int
	chosen := "(SELECT id FROM root WHERE path IN (" + db.Params(len(roots)) + "))"
	err := tx.QueryRowContext(ctx, "SELECT count(*) FROM root o WHERE o.id NOT IN "+chosen+" AND "+anyFolder, db.Args(roots)...).Scan(&others)
	if err != nil || others == 0 || len(roots) == 0 {
		return err
	}
	narrow, narrowed := "", []any(nil)
	if ids != nil {
		text := db.JSON(ids)
		narrow, narrowed = " AND u.hash IN (SELECT d.hash FROM usage d WHERE d.counted = 0 AND d.file IN "+ofSessions+")", []any{text, text}
	}
	rows, err := tx.QueryContext(ctx, `WITH heir AS MATERIALIZED (
			SELECT u.*, row_number() OVER (PARTITION BY u.hash
				ORDER BY u.output DESC, u.sidechain, u.time, `+copied("r", "u")+`, o.path, f.name) AS location
			FROM row r JOIN usage u ON u.file = r.file AND u.counted = 0
			JOIN file f ON f.id = u.file JOIN root o ON o.id = r.root
			WHERE r.root IN `+chosen+narrow+` AND NOT EXISTS (SELECT 1 FROM usage w JOIN row v ON v.file = w.file
				WHERE w.hash = u.hash AND w.counted = 1 AND v.root IN `+chosen+`))
		SELECT `+locationColumns+`, `+messageColumns+`
		FROM heir s `+locationTables+` WHERE s.location = 1 AND `+where, slices.Concat(db.Args(roots), narrowed, db.Args(roots), args)...)
	return visitMessages(rows, err, visit)
}

// visitMessages reads messages that are rows of a table.
func visitMessages(rows *sql.Rows, err error, visit func(m *ask.Message)) error {
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		m := ask.Message{Location: new(ask.Location)}
		u := &m.Usage
		if err := rows.Scan(append(locationFields(m.Location), &m.Call, &m.Branch, &m.Model, &m.At, &m.Sidechain, &u.Input, &u.Output, &u.CacheRead,
			&u.CacheWrite5m, &u.CacheWrite1h, &u.WebSearches, &u.Fast, &u.Batch, &u.USOnly)...); err != nil {
			return err
		}
		completeLocation(m.Location)
		visit(&m)
	}
	return rows.Err()
}

// How a Location and a Message are read; s is the table that has the file.
const (
	messageColumns = `s.call <> '', coalesce((SELECT b.name FROM branch b WHERE b.id = s.branch), ''), s.model, s.time, s.sidechain, s.input, s.output, s.cache_read, s.write_5m, s.write_1h,
		s.searches, s.fast, s.batch, s.us_only`
	locationColumns = "r.id, r.parent, r.source, r.agent, r.title, p.short, p.path, o.path, " + row.IsArchived
	locationTables  = "JOIN row r ON r.file = s.file JOIN project p ON p.id = r.project JOIN root o ON o.id = r.root"
)

// locationFields are what locationColumns are read into.
func locationFields(p *ask.Location) []any {
	return []any{&p.ID, &p.Session, &p.Source, &p.AgentType, &p.Title, &p.Project, &p.ProjectPath, &p.Root, &p.Archived}
}

// namer gives locations of homes their keys. Messages of one location mostly come one
// after the other.
func namer(homes []ask.Home) func(p *ask.Location) {
	in := map[string]sesskeep.Key{}
	for _, h := range homes {
		in[h.Store.Root()] = row.HomeKey(h.Store)
	}
	var last *ask.Location
	return func(p *ask.Location) {
		if p == last {
			return
		}
		last = p
		key := in[p.Root]
		p.Root, p.Trashed = ask.HomeRoot(p.Root)
		parent := p.Session
		if parent == p.ID {
			parent = ""
		}
		p.Key = row.KeyOf(key, p.ID, parent)
	}
}

// completeLocation names the session of a transcript that belongs to no other: itself.
func completeLocation(p *ask.Location) {
	if p.Session == "" {
		p.Session = p.ID
	}
}

// locations reads a packed value of every file that matches, from tables that have
// it as s and its row as r. Projects are read first, in the same view of the
// index: joining them to thousands of files would take a third of the time.
func locations(ctx context.Context, tx *sql.Tx, tables, column, where string, args []any, visit func(p *ask.Location, body []byte) error) error {
	projects, err := projectLocations(ctx, tx)
	if err != nil {
		return err
	}
	rows, err := tx.QueryContext(ctx, `SELECT r.id, r.parent, r.source, r.agent, r.title, `+row.IsArchived+`, r.project, s.`+column+`
		FROM `+tables+` WHERE `+where, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		location := new(ask.Location)
		var project int64
		var body sql.RawBytes
		if err := rows.Scan(&location.ID, &location.Session, &location.Source, &location.AgentType, &location.Title, &location.Archived, &project, &body); err != nil {
			return err
		}
		p := projects[project]
		location.Project, location.ProjectPath, location.Root = p.Project, p.ProjectPath, p.Root
		completeLocation(location)
		if err := visit(location, body); err != nil {
			return err
		}
	}
	return rows.Err()
}

// projectLocations are the fields of a Location that it shares with its project.
func projectLocations(ctx context.Context, tx *sql.Tx) (map[int64]ask.Location, error) {
	rows, err := tx.QueryContext(ctx, "SELECT p.id, p.short, p.path, o.path FROM project p JOIN root o ON o.id = p.root")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	projects := map[int64]ask.Location{}
	for rows.Next() {
		var id int64
		var p ask.Location
		if err := rows.Scan(&id, &p.Project, &p.ProjectPath, &p.Root); err != nil {
			return nil, err
		}
		projects[id] = p
	}
	return projects, rows.Err()
}

// filter is a filter whose times, models and branches are about each message.
type filter struct{ row.Filter }

// spending is the condition on the rows that can hold what the filter asks
// for; which of their messages do is seen when they are read.
func (f filter) spending() (string, []any) {
	since, until, id := f.Since, f.Until, f.ID
	f.Since, f.Until, f.ID = time.Time{}, time.Time{}, ""
	where, args := f.Where()
	if f.Source != "" && f.Source != "all" {
		shown, values := f.Shows("r.source")
		where, args = where+" AND "+shown, append(args, values...)
	}
	if !since.IsZero() {
		where, args = where+" AND r.active >= ?", append(args, since.UnixMilli())
	}
	if !until.IsZero() {
		where, args = where+" AND r.created < ?", append(args, until.UnixMilli())
	}
	if id != "" {
		end := id + "\U0010FFFF"
		where, args = where+" AND (r.id >= ? AND r.id < ? OR r.parent >= ? AND r.parent < ?)", append(args, id, end, id, end)
	}
	return where, args
}

// ofMessages is the filter without what is asked of each message: a session may have been
// on several branches.
func (f filter) ofMessages() filter {
	f.Branch = ""
	return f
}

// accepts reports whether the filter asks for a message, by its own time, model and
// branch.
func (f *filter) accepts(m *ask.Message) bool {
	return f.covers(m.At) && f.acceptsModel(m.Model) && (f.Branch == "" || slices.Contains(f.BranchNames(), m.Branch))
}

// acceptsModel reports whether messages of a model are asked for.
func (f *filter) acceptsModel(model string) bool {
	return f.Model == "" || slices.ContainsFunc(strings.Split(f.Model, ","), func(part string) bool { return strings.Contains(model, part) })
}

// covers reports whether a time lies between Since and Until. An unknown one lies there
// only if neither is set.
func (f *filter) covers(ms int64) bool {
	switch {
	case f.Since.IsZero() && f.Until.IsZero():
		return true
	case ms <= ask.NoTime:
		return false
	}
	return (f.Since.IsZero() || ms >= f.Since.UnixMilli()) && (f.Until.IsZero() || ms < f.Until.UnixMilli())
}
