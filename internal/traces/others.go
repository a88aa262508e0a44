package traces

import (
	"encoding/json"
	"path"
	"strings"

	"sesskeep/homefs"
	"sesskeep/internal/regular"
)

// about has the fields of small files of the client that show where they belong.
type about struct {
	Session  string `json:"sessionId"`
	Old      string `json:"session_id"`
	Resumed  string `json:"resumeSessionId"`
	Lead     string `json:"leadSessionId"`
	Dir      string `json:"cwd"`
	PID      int    `json:"pid"`
	Finished string `json:"firstTerminalAt"`
}

// maxAbout is the size of the largest such file that is read.
const maxAbout = 4 << 20

// isOf reports whether a file belongs to one of the sessions or to the project.
func (f *finder) isOf(name string) (a about, is bool) {
	text, err := f.home.ReadFile(name, maxAbout)
	if err != nil || json.Unmarshal(text, &a) != nil {
		return a, false
	}
	return a, f.of.Session(a.Session) || f.of.Session(a.Old) || f.of.Session(a.Resumed) || f.of.Session(a.Lead) || f.of.Project(a.Dir)
}

// others finds files whose names show neither session nor project: background jobs, registry
// entries of processes that have ended, teams, and the usage report.
func (f *finder) others() error {
	for _, list := range []struct {
		dir, file string
		kind      Kind
	}{{"jobs", "state.json", Jobs}, {"teams", "config.json", Todos}, {"sessions", "", Other}} {
		entries, err := f.home.ReadDir(list.dir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			name := path.Join(list.dir, e.Name())
			a, is := f.isOf(path.Join(name, list.file))
			if !is && list.kind == Jobs {
				is = f.jobOf(e.Name())
			}
			if !is || list.dir == "sessions" && (f.scope.Runs == nil || f.scope.Runs(a.PID)) {
				continue
			}
			if err := f.erase(name, list.kind); err != nil {
				return err
			}
			if list.dir == "teams" && f.home.Stat(path.Join("tasks", e.Name())) != nil {
				if err := f.erase(path.Join("tasks", e.Name()), Todos); err != nil {
					return err
				}
			}
		}
	}
	return f.report()
}

// jobOf reports whether the name of a job begins one of the sessions' ids.
func (f *finder) jobOf(name string) bool {
	for _, id := range f.scope.Of.Sessions {
		if len(name) == 8 && strings.HasPrefix(string(id), name) {
			return true
		}
	}
	return false
}

// report finds the client's usage report, if one of the sessions is in it. The client creates
// it again.
func (f *finder) report() error {
	name := "usage-data/report.html"
	if c := f.found.bytes[Usage]; c == nil || f.home.Stat(name) == nil {
		return nil
	}
	return f.erase(name, Usage)
}

// maxLeft is the size of the largest file that is searched for mentions.
const maxLeft = 16 << 20

// left finds files that the user wrote and that mention the sessions; they are not changed.
func (f *finder) left() error {
	entries, err := f.home.ReadDir(".")
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := e.Name()
		if !e.Type().IsRegular() || homefs.Denied(name) || name == "history.jsonl" || strings.HasPrefix(name, ".claude.json") {
			continue
		}
		r, err := regular.Open(f.home.Path(name))
		if err != nil {
			continue
		}
		info, err := r.Stat()
		found := false
		if err == nil && info.Size() <= maxLeft {
			found, _ = f.of.InReader(r)
		}
		_ = r.Close()
		if found {
			f.found.Left = append(f.found.Left, f.home.Path(name))
		}
	}
	return nil
}
