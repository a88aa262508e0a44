package health

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"

	"sesskeep"
	"sesskeep/claudehome"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/homes"
	"sesskeep/internal/keeping"
	"sesskeep/internal/stamp"
)

// DoctorOptions are the inputs of a check-up.
type DoctorOptions struct {
	Now     time.Time
	Alive   claudehome.Alive
	Managed string // directory of the system's managed settings; may be missing
	// Within is how far ahead to look for sessions that expire; 0: ExpirySoon.
	Within time.Duration
	Server *ServerNote // our running server; nil: none
	Config *ConfigNote // what is wrong with our configuration; nil: nothing
}

// ServerNote describes our running server.
type ServerNote struct {
	URL   string   `json:"url,omitempty"`   // address of the server
	Trust []string `json:"trust,omitempty"` // local users who need no token, and their roles
}

// Health is the result of a check-up of the homes.
type Health struct {
	Roots     []RootHealth          `json:"roots"`            // homes of Claude Code
	Retention []RetentionHealth     `json:"retention"`        // how long the client keeps transcripts, by home
	Damaged   []DamagedFile         `json:"damaged"`          // problems by file
	Lost      int                   `json:"lostCount"`        // number of unreadable records
	Problems  []Finding             `json:"problems"`         // problems one by one
	Unknown   []sesskeep.Unfamiliar `json:"unknown"`          // parts of the format that this version does not know
	Running   int                   `json:"runningCount"`     // number of running clients
	Leftovers []Leftover            `json:"leftovers"`        // registry entries of processes that no longer run
	Twins     []Duplicate           `json:"twins"`            // duplicate transcripts, which lists leave out
	Server    *ServerNote           `json:"server,omitempty"` // the running sesskeep server
	Config    *ConfigNote           `json:"config,omitempty"` // what is wrong with the configuration of sesskeep
	Copies    keeping.KeepHealth    `json:"copies"`           // state of the kept copies, from the last checks
	ask.Covered
}

// ConfigNote says what is wrong with the configuration of sesskeep, which is not obeyed.
type ConfigNote struct {
	File     string          `json:"file"`     // path of the configuration file
	Problems []ConfigProblem `json:"problems"` // what is wrong with it, in the order of the file
}

// ConfigProblem is one thing that is wrong with the configuration.
type ConfigProblem struct {
	Line    int    `json:"line,omitempty"` // line of the file; 0 means the whole file
	Message string `json:"message"`        // what is wrong, and what may have been meant
}

// Duplicate is a duplicate transcript: another one of its session or agent has a later line.
type Duplicate struct {
	Root string `json:"root"`      // directory of the home
	ID   string `json:"sessionId"` // id of the session or agent
	File string `json:"file"`      // path inside the home
}

// RootHealth is one home.
type RootHealth struct {
	Root          string `json:"root"`              // directory of the home
	Home          string `json:"home,omitempty"`    // name of the home
	Machine       string `json:"machine,omitempty"` // name of the machine that the home belongs to
	Error         string `json:"error,omitempty"`   // why the home could not be read
	Files         int    `json:"fileCount"`         // number of files
	Bytes         int64  `json:"fileSize"`          // total size of the files in bytes
	Transcripts   int    `json:"transcriptCount"`   // number of transcripts
	OrphanedFiles int    `json:"orphanedFileCount"` // files of sessions without a transcript
	OrphanedBytes int64  `json:"orphanedFileSize"`  // bytes of these files
}

// RetentionHealth says how long the client keeps the transcripts of a home.
// Any session sweeps the whole home, so the shortest period counts that its
// settings, or those of a project, set.
type RetentionHealth struct {
	Root      string     `json:"root"`                 // directory of the home
	Days      int        `json:"days"`                 // days after which the client deletes transcripts
	File      string     `json:"file,omitempty"`       // settings file that sets it; empty means the client's default
	LastSweep stamp.Time `json:"lastSweepAt,omitzero"` // when the client last deleted old transcripts
	Expiring  []Expiring `json:"expiring"`             // sessions that expire soon, earliest first
	Overdue   int        `json:"overdueCount"`         // how many of these are past their time
}

// ExpirySoon is how far ahead a check-up looks by default.
const ExpirySoon = 3 * 24 * time.Hour

// Expiring is a session whose transcript will be deleted.
type Expiring struct {
	ID        string     `json:"id"`                // id of the session
	Title     string     `json:"title,omitempty"`   // title of the session
	Project   string     `json:"project,omitempty"` // short name of the project
	ExpiresAt stamp.Time `json:"expiresAt"`         // when the client deletes the transcript
}

