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
)

// Report is what a hook of the client told: something happened in a session
// just now. Reports come earlier than anything in a file of the client.
type Report struct {
	Time    time.Time          `json:"time"`
	Event   string             `json:"event"` // PermissionRequest, Notification, Stop, SessionStart, SessionEnd, UserPromptSubmit
	Session sesskeep.SessionID `json:"session"`
	Agent   sesskeep.AgentID   `json:"agent,omitempty"`
	Tool    string             `json:"tool,omitempty"` // of PermissionRequest
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
	case "PermissionRequest":
		r.Tool, r.Text = cut(in.Tool, maxWord), telling(in.Input)
	case "Notification":
		r.Type, r.Text = cut(in.Type, maxWord), oneLine(in.Message)
	case "SessionStart":
		r.Type = cut(in.Source, maxWord)
	case "SessionEnd":
		r.Type = cut(in.Reason, maxWord)
	}
	return r, nil
}

// telling is the part of a tool's input that says most about it.
func telling(input map[string]any) string {
	keys := []string{"command", "file_path", "notebook_path", "path", "url", "pattern", "query", "description", "prompt"}
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

// AppendReport adds a report to a file, which is made if it is not there. It
// waits for nobody, and of those who append at the same time none is lost.
func AppendReport(path string, r Report) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	f, err := openReports(path)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	_, err = f.Write(append(line, '\n'))
	info, statErr := f.Stat()
	if err := errors.Join(err, statErr, f.Close()); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	if info.Size() > halfReports {
		putAside(path)
	}
	return nil
}

func openReports(path string) (*os.File, error) {
	const flags = os.O_WRONLY | os.O_CREATE | os.O_APPEND
	f, err := os.OpenFile(path, flags, 0o600)
	if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	return os.OpenFile(path, flags, 0o600)
}

// putAside makes a full file the older half. Whoever still has it open writes
// to it under its new name, where it is read too. If another process is at it,
// or it cannot be done now, the next report tries again.
func putAside(path string) {
	l, err := lock.Take(path + ".lock")
	if err != nil {
		return
	}
	defer l.Release()
	// The one who had the lock before may have done it.
	if info, err := os.Stat(path); err == nil && info.Size() > halfReports {
		_ = os.Rename(path, olderReports(path))
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
	// What was the newer half may be the older one now, and still grow for a
	// moment: somebody had it open.
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
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return f, err
}

// of reports whether it is that file which was read.
func (r *reading) of(f *os.File) bool {
	if f == nil || r.file == nil {
		return false
	}
	info, err := f.Stat()
	return err == nil && os.SameFile(info, r.file)
}

// read reads what is new in a file, which may be nil, and remembers how far.
func (r *reading) read(f *os.File) ([]Report, error) {
	if f == nil {
		*r = reading{} // systems give the number of a file that went to the next
		return nil, nil
	}
	if !r.of(f) || !endsLine(f, r.offset) {
		*r = reading{}
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
	r.file, r.offset = info, r.offset+int64(len(data))
	return decodeReports(data), nil
}

// endsLine reports whether a line of the file ends at offset. A shorter or
// another file under the old name mostly has none there.
func endsLine(f *os.File, offset int64) bool {
	if offset == 0 {
		return true
	}
	var last [1]byte
	_, err := f.ReadAt(last[:], offset-1)
	return err == nil && last[0] == '\n'
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
