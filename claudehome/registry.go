package claudehome

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/jsonl"
)

// Live is one client process as it registered itself: sessions/<pid>.json.
//
// The file is written when the process starts, overwritten while it works and
// removed when it ends in order. One that was killed leaves its last state
// behind for good, so Status counts only where Alive is true.
type Live struct {
	PID     int
	Start   string // when the process started, in the words of its system
	Domain  string // the machine and process namespace PID belongs to
	Alive   bool   // what the Alive function said
	Session sesskeep.SessionID
	Cwd     string
	Started time.Time

	Status      string    // "busy", "idle", "waiting" or "shell"; empty before 2.1.139
	WaitingFor  string    // what "waiting" waits for, such as "permission prompt"
	StatusSince time.Time // when Status last changed
	Updated     time.Time // when the file was last written

	Name       string
	NameSource string // "derived", "auto" or "user"
	NameSince  time.Time
	Kind       string // "interactive" or "bg"; print mode is "interactive" too
	Entrypoint string // "cli", "sdk-cli", …
	Version    string
	Job        string // the background job, if it is one
	Bridge     string // the remote-control session, if there is one
	Socket     string // where the process listens for its peers
	Protocol   int64
	Features   []string
	File       string // inside the home
}

// Alive reports whether the process pid of the namespace domain runs and is the one that
// started at start. Old clients recorded neither start nor domain: both may be empty. A
// pid alone proves little, because systems reuse numbers, and a container has its own.
type Alive func(pid int, start, domain string) bool