// Finding is a problem and the part of the home it is in.
type Finding struct {
	Area string `json:"area"` // part of the home that the file belongs to
	ask.Problem
}

// DamagedFile sums up the problems of one file.
type DamagedFile struct {
	Root    string   `json:"root"`         // directory of the home
	File    string   `json:"file"`         // path inside the home
	Area    string   `json:"area"`         // part of the home that the file belongs to
	Count   int      `json:"problemCount"` // number of problems
	Lost    int      `json:"lostCount"`    // unreadable records; counted only in files that people wrote
	Reasons []Reason `json:"reasons"`      // problems by kind
	// Unreadable is true if the file cannot be read: its lines may be intact.
	Unreadable bool `json:"unreadable,omitempty"`
}

// Reason is a kind of damage and how often it was met.
type Reason struct {
	Reason string `json:"reason"`       // kind of damage
	Count  int    `json:"problemCount"` // number of problems of this kind
}

// Leftover is the entry of a process that is registered and does not run here.
type Leftover struct {
	Root      string     `json:"root"`               // directory of the home
	File      string     `json:"file"`               // path of the registry entry inside the home
	PID       int        `json:"pid"`                // process id in the entry
	Session   string     `json:"sessionId"`          // session in the entry
	StartedAt stamp.Time `json:"startedAt,omitzero"` // when the process started
}

// precious are the areas in which damage loses what people and models wrote.
// Elsewhere files are read half written, or only configure the client.
var precious = []string{"transcripts", "history", "todos", "tasks"}

// Doctor reads everything and reports what is wrong.
func (ck *Checker) Doctor(ctx context.Context, o DoctorOptions) (Health, error) {
	c, err := ck.census(ctx)
	unlisted := ck.unlisted()
	if err != nil && len(unlisted) == 0 {
		return Health{}, err
	}
	h := Health{Server: o.Server, Config: o.Config, Unknown: c.unknown, Problems: unlisted, Leftovers: []Leftover{}, Damaged: []DamagedFile{}, Twins: []Duplicate{}, Copies: ck.opts.Keep.Health()}
	for i := range c.twins {
		h.Twins = append(h.Twins, Duplicate{c.twins[i].Root, c.twins[i].ID, c.twins[i].Ref.File})
	}
	for _, p := range c.problems {
		h.Problems = append(h.Problems, Finding{"transcripts", p})
	}
	working := map[sesskeep.Key]bool{}
	for _, home := range ck.homes.List {
		for _, live := range h.examine(home, o) {
			working[home.Key(live.Session)] = true
		}
		h.retention(ck, home, c, o)
	}
	h.missing(ck)
	for i := range h.Roots {
		h.Roots[i].Transcripts = len(slices.Collect(c.in(h.Roots[i].Root))) + len(slices.Collect(in(c.twins, h.Roots[i].Root)))
	}
	h.Covered = ask.NewCovered(c.snapshot.Coverage.Join(ck.catalog.CoverageOfFiles()))
	h.empty(c, working)
	h.excuseOpenLines(c, working)
	h.findUnreadCopies(ck)
	h.group(c)
	return h, nil
}

// unlisted returns the homes whose transcripts cannot even be listed, as findings: a
// check-up must not fail because of what it should find.
func (ck *Checker) unlisted() []Finding {
	list := []Finding{}
	var cause *fs.PathError
	for _, home := range ck.homes.List {
		if _, err := home.Store.ProjectKeys(); errors.As(err, &cause) {
			p := sesskeep.Problem{Code: sesskeep.ProblemUnreadable, File: "projects", Reason: cause.Err.Error(), Lost: true}
			list = append(list, Finding{"transcripts", ask.Problem{Root: home.Store.Root(), Problem: p}})
		}
	}
	return list
}

// census has the facts from all transcripts.
type census struct {
	homes    *homes.Set
	snapshot *catalog.Snapshot
	Rows     []ask.Row
	problems []ask.Problem
	unknown  []sesskeep.Unfamiliar
	twins    []ask.Row
}

