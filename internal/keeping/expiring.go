package keeping

import (
	"context"
	"slices"
	"time"

	"sesskeep"
	"sesskeep/claudehome"
	"sesskeep/homefs"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/homes"
	"sesskeep/internal/stamp"
)

// Retention returns the shortest period that the settings of a home or of one of its
// projects set: any session sweeps the whole home.
func (k *Copies) Retention(h *homes.Home, c *catalog.Snapshot, managed string) (claudehome.Retention, []sesskeep.Problem) {
	var opts claudehome.RetentionOptions
	if managed != "" {
		opts.Managed, _ = homefs.Open(managed) // most systems have no such directory
	}
	store := h.Store.With(h.Store.Files().Disk())
	shortest := claudehome.FindRetention(store.Files(), opts)
	problems := shortest.Problems
	for i := range c.Projects {
		if c.Projects[i].Root != h.Store.Root() {
			continue
		}
		if opts.Project = k.homes.Outside.Claude(c.Projects[i].Path); opts.Project == nil {
			continue
		}
		r := claudehome.FindRetention(store.Files(), opts)
		for _, p := range r.Problems {
			if !slices.Contains(problems, p) { // those of the home come with every project
				problems = append(problems, p)
			}
		}
		if r.Days < shortest.Days {
			shortest = r
		}
	}
	return shortest, problems
}

// ExpiringOptions choose the sessions.
type ExpiringOptions struct {
	Within  time.Duration // only those that expire within this time; 0: all
	Managed string        // directory of the system's managed settings; may be missing
	// Unkept leaves out sessions that are fully kept.
	Unkept bool
}

// ExpiringSession is a session that the client will delete.
type ExpiringSession struct {
	ID        string     `json:"id"`                // id of the session
	Root      string     `json:"root"`              // directory of the home
	Title     string     `json:"title,omitempty"`   // title of the session
	Project   string     `json:"project,omitempty"` // short name of the project
	Size      int64      `json:"fileSize"`          // bytes of the transcript
	ExpiresAt stamp.Time `json:"expiresAt"`         // when the client deletes the transcript
	Days      int        `json:"daysLeft"`          // days until then; negative if the client can delete it any time
	Kept      bool       `json:"kept"`              // true if its copy is up to date
}

// Expiring lists the sessions that the client will delete, the soonest first, and returns how
// much the list was made from.
func (k *Copies) Expiring(ctx context.Context, o ExpiringOptions) ([]ExpiringSession, ask.Coverage, error) {
	c, err := k.catalog.Snapshot(ctx)
	if err != nil {
		return nil, c.Coverage, err
	}
	periods := k.periods(c, o.Managed)
	f := ask.Filter{}
	if o.Within > 0 {
		for _, r := range periods {
			if cut := r.Cut(k.opts.Now().Add(o.Within)); cut.After(f.Unchanged) {
				f.Unchanged = cut
			}
		}
	}
	rows, covered, err := k.catalog.RowsCovered(ctx, f)
	if err != nil {
		return nil, covered, err
	}
	list := []ExpiringSession{}
	for i := range rows {
		h := k.homes.At(rows[i].Root)
		// Files and copies are checked only for sessions that expire soon.
		if o.Within > 0 && periods[h].Expires(rows[i].Ref.Modtime).After(k.opts.Now().Add(o.Within)) {
			continue
		}
		if s, ok := expiring(h, &rows[i], periods[h], k.opts.Now()); ok && !(o.Unkept && s.Kept) {
			list = append(list, s)
		}
	}
	slices.SortStableFunc(list, func(x, y ExpiringSession) int { return x.ExpiresAt.Compare(y.ExpiresAt.Time) })
	return list, covered, nil
}

// AddExpiry sets when each of the sessions expires. Deleted sessions do not expire.
func (k *Copies) AddExpiry(ctx context.Context, sessions []catalog.Session, managed string) error {
	c, err := k.catalog.Snapshot(ctx)
	if err != nil {
		return err
	}
	periods := k.periods(c, managed)
	for i := range sessions {
		s := &sessions[i]
		if h := k.homes.At(s.Root); h != nil && !s.IsAgent && s.Origin != ask.OriginCopy {
			s.ExpiresAt = stamp.Time{Time: periods[h].Expires(s.Ref.Modtime)}
		}
	}
	return nil
}

