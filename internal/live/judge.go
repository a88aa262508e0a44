package live

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/claudehome"
)

// Facts holds everything that Judge bases its decision on.
type Facts struct {
	Now      time.Time
	Clients  []claudehome.Live // registered for this session, alive or not
	Job      *claudehome.Job
	Run      *Run   // of ours; nil: we do not run it
	Report   Report // the latest hook report; zero if there is none
	Standing sesskeep.Standing
	Written  time.Time // when the transcript was last changed; zero if there is none
	Agents   []Helper
	Blind    bool // whether a client runs that did not register is not known
}

// Helper is what Judge needs to know of an agent.
type Helper struct {
	Name     string
	Finished bool
	Standing sesskeep.Standing
	Written  time.Time
}

// How long things count.
const (
	freshWrite = 10 * time.Second // a file changed since is being written
	freshAgent = 2 * time.Minute  // models think long between two lines
	patience   = time.Hour        // a session idle for longer is not waiting for its user
	lastWords  = 5 * time.Second  // between a client's last status and its last line
	nextBlock  = 4 * time.Second  // between two lines of one answer
)

// someAnswer is shown when nothing says what an answer is needed for.
const someAnswer = "an answer"

// Judge decides what a session does. It trusts the holder of a run of ours, then a hook report that is later than
// the registry, then the registry, and last the end of the transcript, which
// lags behind and looks the same while a tool runs and while it waits for
// permission.
func Judge(f Facts) State {
	if f.Run != nil {
		return f.Run.state(f.Clients)
	}
	var best State
	for _, c := range f.Clients {
		if !c.Alive {
			continue
		}
		s := f.running(&c)
		s.PID = c.PID
		if best.Word == "" || s.Word.urgency() < best.Word.urgency() {
			best = s
		}
	}
	if best.Word != "" {
		return best
	}
	return f.resting()
}

// urgency is the place of a word in Words.
func (w Word) urgency() int { return slices.Index(Words, w) }

// running judges by a client that is alive.
func (f *Facts) running(c *claudehome.Live) State {
	if s, ok := f.reported(c); ok {
		return s
	}
	since := cmp.Or(c.StatusSince, c.Updated, c.Started)
	switch c.Status {
	case "waiting":
		// In an open turn the dialog may be the client's own, such as the one that
		// offers another model when credits run out: the turn stands still until
		// it is answered. It looks the same as a menu that the user opened.
		if c.WaitingFor == "dialog open" && !f.inTurn(c) && !f.asked() {
			return f.menu(c)
		}
		text, ask := f.waitingFor(c)
		ask.episode = c.StatusSince
		return State{Word: NeedsYou, Since: since,
			Why:     fmt.Sprintf("the client waits: %s (pid %d)", cmp.Or(c.WaitingFor, "it does not say what for"), c.PID),
			Waiting: cmp.Or(text, someAnswer), ask: ask}
	case "busy":
		return State{Word: Working, Since: since, Why: fmt.Sprintf("the client is busy (pid %d)", c.PID)}
	case "shell":
		return State{Word: Working, Since: since, Why: fmt.Sprintf("shells run in the background (pid %d)", c.PID)}
	case "idle":
		if f.Standing.Open() && f.Standing.Time.After(c.StatusSince) && f.within(f.Standing.Time, freshWrite) {
			return State{Word: Working, Since: f.Standing.Time, Why: fmt.Sprintf("a prompt came since the client was idle (pid %d)", c.PID)}
		}
		return f.atRest(c, since, fmt.Sprintf("the client is idle (pid %d)", c.PID))
	}
	return f.silent(c)
}