// census reads all transcripts. With an error it returns what was read before.
func (ck *Checker) census(ctx context.Context) (*census, error) {
	snapshot, err := ck.catalog.Snapshot(ctx)
	c := &census{homes: ck.homes, snapshot: snapshot, unknown: []sesskeep.Unfamiliar{}}
	if err != nil {
		return c, err
	}
	if c.Rows, err = ck.catalog.Rows(ctx, ask.Filter{Source: "all", Archived: ask.ArchivedToo}); err != nil {
		return c, err
	}
	if c.problems, err = snapshot.Problems(ctx); err != nil {
		return c, err
	}
	if c.unknown, err = snapshot.Unknown(ctx); err != nil {
		return c, err
	}
	c.twins, err = ck.catalog.Rows(ctx, ask.Filter{Source: string(ask.FromDuplicate)})
	return c, err
}

// in returns the rows of one home.
func (c *census) in(root string) func(yield func(*ask.Row) bool) {
	return in(c.Rows, root)
}

func in(rows []ask.Row, root string) func(yield func(*ask.Row) bool) {
	return func(yield func(*ask.Row) bool) {
		for i := range rows {
			if rows[i].Root == root && !yield(&rows[i]) {
				return
			}
		}
	}
}

// missing adds the homes that were named and do not exist.
func (h *Health) missing(a *Checker) {
	for _, root := range a.opts.Roots {
		if !slices.ContainsFunc(h.Roots, func(r RootHealth) bool { return r.Root == root }) {
			h.Roots = append(h.Roots, RootHealth{Root: root, Error: "not there"})
		}
	}
}

// examine checks a home except for its transcripts, and returns the processes that
// are alive.
func (h *Health) examine(home *homes.Home, o DoctorOptions) []claudehome.Live {
	note := func(area string, problems []sesskeep.Problem, err error) {
		if err != nil {
			problems = append(problems, sesskeep.Problem{Code: sesskeep.ProblemUnreadable, Reason: err.Error(), Lost: true})
		}
		for _, p := range problems {
			h.Problems = append(h.Problems, Finding{area, ask.Problem{Root: home.Store.Root(), Problem: p}})
		}
	}
	_, problems, err := claudehome.ReadHistory(home.Store.Files())
	note("history", problems, err)
	_, problems, err = claudehome.Todos(home.Store.Files(), "")
	note("todos", problems, err)
	_, problems, err = claudehome.Tasks(home.Store.Files(), "")
	note("tasks", problems, err)
	_, problems, err = claudehome.Jobs(home.Store.Files())
	note("jobs", problems, err)
	_, problems = claudehome.Commands(home.Store.Files(), claudehome.ScopeUser)
	note("commands", problems, nil)
	all, problems, err := claudehome.Registry(home.Store.Files(), o.Alive)
	note("registry", problems, err)

	root := RootHealth{Root: home.Store.Root(), Home: home.Is.Name, Machine: home.Is.MachineName}
	storage, err := claudehome.MeasureStorage(home.Store.Files().Disk(), o.Now)
	if err != nil {
		root.Error = errors.Unwrap(err).Error()
	}
	note("storage", storage.Problems, nil)
	root.Files, root.Bytes = storage.Total.Files, storage.Total.Bytes
	root.OrphanedFiles, root.OrphanedBytes = storage.Orphaned.Files, storage.Orphaned.Bytes
	h.Roots = append(h.Roots, root)
	return h.registry(home, all)
}

func (h *Health) registry(home *homes.Home, all []claudehome.Live) (alive []claudehome.Live) {
	for _, live := range all {
		if live.Alive {
			alive = append(alive, live)
			continue
		}
		h.Leftovers = append(h.Leftovers, Leftover{
			home.Store.Root(), live.File, live.PID, string(live.Session), stamp.Time{Time: live.Started},
		})
	}
	h.Running += len(alive)
	return alive
}

func (h *Health) retention(a *Checker, home *homes.Home, c *census, o DoctorOptions) {
	shortest, problems := a.opts.Keep.Retention(home, c.snapshot, o.Managed)
	found := RetentionHealth{
		Root: home.Store.Root(), Days: shortest.Days, File: shortest.File,
		LastSweep: stamp.Time{Time: shortest.LastSweep}, Expiring: []Expiring{},
	}
	for row := range c.in(home.Store.Root()) {
		if !home.Store.Files().Copied(row.Ref.File) {
			found.add(row, shortest.Expires(row.Ref.Modtime), o)
		}
	}
	slices.SortStableFunc(found.Expiring, func(x, y Expiring) int { return x.ExpiresAt.Compare(y.ExpiresAt.Time) })
	h.Retention = append(h.Retention, found)
	for _, p := range problems {
		h.Problems = append(h.Problems, Finding{"settings", ask.Problem{Root: home.Store.Root(), Problem: p}})
	}
}

