package shelf

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Plan is a change that was worked out and not made.
type Plan struct {
	Verb    string // what it is for: "hook install", "undo", …
	Actor   Actor
	Home    string // the home it is about
	Session string // the key of the session it is about, as text; often empty
	What    string // what it does to it, in a few words
	Batch   string // of acts that one command makes: the same text for all of them
	Undoes  int    // of an undo: the act
	// Named are files outside of the home that the user named, by their real paths. Steps may
	// change them, and nothing else there.
	Named []string
	Steps Steps
}

// Empty reports whether there is nothing to do.
func (p Plan) Empty() bool { return len(p.Steps) == 0 }

// Actor says who asked for an act, and from where.
type Actor struct {
	User  string `json:"user,omitempty"`  // name of the user
	From  string `json:"from,omitempty"`  // front that was used: cli, tui or api
	Token string `json:"token,omitempty"` // for the API: name of the token
}

// Act is a change that was made, or begun.
type Act struct {
	ID      int       `json:"id"`
	Time    time.Time `json:"time"`
	Verb    string    `json:"verb"`
	Actor   Actor     `json:"actor"`
	Home    string    `json:"home"`
	Session string    `json:"session,omitempty"`
	What    string    `json:"what,omitempty"`
	Batch   string    `json:"batch,omitempty"`
	State   State     `json:"state"`
	Problem string    `json:"problem,omitempty"` // why it is Unclear or Dropped, or could not be rolled back yet
	Back    bool      `json:"back,omitempty"`    // of one that is Begun: it is being rolled back
	Undoes  int       `json:"undoes,omitempty"`  // of an undo: the act
	Tag     string    `json:"tag,omitempty"`     // of its files beside those it changes
	Named   []string  `json:"named,omitempty"`   // files outside of the home that it may change
	Steps   Steps     `json:"steps"`
	// Needs is the version of the journal that a reader of the line must understand; 0
	// is the first one. What an older program would misread has a greater one.
	Needs int `json:"needs,omitempty"`
	// Prev is the hash of the line before in the journal, so that none can be
	// changed or taken out without a trace. The first line has none.
	Prev string `json:"prev,omitempty"`
	// Purged is the purge that took the content out of the act, and Was the hash that the
	// line had before: the line after it has it as Prev. A purge lists the lines in
	// Redacted, by their hashes before, with the ones they have now.
	Purged   int               `json:"purged,omitempty"`
	Was      string            `json:"was,omitempty"`
	Redacted map[string]string `json:"redacted,omitempty"`

	names []string // of the files of a plan, as they were given
	cause error    // of its Problem
}

// State says what became of an act.
type State string

// The states. Only an act that is done can be undone; an undo too.
const (
	Begun   State = "begun"   // it is being made, or a crash interrupted it
	Done    State = "done"    //
	Undone  State = "undone"  //
	Dropped State = "dropped" // it did not happen: everything is as it was before
	Unclear State = "unclear" // some of it happened, and cannot be finished or rolled back
	Noted   State = "noted"   // it changed nothing here: a device was let in, or something was allowed
)

// States are all of them.
var States = []State{Begun, Done, Undone, Dropped, Unclear, Noted}

// Files lists the files an act is about, as they were named. What changes in our
// own stores is none of them.
func (a *Act) Files() []string {
	var files []string
	for _, step := range a.Steps {
		switch step.(type) {
		case Label, Forget:
		default:
			files = append(files, step.file())
		}
	}
	return files
}

// Subject names what an act is about: its session, or else its files.
func (a *Act) Subject() string {
	files := a.Files()
	switch {
	case a.Session != "":
		return a.Session
	case len(files) == 1:
		return files[0]
	case len(files) > 1:
		return fmt.Sprintf("%s and %d more", files[0], len(files)-1)
	}
	return a.Home
}

// In reports whether an act is of one of some homes.
func (a *Act) In(homes []string) bool {
	return a.Home != "" && slices.ContainsFunc(homes, func(home string) bool { return sameDir(home, a.Home) })
}

// sameDir reports whether two names are of one directory, which need not be
// there any more.
func sameDir(a, b string) bool {
	a, errA := filepath.Abs(a)
	b, errB := filepath.Abs(b)
	if errA == nil && errB == nil && a == b {
		return true
	}
	here, errA := os.Stat(a)
	there, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(here, there)
}

// Step is a Replace, a Move, an Append, a Create, a Label, a Purge, an Erase or a Forget.
type Step interface {
	// file is the file it is about, as it was named.
	file() string
	// check checks that it can be done, changes nothing, and returns it with
	// what was found.
	check(t *task) (Step, error)
	// stage brings what it needs into our data directory.
	stage(t *task) (Step, error)
	// run does it, or the rest of it after a crash. What is done stays done.
	run(t *task) error
	// revert undoes what was done of it, and leaves nothing of it behind.
	revert(t *task) error
	// inverse is the step that undoes it. It fails if that cannot be done as
	// things are now.
	inverse(t *task) (Step, error)
}

// tidier is a step that can leave empty directories: those it made where the act is
// reverted, else those that were made for what it moves away. It tidies when all
// steps are through, as directories can be moved too.
type tidier interface {
	tidy(t *task, reverted bool)
}

// Steps are the steps of an act.
type Steps []Step

// oneStep is a step in the journal.
type oneStep struct {
	Replace *Replace `json:"replace,omitempty"`
	Move    *Move    `json:"move,omitempty"`
	Append  *Append  `json:"append,omitempty"`
	Create  *Create  `json:"place,omitempty"`
	Label   *Label   `json:"label,omitempty"`
	Purge   *Purge   `json:"purge,omitempty"`
	Erase   *Erase   `json:"erase,omitempty"`
	Forget  *Forget  `json:"forget,omitempty"`
}

// MarshalJSON writes each step as an object with one key, its kind.
func (s Steps) MarshalJSON() ([]byte, error) {
	list := make([]oneStep, len(s))
	for i, step := range s {
		switch step := step.(type) {
		case Replace:
			list[i].Replace = &step
		case Move:
			list[i].Move = &step
		case Append:
			list[i].Append = &step
		case Create:
			list[i].Create = &step
		case Label:
			list[i].Label = &step
		case Purge:
			list[i].Purge = &step
		case Erase:
			list[i].Erase = &step
		case Forget:
			list[i].Forget = &step
		default:
			return nil, fmt.Errorf("%T is not a step", step)
		}
	}
	return json.Marshal(list)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (s *Steps) UnmarshalJSON(data []byte) error {
	var list []oneStep
	if err := json.Unmarshal(data, &list); err != nil {
		return err
	}
	for _, one := range list {
		switch {
		case one.Replace != nil:
			*s = append(*s, *one.Replace)
		case one.Move != nil:
			*s = append(*s, *one.Move)
		case one.Append != nil:
			*s = append(*s, *one.Append)
		case one.Create != nil:
			*s = append(*s, *one.Create)
		case one.Label != nil:
			*s = append(*s, *one.Label)
		case one.Purge != nil:
			*s = append(*s, *one.Purge)
		case one.Erase != nil:
			*s = append(*s, *one.Erase)
		case one.Forget != nil:
			*s = append(*s, *one.Forget)
		default:
			return errors.New("a step of an unknown kind")
		}
	}
	return nil
}
