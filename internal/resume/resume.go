package resume

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"sesskeep"
	"sesskeep/claudehome"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/errcode"
	"sesskeep/internal/homes"
	"sesskeep/internal/talk"
)

// Plan says how to run the client to resume a session.
type Plan struct {
	Session string   `json:"sessionId"`
	Root    string   `json:"root"` // the home the session lies in
	Dir     string   `json:"dir"`  // empty: the directory is gone, it works in any
	Argv    []string `json:"argv"`
	// Uncached is how many tokens the next prompt pays again because the cache of
	// a large session has expired; 0: not many, or none.
	Uncached int64 `json:"uncachedTokens,omitempty"`
	// Warnings are what a user should know.
	Warnings []string `json:"warnings"`
	// Conflicts are what a user has to agree to first.
	Conflicts []string `json:"conflicts"`
}

// Options say how to resume.
type Options struct {
	Fork bool // in a new session that begins as a copy
}

// resumableID is what can be handed to the client: nothing it takes for a flag.
var resumableID = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
})

// PlanSession plans to resume a session of a list. Errors are those of Resume.
func (pl *Planner) PlanSession(ctx context.Context, r *catalog.Session, o Options) (Plan, error) {
	t, err := pl.from.Catalog.TargetOf(r)
	if err != nil {
		return Plan{}, err
	}
	return pl.Plan(ctx, t, o)
}

// Plan plans to resume a session in the directory it was in last. An agent cannot be
// resumed, and of several conversations the client takes the one written last.
// What is not there is [errcode.NotFound], an agent [errcode.Conflict].
func (pl *Planner) Plan(ctx context.Context, t catalog.Target, o Options) (Plan, error) {
	id := t.Ref.ID()
	fail := func(err error) (Plan, error) {
		return Plan{}, &sesskeep.Error{Op: "resume", Name: id, Err: err}
	}
	if t.Ref.Agent != "" || t.Inline != "" {
		return fail(fmt.Errorf("%w: resume %s", errcode.ErrAgent, t.Store.Parent(t.Ref)))
	}
	if !resumableID().MatchString(id) {
		return fail(errors.New("the client resumes only what is named by a UUID"))
	}
	if t.Store.Files().Copied(t.Ref.File) {
		return fail(catalog.CopyOnly(t))
	}
	s, err := pl.from.Catalog.Read(ctx, catalog.Target{Store: t.Store, Ref: t.Ref})
	if err != nil {
		return Plan{}, err
	}
	defer s.Close()
	tr := s.Transcript
	p := Plan{
		Session: id, Root: t.Store.Root(), Argv: []string{"claude", "--resume", id},
		Warnings: []string{}, Conflicts: []string{},
	}
	if o.Fork {
		p.Argv = append(p.Argv, "--fork-session")
	}
	if len(tr.Tree.Turns) == 0 {
		p.Warnings = append(p.Warnings, "there is no message in it: the client will say that it finds no conversation")
	}
	if next := string(tr.Digest.ContinuedIn); next != "" && next != id {
		p.Warnings = append(p.Warnings, fmt.Sprintf("the client went on in session %s: resume that one for what came later", next))
	}
	if err := p.branch(t, tr); err != nil {
		return fail(err)
	}
	p.chooseDir(tr, projectDirs(t, tr, pl.hints(t)))
	p.cache(tr, pl.from.Now())
	if err := p.running(t.Store, pl.from.Alive, o); err != nil {
		return fail(err)
	}
	if len(p.Conflicts) == 0 && !o.Fork {
		run, held, err := pl.from.Living.Of(ctx, t.Store.Root(), sesskeep.SessionID(p.Session))
		if err != nil {
			return fail(err)
		}
		if held {
			p.Conflicts = append(p.Conflicts, fmt.Sprintf("run %s has it: two clients that write to one session make a branch", run.ID))
		}
	}
	return p, nil
}

// branch says so if another conversation was asked for than the client takes.
func (p *Plan) branch(t catalog.Target, tr *sesskeep.Transcript) error {
	if t.Message != "" {
		p.Warnings = append(p.Warnings, "the client continues at the end of the conversation, not at a message")
	}
	if t.Leaf == "" {
		return nil
	}
	var found []ask.Conversation
	active := ""
	for _, c := range talk.Conversations(p.Session, &tr.Digest, tr.Tree, nil) {
		if c.Active {
			active = c.Leaf
		}
		if strings.HasPrefix(c.Leaf, t.Leaf) {
			found = append(found, c)
		}
	}
	switch {
	case len(found) == 0:
		return fmt.Errorf("conversation %s: %w", t.Leaf, sesskeep.ErrNotFound)
	case len(found) > 1:
		return fmt.Errorf("conversation %s: %w", t.Leaf, sesskeep.ErrAmbiguous)
	case !found[0].Active:
		p.Conflicts = append(p.Conflicts, fmt.Sprintf("the client always continues the conversation written last, %s, not %s",
			catalog.Short(active), catalog.Short(found[0].Leaf)))
	}
	return nil
}

