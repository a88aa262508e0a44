package search

import (
	"context"

	"sesskeep"
	"sesskeep/internal/index/db"
	"sesskeep/internal/index/lineage"
)

// namedSessions finds the sessions that summaries name. Old clients wrote a summary into
// whatever file came next: it is a hit of the session that has the line it is
// about, if the filters let that one through.
type namedSessions struct {
	db      *db.DB
	run     *searchRun
	wanted  map[uint64]bool             // lines that summaries are about
	folders map[int64]int64             // by file
	holders map[int64]map[uint64]string // by folder: who has which of the lines
}

func (x *Searcher) newNamedSessions(run *searchRun, hits []found) *namedSessions {
	n := &namedSessions{
		db: x.db, run: run, wanted: map[uint64]bool{},
		folders: map[int64]int64{}, holders: map[int64]map[uint64]string{},
	}
	for i := range hits {
		if about := hits[i].hit.about; about != "" {
			n.wanted[db.Hash(about)] = true
		}
	}
	return n
}

// key is the session that a hit of a file belongs to. A hit that names another one
// leads to the line there.
func (n *namedSessions) key(ctx context.Context, file int64, h *lineHit) (sesskeep.Key, error) {
	if h.about == "" {
		return h.in.key(), nil
	}
	session, err := n.session(ctx, file, h.about)
	if session == "" {
		return h.in.key(), err
	}
	h.UUID, h.AgentID = h.about, ""
	return h.in.store.SessionKey(sesskeep.SessionID(session)), err
}

// session is the one beside a file that has a line, the original before its
// forks, or "".
func (n *namedSessions) session(ctx context.Context, file int64, uuid string) (string, error) {
	folder, ok := n.folders[file]
	if !ok {
		if err := n.db.QueryRowContext(ctx, "SELECT folder FROM file WHERE id = ?", file).Scan(&folder); err != nil {
			return "", err
		}
		n.folders[file] = folder
	}
	holders, ok := n.holders[folder]
	if !ok {
		var err error
		if holders, err = n.read(ctx, folder); err != nil {
			return "", err
		}
		n.holders[folder] = holders
	}
	return holders[db.Hash(uuid)], nil
}

// read looks through the chains of a folder once, whatever is asked for. It begins
// with the files of the folder: left to itself SQLite begins with all rows of the
// home.
func (n *namedSessions) read(ctx context.Context, folder int64) (map[uint64]string, error) {
	where, args := n.run.search.conditions(n.run.homes)
	rows, err := n.db.QueryContext(ctx, `SELECT r.id, c.body FROM file f CROSS JOIN row r ON r.file = f.id JOIN root o ON o.id = r.root
		CROSS JOIN chain c ON c.id >= f.id << ?1 AND c.id < (f.id + 1) << ?1 WHERE f.folder = ?2 AND `+where+`
		ORDER BY r.fork <> '', f.name, c.id`, append([]any{db.PieceBits, folder}, args...)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	holders := map[uint64]string{}
	for rows.Next() {
		var id string
		var chain []byte
		if err := rows.Scan(&id, &chain); err != nil {
			return nil, err
		}
		for _, l := range lineage.Decode(chain) {
			if n.wanted[l.ID] && holders[l.ID] == "" {
				holders[l.ID] = id
			}
		}
	}
	return holders, rows.Err()
}
