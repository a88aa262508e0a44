// Package runs starts clients and talks to running ones: it plans, starts, lists,
// follows and stops runs, and answers their prompts. It needs no homes: a process of
// its own holds each run (package holder), and this package is a client of it.
package runs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"sesskeep"
	"sesskeep/internal/errcode"
	"sesskeep/internal/holder"
	"sesskeep/internal/launch"
	"sesskeep/internal/redact"
	"sesskeep/internal/shelf"
)

// Options configure how runs are started.
type Options struct {
	Dir    string   // directory of the runs
	Holder []string // command line that makes this program a holder
	// Client returns the path of the client's program. It is called once.
	Client func() (string, error)
	// ClientArgs stand before the arguments of the client.
	ClientArgs []string
	// HomeEnv returns the changes to the environment that lead the client to a home;
	// nil: the client uses the default one.
	HomeEnv func(root string) []string
	// Journal records who started and allowed what; nil: it is not recorded.
	Journal *shelf.Shelf
	// Data is where the ids of homes are stored, and Host the name of this machine.
	Data, Host string
	Slots      int  // how many runs may have a client at once; 0: 8
	Bypass     bool // permit the mode that asks for nothing, on request
	// DayBudget is what all runs of a day may cost together, in dollars; 0: no limit.
	// Notify lists where to send notices that a run needs somebody or has ended:
	// desktop, or URLs.
	DayBudget float64
	Notify    []string
	// Redact says what notices hide besides what looks like a secret.
	Redact redact.Options
	Now    func() time.Time
}

// Dir returns the directory of runs in our data directory.
func Dir(data string) string { return filepath.Join(data, "runs") }

// Runs starts clients and talks to running ones.
type Runs struct {
	opts   Options
	store  holder.Store
	client func() (string, error)
	board  board
}

// New returns a Runs.
func New(o Options) *Runs {
	return &Runs{opts: o, store: holder.Store{Dir: o.Dir, Now: o.Now}, client: sync.OnceValues(o.Client)}
}

// Start starts a run in a process of its own, which outlives this one. If there is
// no client, the error is ErrNoClient.
func (r *Runs) Start(ctx context.Context, p RunPlan) (holder.Record, error) {
	if p.missing != nil {
		return holder.Record{}, p.missing
	}
	if err := r.noteStart(ctx, p); err != nil {
		return holder.Record{}, err
	}
	run, err := holder.Spawn(ctx, r.opts.Holder, p.order)
	if err != nil {
		return holder.Record{}, err
	}
	return r.store.Read(ctx, run.ID)
}

// Hold starts a run that this process holds: it ends with the process, and with ctx.
// Hold calls started as soon as the run accepts requests.
func (r *Runs) Hold(ctx context.Context, p RunPlan, started func(id string)) error {
	if p.missing != nil {
		return p.missing
	}
	if err := r.noteStart(ctx, p); err != nil {
		return err
	}
	return holder.Hold(ctx, r.store, p.order, func(run holder.Run) { started(run.ID) })
}

// noteStart writes to the journal what is about to be run. If that fails, the run
// does not start.
func (r *Runs) noteStart(ctx context.Context, p RunPlan) error {
	if err := r.checkDayBudget(); err != nil {
		return err
	}
	if err := r.store.CheckRoom(); err != nil { // before the journal says that it was started
		return err
	}
	err := r.note(ctx, shelf.Plan{
		Verb: "run start", What: fmt.Sprintf("in %s, permission mode %s", p.Dir, p.order.Spec.Mode), Home: p.order.Root, Session: p.SessionID, Actor: p.by,
	})
	if err != nil {
		return err
	}
	return r.label(ctx, p)
}

func (r *Runs) note(ctx context.Context, p shelf.Plan) error {
	if r.opts.Journal == nil {
		return nil
	}
	if p.Home == "" {
		p.Home = r.opts.Dir
	}
	_, err := r.opts.Journal.Note(ctx, p)
	return err
}

// ServeHolder is the main function of the process that Start starts.
func (r *Runs) ServeHolder(ctx context.Context, in io.Reader, out io.WriteCloser) error {
	return holder.Serve(ctx, r.store, in, out)
}

// RunPage is a list of runs, newest first.
type RunPage struct {
	Runs    []holder.Record `json:"runs"`
	Total   int             `json:"total"`
	HasMore bool            `json:"hasMore"`
	// Today is what all runs have cost since midnight.
	Today RunDay `json:"today"`
	// Unread says which runs cannot be read, and why: they are not in the list, or not whole.
	Unread []string `json:"unread,omitempty"`
}

// Filter chooses runs; the zero value chooses all.
type Filter struct {
	Living  bool   // only those that have not ended
	Session string // only those of a session
	Foreign bool   // also questions of clients that we did not start
	Limit   int    // 0: all
}