// reported judges by a hook's report that is later than the client's status.
func (f *Facts) reported(c *claudehome.Live) (State, bool) {
	r := &f.Report
	if !r.Time.After(c.StatusSince) {
		return State{}, false
	}
	later := f.Standing.Time.After(r.Time) // something was said since
	switch {
	case r.Type == "permission_prompt" && c.Status != "" && c.Status != "waiting":
		return State{}, false // a reminder that the answer overtook: the client itself reports when it waits
	case r.asks() && !later:
		ask := r.ask()
		if c.Status == "waiting" {
			ask.episode = c.StatusSince
		}
		return State{Word: NeedsYou, Since: r.Time, Why: "a hook reported " + r.name(), Waiting: r.waiting(), ask: ask}, true
	case c.Status == "waiting" && !r.asks():
		return State{}, false // it waits for an answer to an agent, or to another call
	case (r.Event == "Stop" || r.Event == "StopFailure") && !(later && f.Standing.Open()):
		return f.atRest(c, r.Time, "a hook reported that the turn "+turnEnds[r.Event]), true
	case r.concludes() && c.Status == "" && f.Standing.Open():
		return State{Word: Working, Since: r.Time, Why: "a hook reported " + r.name()}, true
	case r.Event == "UserPromptSubmit" && !(later && !f.Standing.Open()):
		return State{Word: Working, Since: r.Time, Why: "a hook reported a new prompt"}, true
	}
	return State{}, false
}

// turnEnds says how a turn is over, by the event of the hook.
var turnEnds = map[string]string{"Stop": "is over", "StopFailure": "failed"}

// asks reports whether the report says that an answer is needed.
func (r *Report) asks() bool {
	return r.Event == "PermissionRequest" || r.Event == "Elicitation" || r.Event == "Notification" &&
		(r.Type == "" && strings.HasPrefix(r.Text, "Claude needs your permission") || r.Type == "permission_prompt" || r.Type == "agent_needs_input" || strings.HasPrefix(r.Type, "elicitation_"))
}

func (r *Report) name() string {
	if r.Type == "" {
		return r.Event
	}
	return r.Event + " " + r.Type
}

func (r *Report) waiting() string {
	switch {
	case r.Event != "PermissionRequest":
		return cmp.Or(r.Text, r.Type, someAnswer)
	case r.Tool == questionTool && r.Text == "":
		return "question"
	case r.Tool == questionTool:
		return "question: " + r.Text
	}
	return strings.TrimSpace("permission: " + strings.TrimSpace(r.Tool+" "+r.Text))
}

// ask returns the question that the report is about.
func (r *Report) ask() question {
	switch {
	case r.Event == "PermissionRequest":
		return question{tool: r.Tool, subject: r.Text, reported: r.Time}
	case r.Type == "permission_prompt": // it names the tool at most
		return question{}
	}
	return question{subject: r.Text, reported: r.Time}
}

// asked reports whether something besides the client's status says that an answer
// is needed.
func (f *Facts) asked() bool {
	_, ok := f.question()
	return ok || f.Report.asks() && !f.Standing.Time.After(f.Report.Time)
}

// inTurn reports whether a turn that the client runs is open. One that was open
// before the client started was cut off.
func (f *Facts) inTurn(c *claudehome.Live) bool {
	return f.Standing.Open() && f.Standing.Time.After(c.Started)
}

// menu judges by a client that shows a dialog between turns: its user opened it,
// such as those of /model and /resume, and the conversation stands as it did before.
func (f *Facts) menu(c *claudehome.Live) State {
	return f.atRest(c, cmp.Or(f.Standing.Time, c.StatusSince, c.Started), fmt.Sprintf("a menu is open (pid %d)", c.PID))
}

// silent judges by a client that registered but has no status we know: those
// before 2.1.139 had none, and a later one may have others.
func (f *Facts) silent(c *claudehome.Live) State {
	s := f.unsaid(c)
	if c.Status != "" {
		s.Why = fmt.Sprintf("the client says %q, which is not known; %s", c.Status, s.Why)
	}
	return s
}

