package holder

import (
	"strings"
	"unicode/utf8"

	"sesskeep/internal/launch"
	"sesskeep/internal/redact"
	"sesskeep/internal/stamp"
)

// Order says what a holder is to run, and how.
type Order struct {
	Spec    launch.Spec    `json:"spec"`
	Limits  launch.Limits  `json:"limits"`
	Message launch.Message `json:"message"` // the first message; an empty text: none
	Role    string         `json:"role,omitempty"`
	Purpose string         `json:"purpose,omitempty"`
	Client  string         `json:"client"` // absolute path of the client's program
	// ClientArgs stand before the arguments of the client: those that make our program stand in for it.
	ClientArgs []string `json:"clientArgs,omitempty"`
	Env        []string `json:"env,omitempty"`   // NAME=VALUE to set, NAME to remove
	Slots      int      `json:"slots,omitempty"` // how many runs may have a client at once; 0: DefaultSlots
	By         string   `json:"by,omitempty"`    // who ordered it, from where
	Root       string   `json:"root,omitempty"`  // the home, if known
	// DayBudget is what all runs of a day may cost together. Notify lists where to
	// send notices that the run needs somebody or has ended; see [CheckNotice].
	DayBudget launch.Dollar `json:"dayBudget,omitempty"`
	Notify    []string      `json:"notify,omitempty"`
	// Redact says what notices hide besides what looks like a secret.
	Redact redact.Options `json:"redact,omitzero"`
}

// DefaultSlots is how many runs may have a client at once.
const DefaultSlots = 8

// Run is what is known of a run before it starts.
type Run struct {
	ID        string      `json:"id"`        // id of the run
	CreatedAt stamp.Time  `json:"createdAt"` // when the run was started
	Dir       string      `json:"dir"`       // working directory
	Root      string      `json:"root,omitempty" doc:"Home of the session"`
	SessionID string      `json:"sessionId"` // session that the run started or resumed
	Resumed   string      `json:"resumed,omitempty" doc:"Session that the run resumes or copies"`
	Forked    bool        `json:"forked,omitempty"`  // true if the run works in a copy of the session
	Model     string      `json:"model,omitempty"`   // requested model
	Mode      launch.Mode `json:"permissionMode"`    // requested permission mode
	Role      string      `json:"role,omitempty"`    // role that the starter gave the run
	Purpose   string      `json:"purpose,omitempty"` // purpose that the starter gave the run
	Title     string      `json:"title,omitempty" doc:"Start of the first message"`
	Client    string      `json:"client" doc:"Program that was started"`
	Argv      []string    `json:"argv" doc:"Arguments of the program"`
	By        string      `json:"by,omitempty" doc:"Who started the run"`
	PID       int         `json:"holderPid" doc:"Process id of the run's holder"`
	// Foreign is true for a question of a client that sesskeep did not start.
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
	SessionID string      `json:"sessionId"`        // session id, as the client reports it
	Model     string      `json:"model,omitempty"`  // model, as the client reports it
	Mode      launch.Mode `json:"permissionMode"`   // permission mode, as the client reports it
	EndedAt   stamp.Time  `json:"endedAt,omitzero"` // when the run ended
	LogSize   int64       `json:"logSize"`          // bytes of the run's log
	// Damage says what of the files of the run is missing; empty: nothing.
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
