package runs

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/errcode"
	"sesskeep/internal/holder"
	"sesskeep/internal/label"
	"sesskeep/internal/launch"
	"sesskeep/internal/shelf"
)

// Order says what to run.
type Order struct {
	Dir     string // working directory
	Prompt  string
	Model   string // empty: as in the client's settings
	Mode    string // how it asks for permission; empty: "ask"
	Resume  string // id of a session to resume
	Fork    bool   // resume a copy of it
	Session string // id of the new session; empty: a random one
	Root    string // the home; empty: the default one
	Role    string // what the session is, in a word; becomes a tag
	Purpose string // what it is for; becomes the title unless there is one
	// Worktree is the name of a git worktree that the client creates and works in.
	Worktree string
	Bypass   bool // the user allows the mode that asks for nothing
	Limits   Limits
	By       shelf.Actor
}

// Limits are the limits of a run.
type Limits struct {
	Total  time.Duration // 0: none
	Answer time.Duration // for an answer to a prompt; 0: 15 minutes
	Quiet  time.Duration // without output: noted, then interrupted; 0: 30 minutes, negative: none
	Idle   time.Duration // for the next message; 0: 1 hour, negative: none
	Budget float64       // in dollars; 0: none
	Once   bool          // end after the first turn
	// Retries is how often to retry a turn after an overloaded API. AfterReset
	// continues the run when the limit of the plan is reset.
	Retries    int
	AfterReset bool
}

// The default limits.
const (
	quietTime = 30 * time.Minute
	idleTime  = time.Hour
	age       = 90 * 24 * time.Hour

	maxRetries = 20
)

func bound(d, usual time.Duration) time.Duration {
	switch {
	case d < 0:
		return 0
	case d == 0:
		return usual
	}
	return d
}

// RunPlan is a run that is planned and not started.
type RunPlan struct {
	SessionID string   `json:"sessionId"`
	Dir       string   `json:"dir"`
	Client    string   `json:"client,omitempty"` // path of the program; empty: not found
	Argv      []string `json:"argv"`             // arguments; the prompt goes to standard input
	order     holder.Order
	by        shelf.Actor
	missing   error // why the program was not found
}

// Plan plans a run. An invalid order is [errcode.Invalid], a mode that is not
// allowed [errcode.Denied]. A missing client is not an error here.
func (r *Runs) Plan(o Order) (RunPlan, error) {
	mode, err := launch.ParseMode(o.Mode)
	if err != nil {
		return RunPlan{}, errcode.New(errcode.Invalid, err)
	}
	switch {
	case o.Session == "":
	case !sesskeep.IsUUID(o.Session):
		return RunPlan{}, errcode.New(errcode.Invalid, fmt.Errorf("session-id: %q is not a UUID", o.Session))
	case o.Resume != "" && !o.Fork:
		return RunPlan{}, errcode.New(errcode.Invalid, errors.New("session-id: a session that is resumed keeps its id"))
	}
	session := o.Resume
	if o.Resume == "" || o.Fork {
		session = cmp.Or(o.Session, launch.NewID())
	}
	dir, err := WorkDir(o.Dir)
	if err != nil {
		return RunPlan{}, err
	}
	spec := launch.Spec{
		Dir: dir, Session: session, Resume: o.Resume, Fork: o.Fork, Model: o.Model, Mode: mode, Worktree: o.Worktree,
		Budget: launch.Dollar(o.Limits.Budget), Allowed: r.opts.Bypass || o.Bypass,
	}
	argv, err := spec.Argv()
	if errors.Is(err, launch.ErrBypass) {
		return RunPlan{}, errcode.New(errcode.Denied, err)
	}
	if err != nil {
		return RunPlan{}, errcode.New(errcode.Invalid, err)
	}
	if err := runLabel(label.Label{}, o.Role, "").Check(); err != nil {
		return RunPlan{}, errcode.New(errcode.Invalid, fmt.Errorf("role: %w", err))
	}
	if err := runLabel(label.Label{}, "", o.Purpose).Check(); err != nil {
		return RunPlan{}, errcode.New(errcode.Invalid, fmt.Errorf("purpose: %w", err))
	}
	if o.Limits.Retries < 0 || o.Limits.Retries > maxRetries {
		return RunPlan{}, errcode.New(errcode.Invalid, fmt.Errorf("retries: %d is not a number from 0 to %d", o.Limits.Retries, maxRetries))
	}
	if len(o.Prompt) > launch.MaxMessage {
		return RunPlan{}, errcode.New(errcode.Invalid, launch.ErrLong)
	}
	p := RunPlan{SessionID: session, Dir: dir, Argv: argv, by: o.By}
	p.Client, p.missing = r.client()
	p.order = holder.Order{
		Spec: spec, Message: launch.Message{ID: launch.NewID(), Text: o.Prompt}, Client: p.Client, ClientArgs: r.opts.ClientArgs, Role: o.Role, Purpose: o.Purpose,
		Slots: r.opts.Slots, By: actorText(o.By), Root: o.Root,
		Limits: launch.Limits{
			Answer: o.Limits.Answer, Total: max(0, o.Limits.Total), Quiet: bound(o.Limits.Quiet, quietTime), Idle: bound(o.Limits.Idle, idleTime),
			Budget: launch.Dollar(o.Limits.Budget), Once: o.Limits.Once, Retries: o.Limits.Retries, AfterReset: o.Limits.AfterReset,
		},
		DayBudget: launch.Dollar(r.opts.DayBudget), Notify: r.opts.Notify,
	}
	if len(r.opts.Notify) > 0 {
		p.order.Redact = r.opts.Redact
	}
	if r.opts.HomeEnv != nil && o.Root != "" {
		p.order.Env = r.opts.HomeEnv(o.Root)
	}
	return p, nil
}

// Message returns the id of the first message.
func (p *RunPlan) Message() string { return p.order.Message.ID }

// Missing returns why there is no client to run; nil: there is one.
func (p *RunPlan) Missing() error { return p.missing }

// PlainArgv returns the arguments for running the client by hand, with the prompt at
// the end: those about sessions, models and permission.
func (p *RunPlan) PlainArgv() []string { return p.order.Spec.PlainArgv() }

// ErrNoDir means that the working directory of a run does not exist.
var ErrNoDir = errors.New("there is no such directory")

// WorkDir checks that a run can work in a directory, and returns its path with
// symlinks resolved.
func WorkDir(path string) (string, error) {
	dir, err := filepath.EvalSymlinks(path)
	if err == nil {
		var info os.FileInfo
		if info, err = os.Stat(dir); err == nil && !info.IsDir() {
			err = errors.New("not a directory")
		}
	}
	if err == nil && !filepath.IsAbs(dir) {
		err = errors.New("not an absolute path")
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = ErrNoDir
	}
	if err != nil {
		return "", errcode.New(errcode.Invalid, fmt.Errorf("run in %s: %w", path, err))
	}
	return dir, nil
}

// actorText describes an actor in a few words.
func actorText(a shelf.Actor) string {
	words := []string{a.From}
	if a.User != "" {
		words = append(words, a.User)
	}
	if a.Token != "" {
		words = append(words, a.Token)
	}
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")
}