// unsaid judges a client that is alive by what the transcript owes.
func (f *Facts) unsaid(c *claudehome.Live) State {
	if call, ok := f.question(); ok {
		return State{Word: NeedsYou, Since: cmp.Or(call.Time, f.Standing.Time), Why: call.Tool + " has no answer", Waiting: describe(call), ask: askOf(call)}
	}
	if f.Standing.Open() {
		return State{Word: Working, Since: cmp.Or(f.Standing.Time, c.Started),
			Why: f.owed() + "; this client reports no permission prompts"}
	}
	if f.Standing.Unsure && f.within(f.Written, nextBlock) {
		return State{Word: Working, Since: f.Standing.Time, Why: "the answer may be incomplete; this client does not say when a turn is over"}
	}
	return f.atRest(c, cmp.Or(f.Standing.Time, c.Started), fmt.Sprintf("the last turn is over (pid %d)", c.PID))
}

// question finds an open call that only a person can answer, of the session or of
// one of its agents.
func (f *Facts) question() (sesskeep.OpenCall, bool) {
	for _, call := range f.openCalls() {
		if call.Tool == "AskUserQuestion" || call.Tool == "ExitPlanMode" {
			return call, true
		}
	}
	return sesskeep.OpenCall{}, false
}

// atRest judges by a client whose turn is over.
func (f *Facts) atRest(c *claudehome.Live, since time.Time, why string) State {
	if f.Job != nil && f.Job.State == "blocked" {
		return State{Word: NeedsYou, Since: later(since, f.Job.Updated), Why: "the job is blocked", Waiting: cmp.Or(f.Job.Needs, someAnswer), ask: question{subject: f.Job.Needs}}
	}
	if a, ok := f.helper(); ok {
		return State{Word: Working, Since: a.Standing.Time, Why: "agent " + a.Name + " works in the background"}
	}
	switch {
	case f.Standing.Prompts == 0 && turnEnds[f.Report.Event] == "": // a report can be here before the lines
		return State{Word: Idle, Since: since, Why: why + "; no prompt yet"}
	case strings.HasPrefix(c.Entrypoint, "sdk-"): // -p is over, or waits for its caller
		return State{Word: Idle, Since: since, Why: why + "; a program runs it"}
	case c.Kind == "bg" || c.Kind == "background":
		return State{Word: Idle, Since: since, Why: why + "; it runs in the background"}
	case f.Now.Sub(since) >= patience:
		return State{Word: Idle, Since: since.Add(patience), Why: why + "; no prompt for an hour"}
	}
	return State{Word: YourTurn, Since: since, Why: why}
}

// helper is an agent that is at work.
func (f *Facts) helper() (Helper, bool) {
	for _, a := range f.Agents {
		if !a.Finished && a.Standing.Open() && f.within(a.Written, freshAgent) {
			return a, true
		}
	}
	return Helper{}, false
}

// within reports whether at is no further from now than span. Clocks of file
// servers run ahead too.
func (f *Facts) within(at time.Time, span time.Duration) bool {
	return !at.IsZero() && f.Now.Sub(at).Abs() < span
}

// resting judges a session that no client runs.
func (f *Facts) resting() State {
	if s, ok := f.jobEnded(); ok {
		return s
	}
	if s, ok := f.reported(&claudehome.Live{}); ok && f.unseen() && f.within(f.Report.Time, patience) {
		s.Why += "; whether its client runs is not known"
		return s
	}
	dead, killed := f.killed()
	switch {
	case len(f.Clients) == 0 && f.Standing.Open() && f.within(f.Written, freshWrite) && !registers(f.Standing.Version):
		ago := max(0, f.Now.Sub(f.Written)).Truncate(time.Second)
		return State{Word: Working, Since: later(f.Standing.Time, f.Written), Why: fmt.Sprintf("written %s ago; no client is registered", ago)}
	case f.Report.Event == "SessionEnd" && !f.Standing.Time.After(f.Report.Time.Add(lastWords)):
		return State{Word: Ended, Since: f.Report.Time, Why: "a hook reported " + f.Report.name()}
	case killed:
		return State{Word: Unclean, Since: later(lastUpdate(&dead), f.Standing.Time),
			Why: fmt.Sprintf("client %d went away while %s", dead.PID, cmp.Or(dead.Status, "it ran"))}
	}
	return f.left()
}

