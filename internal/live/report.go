package live

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"sesskeep"
	"sesskeep/internal/lock"
	"sesskeep/internal/regular"
)

// Report is what a hook of ours recorded: something happened in a session
// just now. Reports come earlier than anything in a file of the client.
type Report struct {
	Time    time.Time          `json:"time"`
	Event   string             `json:"event"` // name of the hook, such as PermissionRequest or Stop
	Session sesskeep.SessionID `json:"session"`
	Agent   sesskeep.AgentID   `json:"agent,omitempty"`
	Tool    string             `json:"tool,omitempty"` // of PermissionRequest, PostToolUse and PermissionDenied
	Text    string             `json:"text,omitempty"` // the notification, or what the tool would do: one line
	Type    string             `json:"type,omitempty"` // of a notification; how a session started, why it ended
	Cwd     string             `json:"cwd,omitempty"`
	File    string             `json:"file,omitempty"` // the transcript, also where an agent asks
}

// The bounds of a report, in bytes, so that every one is a single small write.
const (
	maxWord = 200
	maxText = 500
	maxPath = 4096
)

// ParseReport reads what the client gives a hook.
func ParseReport(data []byte, now time.Time) (Report, error) {
	var in struct {
		Event   string         `json:"hook_event_name"`
		Session string         `json:"session_id"`
		Agent   string         `json:"agent_id"`
		Cwd     string         `json:"cwd"`
		File    string         `json:"transcript_path"`
		Tool    string         `json:"tool_name"`
		Input   map[string]any `json:"tool_input"`
		Message string         `json:"message"`
		Type    string         `json:"notification_type"`
		Source  string         `json:"source"`
		Reason  string         `json:"reason"`
	}
	var shape *json.UnmarshalTypeError
	if err := json.Unmarshal(data, &in); err != nil && !errors.As(err, &shape) {
		return Report{}, fmt.Errorf("read hook input: %w", err)
	}
	if in.Event == "" || in.Session == "" {
		return Report{}, errors.New("read hook input: names no event and session")
	}
	r := Report{
		Time: now.UTC(), Event: cut(in.Event, maxWord), Session: sesskeep.SessionID(cut(in.Session, maxWord)),
		Agent: sesskeep.AgentID(cut(in.Agent, maxWord)), Cwd: cut(in.Cwd, maxPath), File: cut(in.File, maxPath),
	}
	switch in.Event {
	case "PermissionRequest", "PostToolUse", "PermissionDenied":
		r.Tool, r.Text = cut(in.Tool, maxWord), inputSummary(in.Input)
		if in.Tool == questionTool {
			r.Text = questionTexts(in.Input)
		}
	case "Notification", "Elicitation":
		r.Type, r.Text = cut(in.Type, maxWord), oneLine(in.Message)
	case "SessionStart":
		r.Type = cut(in.Source, maxWord)
	case "SessionEnd":
		r.Type = cut(in.Reason, maxWord)
	}
	return r, nil
}

// reminder is the time within which a client repeats, in other words, that it asks
// for a permission. It does so after six seconds without an answer.
const reminder = 30 * time.Second

// reminds reports whether r repeats the earlier report with less detail.
func (r *Report) reminds(was Report) bool {
	return r.Event == "Notification" && r.Type == "permission_prompt" &&
		was.Event == "PermissionRequest" && r.Time.Sub(was.Time) < reminder
}

// concludes reports whether r only says that something is over that may have been
// asked about: a tool, or an agent.
func (r *Report) concludes() bool {
	return r.Event == "PostToolUse" || r.Event == "PermissionDenied" || r.Event == "SubagentStop"
}

// answers reports whether r says that what was asks for is decided.
func (r *Report) answers(was Report) bool {
	return was.asks() && r.Agent == was.Agent && (r.Event == "SubagentStop" || r.Tool == was.Tool && r.Text == was.Text)
}

// questionTool is the tool with which the model asks questions.
const questionTool = "AskUserQuestion"

// questionTexts returns the questions in the input of questionTool, in one line.
func questionTexts(input map[string]any) string {
	list, _ := input["questions"].([]any)
	var texts []string
	for _, q := range list {
		fields, _ := q.(map[string]any)
		if text, ok := fields["question"].(string); ok {
			texts = append(texts, text)
		}
	}
	return oneLine(strings.Join(texts, " "))
}

// inputSummary returns the part of a tool's input that says most about it: the
// same that sesskeep.OpenCall reads from the line of the call.
func inputSummary(input map[string]any) string {
	keys := []string{"command", "file_path", "pattern", "description", "url", "query", "path", "notebook_path", "skill", "plan", "subject", "prompt"}
	var rest []string
	for key := range input {
		rest = append(rest, key)
	}
	slices.Sort(rest)
	for _, key := range append(keys, rest...) {
		if text, ok := input[key].(string); ok && strings.TrimSpace(text) != "" {
			return oneLine(text)
		}
	}
	return ""
}

func oneLine(s string) string {
	return cut(strings.Join(strings.Fields(cut(s, 4*maxText)), " "), maxText)
}

// cut bounds a text without breaking a character.
func cut(s string, size int) string {
	if len(s) <= size {
		return s
	}
	for size > 0 && !utf8.RuneStart(s[size]) {
		size--
	}
	return s[:size]
}