func (r *RetentionHealth) add(row *ask.Row, expires time.Time, o DoctorOptions) {
	if row.IsAgent || expires.After(o.Now.Add(cmp.Or(o.Within, ExpirySoon))) {
		return
	}
	r.Expiring = append(r.Expiring, Expiring{row.ID, row.Title, row.Project, stamp.Time{Time: expires}})
	if expires.Before(o.Now) {
		r.Overdue++
	}
}

// empty finds the empty transcripts, for which the client reports that it finds no
// conversation. It skips running sessions, which may not have started yet.
func (h *Health) empty(c *census, working map[sesskeep.Key]bool) {
	for i := range c.Rows {
		r := &c.Rows[i]
		if r.FileSize == 0 && !r.IsAgent && !working[c.homes.SessionKey(r.Root, r.ID)] {
			p := sesskeep.Problem{Code: sesskeep.ProblemEmpty, File: r.Ref.File, Reason: "empty"}
			h.Problems = append(h.Problems, Finding{"transcripts", ask.Problem{Root: r.Root, Problem: p}})
		}
	}
}

// excuseOpenLines drops the problem of an unfinished last line in a running session: it
// is still being written.
func (h *Health) excuseOpenLines(c *census, working map[sesskeep.Key]bool) {
	size := map[[2]string]int64{}
	for i := range c.Rows {
		r := &c.Rows[i]
		if working[c.homes.SessionKey(r.Root, cmp.Or(r.ParentSessionID, r.ID))] {
			size[[2]string{r.Root, r.Ref.File}] = r.FileSize
		}
	}
	h.Problems = slices.DeleteFunc(h.Problems, func(f Finding) bool {
		end, ok := size[[2]string{f.Root, f.File}]
		return ok && f.Lost && f.Offset+f.Length >= end
	})
}

// findUnreadCopies makes one finding of what is wrong in a file that only a damaged copy is left
// of: its lines may have been intact.
func (h *Health) findUnreadCopies(ck *Checker) {
	for i := range h.Problems {
		p := &h.Problems[i]
		home := ck.homes.At(p.Root)
		if home == nil || p.File == "" || !home.Store.Files().Copied(p.File) {
			continue
		}
		if why := catalog.WhyUnreadable(home.Store, p.File); why != "" {
			p.Problem.Problem = sesskeep.Problem{Code: sesskeep.ProblemUnreadable, File: p.File, Reason: why, Lost: true}
		}
	}
}

// group sums up the problems by file. Only the first hundred problems of a file are
// listed, but its row has their total.
func (h *Health) group(c *census) {
	slices.SortStableFunc(h.Problems, func(x, y Finding) int {
		return cmp.Or(cmp.Compare(x.Root, y.Root), cmp.Compare(x.File, y.File), cmp.Compare(x.Offset, y.Offset), cmp.Compare(x.Reason, y.Reason))
	})
	// Two checks of a home find the same directory unreadable.
	h.Problems = slices.CompactFunc(h.Problems, func(x, y Finding) bool { return x.Problem == y.Problem })
	total := map[[2]string]int{}
	for _, r := range slices.Concat(c.Rows, c.twins) {
		total[[2]string{r.Root, r.Ref.File}] = r.Problems
	}
	for _, f := range h.Problems {
		last := len(h.Damaged) - 1
		if last < 0 || h.Damaged[last].Root != f.Root || h.Damaged[last].File != f.File {
			h.Damaged = append(h.Damaged, DamagedFile{Root: f.Root, File: f.File, Area: f.Area})
			last++
		}
		h.Damaged[last].add(f)
		if f.Lost && slices.Contains(precious, f.Area) {
			h.Damaged[last].Lost++
			h.Lost++
		}
	}
	for i := range h.Damaged {
		d := &h.Damaged[i]
		d.Count = max(d.Count, total[[2]string{d.Root, d.File}])
	}
}

func (d *DamagedFile) add(f Finding) {
	d.Count++
	d.Unreadable = d.Unreadable || f.Code == sesskeep.ProblemUnreadable
	for i := range d.Reasons {
		if d.Reasons[i].Reason == f.Reason {
			d.Reasons[i].Count++
			return
		}
	}
	d.Reasons = append(d.Reasons, Reason{f.Reason, 1})
}
