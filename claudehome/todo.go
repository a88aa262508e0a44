package claudehome

import (
	"cmp"
	"encoding/json"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/homefs"
)

// TodoList is what one agent of a session had to do, the way clients before
// 2.1 kept it: todos/<session>-agent-<agent>.json.
type TodoList struct {
	Session  sesskeep.SessionID
	Agent    sesskeep.AgentID // the session's own id for its main conversation
	Items    []Todo
	Modified time.Time
	File     string // inside the home
}

// Todo is one item of a TodoList.
type Todo struct {
	Content    string
	Status     string // "pending", "in_progress" or "completed"
	ActiveForm string // Content as it reads while it is being done
	ID         string // only in old files
	Priority   string // only in old files
}

type wireTodo struct {
	Content    looseText `json:"content"`
	Status     looseText `json:"status"`
	ActiveForm looseText `json:"activeForm"`
	ID         looseText `json:"id"`
	Priority   looseText `json:"priority"`
}

// Todos reads the lists of a session, or of all sessions if session is empty.
// Empty lists, which every start of an old client left behind, are left out.
func Todos(s *homefs.Home, session sesskeep.SessionID) ([]TodoList, []sesskeep.Problem, error) {
	entries, err := s.ReadDir("todos")
	if err != nil {
		return nil, nil, err
	}
	var lists []TodoList
	var problems []sesskeep.Problem
	for _, e := range entries {
		stem, ok := strings.CutSuffix(e.Name(), ".json")
		owner, agent, named := strings.Cut(stem, "-agent-")
		if !ok || !named || !e.Type().IsRegular() || session != "" && sesskeep.SessionID(owner) != session {
			continue
		}
		name := path.Join("todos", e.Name())
		var items []wireTodo
		if err := readState(s, name, &items); err != nil {
			problems = append(problems, unread(name, err))
		}
		if len(items) == 0 {
			continue
		}
		list := TodoList{Session: sesskeep.SessionID(owner), Agent: sesskeep.AgentID(agent), Modified: modTime(e), File: name}
		for _, w := range items {
			list.Items = append(list.Items, Todo{
				Content: string(w.Content), Status: string(w.Status), ActiveForm: string(w.ActiveForm),
				ID: string(w.ID), Priority: string(w.Priority),
			})
		}
		lists = append(lists, list)
	}
	return lists, problems, nil
}

// TaskList is what a session or a team of agents has to do, the way clients
// since 2.1 keep it: one file a task in tasks/<session or team>.
type TaskList struct {
	Session sesskeep.SessionID // empty for a team
	Team    string             // empty for a session
	Tasks   []Task             // by number
}

// Task is one file of a TaskList.
type Task struct {
	ID          string
	Subject     string
	Description string
	ActiveForm  string   // Subject as it reads while it is being done
	Status      string   // "pending", "in_progress", "completed" or "deleted"
	Owner       string   // the agent that took it
	Blocks      []string // the tasks that wait for it
	BlockedBy   []string // the tasks it waits for
	Metadata    []byte   // raw JSON, nil if there is none
	Modified    time.Time
	File        string // inside the home
}

type wireTask struct {
	ID          looseText       `json:"id"`
	Subject     looseText       `json:"subject"`
	Description looseText       `json:"description"`
	ActiveForm  looseText       `json:"activeForm"`
	Status      looseText       `json:"status"`
	Owner       looseText       `json:"owner"`
	Blocks      looseStrings    `json:"blocks"`
	BlockedBy   looseStrings    `json:"blockedBy"`
	Metadata    json.RawMessage `json:"metadata"`
}

// Tasks reads the list of a session or team, or all lists if owner is empty.
// A directory in which no task is left is no list.
func Tasks(s *homefs.Home, owner string) ([]TaskList, []sesskeep.Problem, error) {
	entries, err := s.ReadDir("tasks")
	if err != nil {
		return nil, nil, err
	}
	var lists []TaskList
	var problems []sesskeep.Problem
	for _, e := range entries {
		if !e.IsDir() || owner != "" && e.Name() != owner {
			continue
		}
		tasks, bad := readTasks(s, path.Join("tasks", e.Name()))
		problems = append(problems, bad...)
		if len(tasks) == 0 {
			continue
		}
		list := TaskList{Team: e.Name(), Tasks: tasks}
		if sesskeep.IsUUID(e.Name()) {
			list = TaskList{Session: sesskeep.SessionID(e.Name()), Tasks: tasks}
		}
		lists = append(lists, list)
	}
	return lists, problems, nil
}

func readTasks(s *homefs.Home, dir string) ([]Task, []sesskeep.Problem) {
	entries, err := s.ReadDir(dir)
	if err != nil {
		return nil, []sesskeep.Problem{unread(dir, err)}
	}
	var tasks []Task
	var problems []sesskeep.Problem
	for _, e := range entries {
		stem, ok := strings.CutSuffix(e.Name(), ".json")
		if !ok || stem == "" || !e.Type().IsRegular() {
			continue // .lock, .highwatermark
		}
		name := path.Join(dir, e.Name())
		var w wireTask
		if err := readState(s, name, &w); err != nil {
			problems = append(problems, unread(name, err))
			continue
		}
		tasks = append(tasks, Task{
			ID:          cmp.Or(string(w.ID), stem),
			Subject:     string(w.Subject),
			Description: string(w.Description),
			ActiveForm:  string(w.ActiveForm),
			Status:      string(w.Status),
			Owner:       string(w.Owner),
			Blocks:      w.Blocks,
			BlockedBy:   w.BlockedBy,
			Metadata:    w.Metadata,
			Modified:    modTime(e),
			File:        name,
		})
	}
	slices.SortStableFunc(tasks, func(a, b Task) int {
		return cmp.Or(cmp.Compare(taskNumber(a.ID), taskNumber(b.ID)), strings.Compare(a.ID, b.ID))
	})
	return tasks, problems
}

// taskNumber is the number id stands for. What is none comes last.
func taskNumber(id string) int {
	n, err := strconv.Atoi(id)
	if err != nil {
		return 1 << 30
	}
	return n
}

// modTime is when the file of a directory entry was last written, or zero if
// it is gone.
func modTime(e fs.DirEntry) time.Time {
	info, err := e.Info()
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}
