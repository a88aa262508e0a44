package holder

import (
	"strings"
	"unicode/utf8"

	"sesskeep/internal/launch"
	"sesskeep/internal/stamp"
)

// Order says what a holder is to run, and how.
type Order struct {
	Spec    launch.Spec    `json:"spec"`
	Limits  launch.Limits  `json:"limits"`
	Message launch.Message `json:"message"` // the first message; an empty text: none
	Role    string         `json:"role,omitempty"`
	Purpose string         `json:"purpose,omitempty"`
	Client  string         `json:"client"`          // absolute path of the client's program
	Env     []string       `json:"env,omitempty"`   // NAME=VALUE to set, NAME to remove
	Slots   int            `json:"slots,omitempty"` // how many runs may have a client at once; 0: DefaultSlots
	By      string         `json:"by,omitempty"`    // who ordered it, from where
	Root    string         `json:"root,omitempty"`  // the home, if known
	// DayBudget is what all runs of a day may cost together. Notify lists where to
	// send notices that the run needs somebody or has ended; see [CheckNotice].
	DayBudget launch.Dollar `json:"dayBudget,omitempty"`
	Notify    []string      `json:"notify,omitempty"`
}

// DefaultSlots is how many runs may have a client at once.
const DefaultSlots = 8

// Run is what is known of a run before it starts.
type Run struct {
	ID        string      `json:"id"`
	CreatedAt stamp.Time  `json:"createdAt"`
	Dir       string      `json:"dir"`
	Root      string      `json:"root,omitempty" doc:"The home of its session"`
	SessionID string      `json:"sessionId"`
	Resumed   string      `json:"resumed,omitempty" doc:"The session that it resumes or copies"`
	Forked    bool        `json:"forked,omitempty"`
	Model     string      `json:"model,omitempty"`
	Mode      launch.Mode `json:"permissionMode"`
	Role      string      `json:"role,omitempty"`
	Purpose   string      `json:"purpose,omitempty"`
	Title     string      `json:"title,omitempty" doc:"The first line of the first message, shortened"`
	Client    string      `json:"client" doc:"Path of the client's program"`
	Argv      []string    `json:"argv" doc:"Its arguments"`
	By        string      `json:"by,omitempty" doc:"Who started it"`
	PID       int         `json:"holderPid" doc:"Process id of its holder"`
	// Foreign marks a question of a client that we did not start; it is not a run.
	Foreign bool `json:"foreign,omitempty"`
}

// titleLength bounds the title of a run, in characters.
const titleLength = 120

// title returns the first line of a message, shortened if necessary.
func title(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	line = strings.ToValidUTF8(strings.TrimSpace(line), "�")
	if utf8.RuneCountInString(line) > titleLength {
		line = string([]rune(line)[:titleLength-1]) + "…"
	}
	return line
}

// Record is a run with its current or final status.
type Record struct {
	Run
	launch.Status
	// SessionID, Model and Mode are the client's own once it reported them.
	SessionID string      `json:"sessionId"`
	Model     string      `json:"model,omitempty"`
	Mode      launch.Mode `json:"permissionMode"`
	EndedAt   stamp.Time  `json:"endedAt,omitzero"`
	LogSize   int64       `json:"logSize"`
	// Damage describes what is missing from the files of the run; empty: nothing.
	Damage string `json:"-"`
}

func newRecord(r Run, s launch.Status, size int64) Record {
	rec := Record{Run: r, Status: s, SessionID: r.SessionID, Model: r.Model, Mode: r.Mode, LogSize: size}
	if s.Session != "" {
		rec.SessionID = s.Session
	}
	if s.Model != "" {
		rec.Model = s.Model
	}
	if s.Facts.Mode != "" {
		rec.Mode = s.Facts.Mode
	}
	if s.State == launch.Ended {
		rec.EndedAt = s.Since
	}
	return rec
}

// Living reports whether a holder has the run.
func (r *Record) Living() bool { return r.State != launch.Ended && r.State != launch.Unclean }
