package health

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"sync"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/homes"
	"sesskeep/internal/secrets"
)

// ScanOptions choose where secrets are looked for.
type ScanOptions struct {
	Target   *catalog.Target // one session; nil: many
	Projects []string        // short names; nil: all, with what belongs to no session
	// Since leaves out lines and files that were written before; zero: nothing.
	Since time.Time
	// Progress is called with the progress of the scan. It may be nil.
	Progress func(done, total int, bytes int64)
}

// ScanPage says where secrets lie. It never has one.
type ScanPage struct {
	ask.Covered
	Sessions []ScannedSession `json:"sessions"`     // sessions with secrets
	Scanned  int              `json:"scannedCount"` // number of sessions scanned
	Secrets  int              `json:"secretCount"`  // number of different secrets, session by session
	Matches  int              `json:"matchCount"`   // how often one of them was found
	Bytes    int64            `json:"fileSize"`     // bytes scanned
}

// ScannedSession has the secrets of one session.
type ScannedSession struct {
	Root    string             `json:"root"`      // directory of the session's home
	Session sesskeep.SessionID `json:"sessionId"` // id of the session; empty: what belongs to no session
	Secrets []secrets.Found    `json:"secrets"`   // its secrets, by family
}

// Scan finds where secrets lie. It changes nothing.
func (ck *Checker) Scan(ctx context.Context, o ScanOptions) (ScanPage, error) {
	page := ScanPage{Sessions: []ScannedSession{}}
	which := ck.opts.Secrets
	which.Since = o.Since
	finder, err := secrets.New(which)
	if err != nil {
		return page, err
	}
	list, err := ck.checkList(ctx, CheckOptions{Target: o.Target, Projects: o.Projects})
	if err != nil {
		return page, err
	}
	var scans []scanned
	for _, one := range list {
		scans = append(scans, scanned{home: one.home, session: one.family.Key.Session, family: &one.family})
	}
	if o.Target == nil && o.Projects == nil {
		for _, h := range ck.homes.List {
			scans = append(scans, scanned{home: h})
		}
	}
	if err := scanEach(ctx, finder, scans, o, &page); err != nil {
		return page, err
	}
	covered := ck.catalog.CoverageOfFiles()
	for i := range scans {
		if o.Target != nil && scans[i].unread != nil {
			return page, scans[i].unread
		}
		page.add(&scans[i])
		lacks(&covered, scans[i].unread)
	}
	page.Covered = ask.NewCovered(covered)
	return page, nil
}

// lacks adds to a coverage the files that could not be read, unless it has them.
func lacks(c *ask.Coverage, unread error) {
	var file *fs.PathError
	switch list, joined := unread.(interface{ Unwrap() []error }); {
	case unread == nil:
	case joined:
		for _, err := range list.Unwrap() {
			lacks(c, err)
		}
	case !errors.As(unread, &file):
		c.AddUnreadable(ask.Unreadable{Reason: unread.Error()})
	case !slices.ContainsFunc(c.Unreadable, func(u ask.Unreadable) bool { return u.Path == file.Path }):
		c.AddUnreadable(ask.Unreadable{Path: file.Path, Reason: file.Err.Error()})
	}
}

// scanned is what is scanned as one: a session, or what belongs to none in a home.
type scanned struct {
	home    *homes.Home
	session sesskeep.SessionID
	family  *sesskeep.Family // nil: what belongs to no session
	secrets []secrets.Found
	unread  error // which of its files cannot be read
}

// scanEach scans sessions on all processors.
func scanEach(ctx context.Context, finder *secrets.Finder, scans []scanned, o ScanOptions, page *ScanPage) error {
	var mu sync.Mutex
	done := 0
	return onAll(ctx, len(scans), func(ctx context.Context, i int) error {
		s := &scans[i]
		var n int64
		s.secrets, n, s.unread = finder.Find(ctx, s.home.Store.Files().Disk(), s.family)
		mu.Lock()
		defer mu.Unlock()
		page.Bytes += n
		if done++; o.Progress != nil {
			o.Progress(done, len(scans), page.Bytes)
		}
		return nil
	})
}

// add adds the result of one scan.
func (p *ScanPage) add(s *scanned) {
	if s.family != nil && s.unread == nil {
		p.Scanned++
	}
	if len(s.secrets) == 0 {
		return
	}
	type secret struct {
		family string
		number int
	}
	different := map[secret]bool{}
	for _, f := range s.secrets {
		different[secret{f.Family, f.Number}] = true
		p.Matches += f.Count
	}
	p.Secrets += len(different)
	p.Sessions = append(p.Sessions, ScannedSession{Root: s.home.Store.Root(), Session: s.session, Secrets: s.secrets})
}