// What is kept of a prompt for the next one, and for how long after it was last
// used: the client asks for an hour or for less.
const (
	longCache  = time.Hour
	shortCache = 5 * time.Minute
)

// largeContext is from how many tokens on it is worth a word that they are paid
// again.
const largeContext = 50_000

// cache says so if the whole of a large session will be paid again.
func (p *Plan) cache(tr *sesskeep.Transcript, now time.Time) {
	last := lastAnswer(tr)
	if last == nil || last.Time.IsZero() || last.Usage.Context() < largeContext {
		return
	}
	if now.Sub(last.Time) <= cacheKept(tr) {
		return
	}
	p.Uncached = last.Usage.Context()
	p.Warnings = append(p.Warnings, fmt.Sprintf("its cache has expired: the next prompt pays for about %dk tokens again", (p.Uncached+500)/1000))
}

// cacheKept is how long the client last asked for.
func cacheKept(tr *sesskeep.Transcript) time.Duration {
	for i := len(tr.Digest.Usage) - 1; i >= 0; i-- {
		switch u := &tr.Digest.Usage[i].Usage; {
		case tr.Digest.Usage[i].Call != "": // a call beside the answer: its cache is another model's
		case u.CacheWrite1h > 0:
			return longCache
		case u.CacheWrite5m > 0:
			return shortCache
		}
	}
	return shortCache
}

// lastAnswer returns the usage of the answer that the client continues from; nil if
// there is none, or if the conversation was compacted since.
func lastAnswer(tr *sesskeep.Transcript) *sesskeep.UsageRow {
	for i := len(tr.Digest.Chain) - 1; i >= 0; i-- {
		l := &tr.Digest.Chain[i]
		switch {
		case l.Sidechain || l.MadeUp:
		case l.Role == sesskeep.RoleBoundary:
			return nil
		case l.Role == sesskeep.RoleAnswer:
			at := slices.IndexFunc(tr.Digest.Usage, func(u sesskeep.UsageRow) bool { return u.Message == cmp.Or(l.Message, l.UUID) })
			if at >= 0 {
				return &tr.Digest.Usage[at]
			}
		}
	}
	return nil
}

// chooseDir chooses the directory: the one the session last worked in, else that of
// its project.
func (p *Plan) chooseDir(tr *sesskeep.Transcript, project []string) {
	last := lastDir(tr)
	for _, dir := range append([]string{last}, project...) {
		if !isDir(dir) {
			continue
		}
		if p.Dir = dir; dir != last && last != "" {
			p.Warnings = append(p.Warnings, fmt.Sprintf("its last directory %s is gone: resume continues in %s", last, dir))
		}
		return
	}
	gone := "its directory is not known"
	if last != "" {
		gone = "its directory " + last + " is gone"
	}
	p.Conflicts = append(p.Conflicts, gone+": resume would continue in the current directory")
}

// isDir reports whether a path of a transcript leads to a directory. One that is
// not absolute would be another directory for everybody who reads it.
func isDir(path string) bool {
	info, err := os.Stat(path)
	return filepath.IsAbs(path) && err == nil && info.IsDir()
}

// lastDir is the directory the last line names. Lines without one are few.
func lastDir(tr *sesskeep.Transcript) string {
	for i := len(tr.Digest.Chain) - 1; i >= max(0, len(tr.Digest.Chain)-lastLines); i-- {
		if e, err := tr.Entry(i); err == nil && e.Cwd != "" {
			return e.Cwd
		}
	}
	if n := len(tr.Digest.Cwds); n > 0 {
		return tr.Digest.Cwds[n-1]
	}
	return ""
}

// lastLines is how many lines are asked for a directory.
const lastLines = 100

// hints are the project paths that are known of a target's home.
func (pl *Planner) hints(t catalog.Target) []string {
	if i := slices.IndexFunc(pl.from.Homes.List, func(h *homes.Home) bool { return h.Store == t.Store }); i >= 0 {
		return pl.from.Homes.List[i].Hints()
	}
	return nil
}

// projectDirs are the paths that the session's project may have, and after them
// wherever else the session was.
func projectDirs(t catalog.Target, tr *sesskeep.Transcript, hints []string) []string {
	var dirs []string
	for _, dir := range slices.Concat(tr.Digest.Cwds, hints) {
		if t.Ref.Dir.Holds(dir) {
			dirs = append(dirs, dir)
		}
	}
	return append(dirs, tr.Digest.Cwds...)
}

// running adds a conflict if a client has the session open. A copy conflicts with none.
func (p *Plan) running(s *sesskeep.Store, alive claudehome.Alive, o Options) error {
	if o.Fork {
		return nil
	}
	lives, _, err := claudehome.Registry(s.Files(), alive)
	if err != nil {
		return err
	}
	for _, l := range lives {
		if l.Alive && string(l.Session) == p.Session {
			p.Conflicts = append(p.Conflicts, fmt.Sprintf("a client already runs it (pid %d): two clients that write to one session make a branch", l.PID))
			return nil
		}
	}
	return nil
}