// periods returns the retention of every home.
func (k *Copies) periods(c *catalog.Snapshot, managed string) map[*homes.Home]claudehome.Retention {
	periods := map[*homes.Home]claudehome.Retention{}
	for _, h := range k.homes.List {
		periods[h], _ = k.Retention(h, c, managed)
	}
	return periods
}

// Unkept counts the sessions that expire within a time and are not kept. It also
// returns why keeping stopped, if it did.
func (k *Copies) Unkept(ctx context.Context, within time.Duration, managed string) (sessions int, stopped string, err error) {
	if k.homes.Vault == nil {
		return 0, "", nil
	}
	c, err := k.catalog.Snapshot(ctx)
	if err != nil {
		return 0, "", err
	}
	for h, r := range k.periods(c, managed) {
		n, err := k.unkept(ctx, h, r.Cut(k.opts.Now().Add(within)))
		if err != nil {
			return 0, "", err
		}
		sessions += n
	}
	return sessions, k.homes.Vault.Stopped(), nil
}

// unkept counts the sessions of a home that are not kept and whose files were not
// changed after a time, to the hour. There can be very many: if nothing is kept, it
// reads none of them.
func (k *Copies) unkept(ctx context.Context, h *homes.Home, cut time.Time) (n int, err error) {
	f := ask.Filter{In: h.Store.Root(), Unchanged: cut}
	if !h.Copies.Any() {
		return k.catalog.Count(ctx, f)
	}
	rows, err := k.catalog.Rows(ctx, f)
	for i := range rows {
		if !h.Store.Files().Copied(rows[i].Ref.File) && !h.Copies.Covers(rows[i].Ref) {
			n++
		}
	}
	return n, err
}

// expiring returns when a session expires; false for a deleted session.
func expiring(h *homes.Home, row *ask.Row, r claudehome.Retention, now time.Time) (ExpiringSession, bool) {
	if row.IsAgent || h.Store.Files().Copied(row.Ref.File) {
		return ExpiringSession{}, false
	}
	at := r.Expires(row.Ref.Modtime)
	days := int(at.Sub(now) / (24 * time.Hour))
	if at.Before(now) {
		days--
	}
	s := ExpiringSession{
		ID: row.ID, Root: row.Root, Title: row.Title, Project: row.Project, Size: row.FileSize,
		ExpiresAt: stamp.Time{Time: at}, Days: days,
	}
	s.Kept = h.Copies != nil && h.Copies.Covers(row.Ref)
	return s, true
}

// Retention is how long the client keeps the transcripts of a home.
type Retention struct {
	Root      string     `json:"root"`                 // directory of the home
	Days      int        `json:"days"`                 // days after which the client deletes transcripts
	File      string     `json:"file,omitempty"`       // settings file that sets it; empty means the client's default
	LastSweep stamp.Time `json:"lastSweepAt,omitzero"` // when the client last deleted old transcripts
}

// RetentionPage says how long the client keeps transcripts, in every home.
type RetentionPage struct {
	Homes    []Retention   `json:"homes"`    // one for each home
	Problems []ask.Problem `json:"problems"` // unreadable settings files, which are ignored
	Total    int           `json:"total"`    // number of homes
}

// Retentions returns for every home how long the client keeps transcripts.
func (k *Copies) Retentions(ctx context.Context, managed string) (RetentionPage, error) {
	page := RetentionPage{Homes: []Retention{}, Problems: []ask.Problem{}, Total: len(k.homes.List)}
	c, err := k.catalog.Snapshot(ctx)
	if err != nil {
		return page, err
	}
	for _, h := range k.homes.List {
		r, problems := k.Retention(h, c, managed)
		page.Homes = append(page.Homes, Retention{h.Store.Root(), r.Days, r.File, stamp.Time{Time: r.LastSweep}})
		for _, p := range problems {
			page.Problems = append(page.Problems, ask.Problem{Root: h.Store.Root(), Problem: p})
		}
	}
	return page, nil
}

// Period returns after how many days the client deletes sessions according to the
// settings of the homes, without those of projects.
func (k *Copies) Period(managed string) int {
	days := 0
	for _, h := range k.homes.List {
		if r, _ := k.Retention(h, &catalog.Snapshot{}, managed); days == 0 || r.Days < days {
			days = r.Days
		}
	}
	return days
}
