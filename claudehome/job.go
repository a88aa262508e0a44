package claudehome

import (
	"cmp"
	"encoding/json"
	"errors"
	"path"
	"regexp"
	"slices"
	"sync"
	"time"

	"sesskeep"
	"sesskeep/homefs"
)

// Job is a session that runs in the background: jobs/<id>/state.json.
//
// The file also holds the environment and the flags of the process. They can
// carry credentials and are not read.
type Job struct {
	ID      string             // the first 8 digits of the session it was made for
	Session sesskeep.SessionID // changes when the session is cleared or branched
	State   string             // "working", "blocked", "done", "failed" or "stopped"
	Detail  string             // what it does in one line; may be long out of date
	Needs   string             // what "blocked" waits for
	Output  string             // its result, in the client's words
	Tempo   string             // "active" or "idle"

	Name       string
	NameSource string // "auto", "user", …
	Intent     string // the prompt it was started with
	Cwd        string
	Version    string // of the client
	Template   string
	Backend    string
	Tokens     int64
	Tasks      int64 // running inside it
	Queued     int64 // waiting inside it

	Created time.Time
	Updated time.Time
	Ended   time.Time // zero until it ends
	File    string    // inside the home
}

var jobDir = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{8}$`) })

// Jobs lists the background sessions, the most recently updated first.
func Jobs(s *homefs.Home) ([]Job, []sesskeep.Problem, error) {
	entries, err := s.ReadDir("jobs")
	if err != nil {
		return nil, nil, err
	}
	var jobs []Job
	var problems []sesskeep.Problem
	for _, e := range entries {
		if !e.IsDir() || !jobDir().MatchString(e.Name()) {
			continue
		}
		job, err := readJob(s, e.Name())
		if err != nil {
			problems = append(problems, unread(job.File, err))
			continue
		}
		jobs = append(jobs, job)
	}
	slices.SortStableFunc(jobs, func(a, b Job) int { return b.Updated.Compare(a.Updated) })
	return jobs, problems, nil
}

// wireJob leaves out providerEnv and respawnFlags on purpose.
type wireJob struct {
	SessionID  looseText `json:"sessionId"`
	State      looseText `json:"state"`
	Detail     looseText `json:"detail"`
	Needs      looseText `json:"needs"`
	Output     looseText `json:"output"`
	Tempo      looseText `json:"tempo"`
	Name       looseText `json:"name"`
	NameSource looseText `json:"nameSource"`
	Intent     looseText `json:"intent"`
	Cwd        looseText `json:"cwd"`
	CLIVersion looseText `json:"cliVersion"`
	Template   looseText `json:"template"`
	Backend    looseText `json:"backend"`
	Tokens     looseInt  `json:"tokens"`
	CreatedAt  looseTime `json:"createdAt"`
	UpdatedAt  looseTime `json:"updatedAt"`
	FirstEnd   looseTime `json:"firstTerminalAt"`
	LastEnd    looseTime `json:"lastTerminalAt"`
	InFlight   inFlight  `json:"inFlight"`
}

// inFlight is what runs inside a job. Anything but an object is none.
type inFlight struct{ Tasks, Queued looseInt }

func (f *inFlight) UnmarshalJSON(data []byte) error {
	type fields inFlight // without this method
	var in fields
	if json.Unmarshal(data, &in) == nil {
		*f = inFlight(in)
	}
	return nil
}

func readJob(s *homefs.Home, id string) (Job, error) {
	var w wireJob
	name := path.Join("jobs", id, "state.json")
	if err := readState(s, name, &w); err != nil {
		return Job{File: name}, err
	}
	if w.State == "" && w.SessionID == "" {
		return Job{File: name}, errors.New("names no session and no state")
	}
	return Job{
		ID:         id,
		Session:    sesskeep.SessionID(w.SessionID),
		State:      string(w.State),
		Detail:     string(w.Detail),
		Needs:      string(w.Needs),
		Output:     string(w.Output),
		Tempo:      string(w.Tempo),
		Name:       string(w.Name),
		NameSource: string(w.NameSource),
		Intent:     string(w.Intent),
		Cwd:        string(w.Cwd),
		Version:    string(w.CLIVersion),
		Template:   string(w.Template),
		Backend:    string(w.Backend),
		Tokens:     int64(w.Tokens),
		Tasks:      int64(w.InFlight.Tasks),
		Queued:     int64(w.InFlight.Queued),
		Created:    time.Time(w.CreatedAt),
		Updated:    time.Time(w.UpdatedAt),
		Ended:      cmp.Or(time.Time(w.LastEnd), time.Time(w.FirstEnd)),
		File:       name,
	}, nil
}