// List lists runs.
func (r *Runs) List(ctx context.Context, f Filter) (RunPage, error) {
	all := r.store.List
	if f.Living {
		all = r.store.Living
	}
	list, err := all(ctx)
	var unread *holder.UnreadError
	if err != nil && !errors.As(err, &unread) {
		return RunPage{}, err
	}
	list = slices.DeleteFunc(list, func(run holder.Record) bool {
		return run.Foreign && !f.Foreign || f.Session != "" && !strings.EqualFold(f.Session, run.SessionID)
	})
	page := RunPage{Runs: append([]holder.Record{}, list...), Total: len(list)}
	if unread != nil {
		for _, err := range unread.Runs {
			page.Unread = append(page.Unread, err.Error())
		}
	}
	if page.Today, err = r.today(); err != nil {
		page.Unread = append(page.Unread, err.Error())
	}
	if f.Limit > 0 && len(page.Runs) > f.Limit {
		page.Runs, page.HasMore = page.Runs[:f.Limit], true
	}
	return page, nil
}

func sortRuns(list []holder.Record) {
	slices.SortFunc(list, func(a, b holder.Record) int { return a.CreatedAt.Compare(b.CreatedAt.Time) })
}

// Read returns one run. If there is none, the error is [errcode.NotFound].
func (r *Runs) Read(ctx context.Context, id string) (holder.Record, error) {
	return r.store.Read(ctx, id)
}

// Events returns the events of a run.
func (r *Runs) Events(id string) ([]launch.Event, error) { return r.store.Events(id) }

// Follow calls give with the output of a run from an offset, including pieces of
// messages, and with every change of its state, until the run is over.
func (r *Runs) Follow(ctx context.Context, id string, from int64, give func(holder.Frame) error) error {
	return r.store.Follow(ctx, id, holder.FollowOptions{From: from, Pieces: true}, give)
}

// Await is Follow for callers that wait for the response to a message: one frame has
// it, unless the holder was killed first.
func (r *Runs) Await(ctx context.Context, id, message string, from int64, give func(holder.Frame) error) error {
	return r.store.Follow(ctx, id, holder.FollowOptions{From: from, Pieces: true, WaitFor: message}, give)
}

// NewMessage returns a new message id.
func NewMessage() string { return launch.NewID() }

// Send sends another message to a run. A message with the same id is sent only once;
// an empty id means a new one.
func (r *Runs) Send(ctx context.Context, id, text, message string) (holder.Record, error) {
	if message == "" {
		message = launch.NewID()
	}
	if !sesskeep.IsUUID(message) {
		return holder.Record{}, errcode.New(errcode.Invalid, fmt.Errorf("message id %q: not a UUID", message))
	}
	return r.SendMessage(ctx, id, launch.Message{ID: message, Text: text})
}

// Interrupt interrupts the current turn of a run.
func (r *Runs) Interrupt(ctx context.Context, id string, by shelf.Actor) (holder.Record, error) {
	return r.ask(ctx, id, holder.Request{Do: holder.DoInterrupt, By: actorText(by)})
}

// Stop stops a run.
func (r *Runs) Stop(ctx context.Context, id string, by shelf.Actor) (holder.Record, error) {
	return r.ask(ctx, id, holder.Request{Do: holder.DoStop, By: actorText(by)})
}

// Set changes the model or the permission mode of a run; empty values change nothing.
func (r *Runs) Set(ctx context.Context, id, model, mode string) (run holder.Record, err error) {
	if mode != "" {
		m, err := launch.ParseMode(mode)
		if err != nil {
			return run, errcode.New(errcode.Invalid, err)
		}
		if m == launch.Bypass && !r.opts.Bypass {
			return run, errcode.New(errcode.Denied, launch.ErrBypass)
		}
		if run, err = r.ask(ctx, id, holder.Request{Do: holder.DoSet, Mode: m}); err != nil {
			return run, err
		}
	}
	switch {
	case model != "":
		return r.ask(ctx, id, holder.Request{Do: holder.DoSet, Model: model})
	case mode == "":
		return r.store.Read(ctx, id) // there may be no such run
	}
	return run, err
}

// Remove deletes the files of a run that has ended; its session stays.
func (r *Runs) Remove(ctx context.Context, id string) error { return r.store.Remove(ctx, id) }

// Removable returns the error that Remove would return for a run.
func (r *Runs) Removable(run holder.Record) error {
	if run.Living() {
		return fmt.Errorf("run %s: %w", run.ID, holder.ErrLives)
	}
	return nil
}

// Expire removes runs that ended long ago.
func (r *Runs) Expire(ctx context.Context) (int, error) { return r.store.Expire(ctx, age) }

func (r *Runs) ask(ctx context.Context, id string, q holder.Request) (holder.Record, error) {
	reply, err := r.store.Ask(ctx, id, q)
	if err == nil && reply.Record != nil {
		return *reply.Record, nil
	}
	return holder.Record{}, err
}

// FindClient returns the absolute path of the client's program. It looks up a bare
// name in the absolute directories of path, a list like PATH.
func FindClient(name, path string) (string, error) { return launch.Find(name, path) }

// Modes returns the names of the permission modes, without the one that must be
// allowed first.
func Modes() []string {
	words := []string{"ask"}
	for _, m := range launch.Modes() {
		if m != launch.AskFirst && m != launch.Bypass {
			words = append(words, string(m))
		}
	}
	return words
}