// registers reports whether a client of this version has a registry file as long
// as it runs. Those that do not, and those that are not known, may write unseen.
func registers(version string) bool {
	var v [3]int
	n, _ := fmt.Sscanf(version, "%d.%d.%d", &v[0], &v[1], &v[2])
	return n == len(v) && slices.Compare(v[:], []int{2, 1, 139}) >= 0
}

// jobEnds says how a background job is over, by its state.
var jobEnds = map[string]string{
	"done":    "the job is done",
	"stopped": "the job was stopped",
	"failed":  "the job failed",
}

// jobEnded judges by a background job that is over and after which nothing was
// said.
func (f *Facts) jobEnded() (State, bool) {
	if f.Job == nil || jobEnds[f.Job.State] == "" {
		return State{}, false
	}
	end := cmp.Or(f.Job.Ended, f.Job.Updated)
	if f.Standing.Time.After(end.Add(lastWords)) {
		return State{}, false
	}
	return State{Word: Ended, Since: end, Why: jobEnds[f.Job.State]}, true
}

// killed is the client that was the last to register and never took its file
// away. Where the talk went on after it the session was resumed since, and what
// that one did says nothing any more.
func (f *Facts) killed() (claudehome.Live, bool) {
	var last claudehome.Live
	for _, c := range f.Clients {
		if last.PID == 0 || lastUpdate(&c).After(lastUpdate(&last)) {
			last = c
		}
	}
	return last, last.PID != 0 && !f.Standing.Time.After(lastUpdate(&last).Add(lastWords))
}

// lastUpdate returns when a client last wrote its registry file.
func lastUpdate(c *claudehome.Live) time.Time {
	return later(later(c.Started, c.StatusSince), c.Updated)
}

// left judges by the transcript alone.
func (f *Facts) left() State {
	s := State{Word: Ended, Since: cmp.Or(f.Standing.Time, f.Written), Why: "ended in order"}
	switch {
	case f.Standing.Open():
		s.Word, s.Why = Unclean, f.owed()
		if f.unseen() && f.within(f.Standing.Time, patience) {
			s.Why += "; whether its client runs is not known"
		}
	case f.Standing.Turn == "":
		s.Why = "nothing was said"
	case !f.Standing.Closed:
		s.Why = "the last turn is over"
	}
	return s
}

// owed says what the talk waits for.
func (f *Facts) owed() string {
	if calls := f.Standing.Calls; len(calls) > 0 {
		return calls[0].Tool + " has no result"
	}
	return "no answer to the last prompt"
}

// waitingFor says what a client waits for, in its words and with the call that
// is meant, where one is known.
func (f *Facts) waitingFor(c *claudehome.Live) (string, question) {
	if f.Report.asks() && !f.Standing.Time.After(f.Report.Time) {
		return f.Report.waiting(), f.Report.ask()
	}
	if call, ok := f.question(); ok && c.WaitingFor != "permission prompt" {
		return describe(call), askOf(call)
	}
	what, _ := strings.CutSuffix(c.WaitingFor, " prompt")
	calls := f.openCalls()
	if what != "permission" || len(calls) == 0 {
		return what, question{}
	}
	text := what + ": " + describe(calls[0])
	if len(calls) > 1 {
		return text + fmt.Sprintf(" (or %d more)", len(calls)-1), question{}
	}
	return text, askOf(calls[0])
}

// openCalls are those of the session, or where it has none but the calls of its
// agents, those of the agents.
func (f *Facts) openCalls() []sesskeep.OpenCall {
	calls := slices.DeleteFunc(slices.Clone(f.Standing.Calls), func(c sesskeep.OpenCall) bool { return c.Tool == "Agent" || c.Tool == "Task" })
	for _, a := range f.Agents {
		if len(calls) == 0 && !a.Finished {
			calls = append(calls, a.Standing.Calls...)
		}
	}
	if len(calls) == 0 {
		return f.Standing.Calls
	}
	return calls
}

func describe(c sesskeep.OpenCall) string { return strings.TrimSpace(c.Tool + " " + c.Text()) }

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