// halfReports is when a file of reports is put aside. It is kept as the older
// half until the next one is full, so both stay below a MiB together.
const halfReports = 512 << 10

// olderReports is where the older half of a file lies.
func olderReports(path string) string { return path + ".1" }

// reportPatience is how long a report waits for others to write theirs. A hook
// is run while the client waits for it.
const reportPatience = time.Second

// AppendReport adds a report to a file, and creates the file if it does not exist.
// Several processes can append at the same time without losing a report: each is
// written to the newer half, and stays until as much again has come after it.
func AppendReport(path string, r Report) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	a, err := openReports(path, reportPatience)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	if err := a.append(append(line, '\n')); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}

// appending is a file of reports that is about to get one.
type appending struct {
	path string
	file *os.File
	// lock is held from opening the file until the report is in it, because a
	// file put aside in between could be dropped before anybody reads it. A
	// process stopped in the middle must not stop the client's hooks: after
	// waiting in vain a report is written without the lock, and nothing is put aside.
	lock *lock.Lock
}

func openReports(path string, patience time.Duration) (*appending, error) {
	a := &appending{path: path, lock: acquireReportLock(path+".lock", patience)}
	file, err := openAppend(path)
	if err != nil {
		a.release()
		return nil, err
	}
	a.file = file
	return a, nil
}

// acquireReportLock returns nil if the lock cannot be acquired in time.
func acquireReportLock(path string, patience time.Duration) *lock.Lock {
	for end := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		l, err := lock.Acquire(path)
		if err == nil {
			return l
		}
		if !errors.Is(err, lock.ErrHeld) || time.Now().After(end) {
			return nil
		}
	}
}

func openAppend(path string) (*os.File, error) {
	const flags = os.O_WRONLY | os.O_CREATE | os.O_APPEND
	f, err := regular.OpenFile(path, flags, 0o600)
	if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	if err := regular.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	return regular.OpenFile(path, flags, 0o600)
}

// append writes the report, puts a full file aside, and is done with it.
func (a *appending) append(line []byte) error {
	defer a.release()
	_, err := a.file.Write(line)
	info, statErr := a.file.Stat()
	if err := errors.Join(err, statErr, a.file.Close()); err != nil {
		return err
	}
	if a.lock != nil && info.Size() > halfReports {
		// Where that cannot be done now, the next report tries again.
		_ = os.Rename(a.path, olderReports(a.path))
	}
	return nil
}

func (a *appending) release() {
	if a.lock != nil {
		_ = a.lock.Release()
	}
}

// Reports reads a file of reports as it grows. The zero value begins at the
// oldest report.
type Reports struct {
	newer, older reading
}

// reading is how far one file was read.
type reading struct {
	file   fs.FileInfo // nil: nothing was read
	offset int64       // the end of the last whole line that was read
	last   []byte      // that line
}

// Read gives the reports that came since the last Read. A file that is not
// there has none; one that was cut off or replaced is read from its start.
func (r *Reports) Read(path string) ([]Report, error) {
	newer, err := openReading(path)
	if err != nil {
		return nil, err
	}
	defer newer.Close()
	older, err := openReading(olderReports(path))
	if err != nil {
		return nil, err
	}
	defer older.Close()
	// What was the newer half may be the older one now.
	if r.newer.of(older) {
		r.older, r.newer = r.newer, reading{}
	}
	list, err := r.older.read(older)
	if err != nil {
		return nil, err
	}
	if r.older.of(newer) {
		return list, nil // put aside since it was opened, and read just now
	}
	more, err := r.newer.read(newer)
	return append(list, more...), err
}

// openReading opens a file; nil means that there is none.
func openReading(path string) (*os.File, error) {
	f, err := regular.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return f, err
}

// of reports whether it is that file which was read. Systems give the number of
// a file that went to the next, so the last line has to be there too.
func (r *reading) of(f *os.File) bool {
	if f == nil || r.file == nil {
		return false
	}
	info, err := f.Stat()
	if err != nil || !os.SameFile(info, r.file) {
		return false
	}
	there := make([]byte, len(r.last))
	_, err = f.ReadAt(there, r.offset-int64(len(r.last)))
	return err == nil && bytes.Equal(there, r.last)
}

// read reads what is new in a file, which may be nil, and remembers how far.
func (r *reading) read(f *os.File) ([]Report, error) {
	if !r.of(f) {
		*r = reading{}
	}
	if f == nil {
		return nil, nil
	}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.NewSectionReader(f, r.offset, 4*halfReports))
	if err != nil {
		return nil, err
	}
	data = data[:bytes.LastIndexByte(data, '\n')+1]
	r.file = info
	if len(data) > 0 {
		r.offset += int64(len(data))
		r.last = bytes.Clone(data[bytes.LastIndexByte(data[:len(data)-1], '\n')+1:])
	}
	return decodeReports(data), nil
}

// reportStart is how every report begins.
var reportStart = []byte(`{"time":"`)

// decodeReports skips lines that are none. A report that follows one a crash
// cut off stands in the same line, and counts.
func decodeReports(data []byte) []Report {
	var list []Report
	for line := range bytes.Lines(data) {
		var r Report
		if at := bytes.LastIndex(line, reportStart); at > 0 {
			line = line[at:]
		}
		if json.Unmarshal(line, &r) == nil && r.Session != "" && r.Event != "" {
			list = append(list, r)
		}
	}
	return list
}