var registryFile = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(pid-)?[0-9]{1,10}\.json$`) })

const maxStateFile = 1 << 20 // of the small JSON files that describe one thing

// Registry lists the processes that registered themselves, the most recently
// started first. If alive is nil, none counts as alive.
//
// The client overwrites these files in place, so a reader can catch one half
// written: it is a Problem now and is gone when it is read again.
func Registry(s *homefs.Home, alive Alive) ([]Live, []sesskeep.Problem, error) {
	entries, err := s.ReadDir("sessions")
	if err != nil {
		return nil, nil, err
	}
	var lives []Live
	var problems []sesskeep.Problem
	for _, e := range entries {
		if !registryFile().MatchString(e.Name()) || !e.Type().IsRegular() {
			continue
		}
		live, err := readLive(s, path.Join("sessions", e.Name()))
		if errors.Is(err, fs.ErrNotExist) {
			continue // ended since the directory was read
		}
		if err != nil {
			problems = append(problems, unread(path.Join("sessions", e.Name()), err))
			continue
		}
		live.Alive = alive != nil && alive(live.PID, live.Start, live.Domain)
		lives = append(lives, live)
	}
	slices.SortStableFunc(lives, func(a, b Live) int {
		return cmp.Or(b.Started.Compare(a.Started), cmp.Compare(a.PID, b.PID))
	})
	return lives, problems, nil
}

// wireLive is a registry file; the names with underscores are of old clients.
type wireLive struct {
	PID             looseInt     `json:"pid"`
	ProcStart       looseText    `json:"procStart"`
	PIDDomain       looseText    `json:"pidDomain"`
	SessionID       looseText    `json:"sessionId"`
	OldSessionID    looseText    `json:"session_id"`
	Cwd             looseText    `json:"cwd"`
	StartedAt       looseTime    `json:"startedAt"`
	Status          looseText    `json:"status"`
	WaitingFor      looseText    `json:"waitingFor"`
	StatusUpdatedAt looseTime    `json:"statusUpdatedAt"`
	UpdatedAt       looseTime    `json:"updatedAt"`
	Name            looseText    `json:"name"`
	NameSource      looseText    `json:"nameSource"`
	NameSince       looseTime    `json:"nameSince"`
	Kind            looseText    `json:"kind"`
	Entrypoint      looseText    `json:"entrypoint"`
	Version         looseText    `json:"version"`
	JobID           looseText    `json:"jobId"`
	BridgeSessionID looseText    `json:"bridgeSessionId"`
	Socket          looseText    `json:"messagingSocketPath"`
	PeerProtocol    looseInt     `json:"peerProtocol"`
	PeerFeatures    looseStrings `json:"peerFeatures"`
}

func readLive(s *homefs.Home, name string) (Live, error) {
	var w wireLive
	if err := readState(s, name, &w); err != nil {
		return Live{}, err
	}
	stem := strings.TrimSuffix(path.Base(name), ".json")
	fileID, _ := strconv.Atoi(strings.TrimPrefix(stem, "pid-"))
	live := Live{
		PID:         cmp.Or(int(w.PID), fileID),
		Start:       string(w.ProcStart),
		Domain:      string(w.PIDDomain),
		Session:     sesskeep.SessionID(cmp.Or(w.SessionID, w.OldSessionID)),
		Cwd:         string(w.Cwd),
		Started:     time.Time(w.StartedAt),
		Status:      string(w.Status),
		WaitingFor:  string(w.WaitingFor),
		StatusSince: time.Time(w.StatusUpdatedAt),
		Updated:     time.Time(w.UpdatedAt),
		Name:        string(w.Name),
		NameSource:  string(w.NameSource),
		NameSince:   time.Time(w.NameSince),
		Kind:        string(w.Kind),
		Entrypoint:  string(w.Entrypoint),
		Version:     string(w.Version),
		Job:         string(w.JobID),
		Bridge:      string(w.BridgeSessionID),
		Socket:      string(w.Socket),
		Protocol:    int64(w.PeerProtocol),
		Features:    w.PeerFeatures,
		File:        name,
	}
	if live.Session == "" {
		return Live{}, errors.New("names no session")
	}
	return live, nil
}

// readState decodes the first JSON value of a small file into v, a pointer to
// a struct of loose fields. What follows that value is the end of a longer one
// that was overwritten and not cut off yet.
func readState(s *homefs.Home, name string, v any) error {
	data, err := s.ReadFile(name, maxStateFile)
	if err != nil {
		return err
	}
	return jsonReason(json.NewDecoder(bytes.NewReader(cleanJSON(data))).Decode(v))
}

// jsonReason puts the errors of package json that have no place in them, or
// talk about Go types, into words for a Problem.
func jsonReason(err error) error {
	var shape *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.EOF):
		return errors.New("empty")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("cut off")
	case errors.As(err, &shape):
		return errors.New("JSON of an unexpected shape")
	case errors.As(err, &syntax) && strings.HasPrefix(err.Error(), "unexpected end"):
		return errors.New("cut off")
	case errors.As(err, &syntax):
		return fmt.Errorf("not valid JSON at byte %d", syntax.Offset)
	}
	return err
}

// cleanJSON drops what editors, Windows and power cuts put around a value.
func cleanJSON(data []byte) []byte {
	return bytes.Trim(bytes.TrimPrefix(data, []byte("\ufeff")), "\x00 \t\r\n")
}

// unread is the Problem of a file that err kept from being read: an [fs.PathError] or
// an Error comes from the home, any other from what the file holds. The path in it is left
// out, since the Problem has the file's name.
func unread(name string, err error) sesskeep.Problem {
	code := sesskeep.ProblemBroken
	var inFile *fs.PathError
	var named *sesskeep.Error
	if errors.As(err, &inFile) || errors.As(err, &named) {
		code, err = sesskeep.ProblemUnreadable, sesskeep.Cause(err)
	}
	return sesskeep.Problem{Code: code, File: name, Reason: err.Error(), Lost: true}
}

// ProjectPaths returns the keys of "projects" in the text of a .claude.json, of
// which the client sometimes leaves only the beginning. Nothing else of it is
// decoded: it holds an account and tokens.
func ProjectPaths(claudeJSON []byte) []string {
	var p jsonl.Parser
	p.Reset(cleanJSON(claudeJSON))
	var paths []string
	for key := range p.Object() {
		if string(key) != "projects" {
			continue
		}
		for dir := range p.Object() {
			paths = append(paths, string(dir))
		}
	}
	return paths
}

// The loose types read the scalars of files whose fields change their type
// between versions. They never fail: a field that makes no sense is zero, so
// that it cannot take the rest of its record with it.
type (
	looseText    string
	looseInt     int64
	looseTime    time.Time
	looseStrings []string
)

// UnmarshalJSON keeps anything but a string as it is written.
func (t *looseText) UnmarshalJSON(data []byte) error {
	var text string
	switch {
	case bytes.Equal(data, []byte("null")):
		text = ""
	case json.Unmarshal(data, &text) != nil:
		text = string(data)
	}
	*t = looseText(text)
	return nil
}

// UnmarshalJSON takes numbers, also with a fraction or in quotes.
func (n *looseInt) UnmarshalJSON(data []byte) error {
	f, err := strconv.ParseFloat(strings.Trim(string(data), `"`), 64)
	if err != nil || f != f || f < -1<<53 || f > 1<<53 {
		f = 0
	}
	*n = looseInt(f)
	return nil
}

// maxMillis is the start of the year 10000, which no JSON time can express.
const maxMillis = 253402300800000

// UnmarshalJSON takes milliseconds since 1970 and RFC 3339 text.
func (t *looseTime) UnmarshalJSON(data []byte) error {
	*t = looseTime{}
	if at, err := time.Parse(time.RFC3339, strings.Trim(string(data), `"`)); err == nil {
		*t = looseTime(at.UTC())
		return nil
	}
	var ms looseInt
	if err := ms.UnmarshalJSON(data); err == nil && ms > 0 && ms < maxMillis {
		*t = looseTime(time.UnixMilli(int64(ms)).UTC())
	}
	return nil
}

// UnmarshalJSON takes a list of anything, or a single value as a list of one.
func (l *looseStrings) UnmarshalJSON(data []byte) error {
	var items []looseText
	*l = nil
	if json.Unmarshal(data, &items) != nil {
		var one looseText
		if err := one.UnmarshalJSON(data); err != nil {
			return err
		}
		items = []looseText{one}
	}
	for _, item := range items {
		*l = append(*l, string(item))
	}
	return nil
}
